import { contactMethodLabels, maxContactMethods, visibilityFields } from "#app/features/cards/card-fields.ts";
import type { VisibilityField } from "#app/features/cards/card-fields.ts";
import { designFieldTexts } from "#app/features/cards/card-design-form.ts";
import { textFields, toFormValues, toUncheckedCard, visibilityLabels } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import type { Card, CardInput } from "#app/features/cards/schema.ts";
import { mapFields, namesOf, recordOf } from "#app/services/base/form-fields.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import type { MergeConflict } from "#app/ui/forms/merge-values.ts";
import { toConflictFields } from "#app/ui/forms/versioned-values.ts";
import type {
  ConflictField,
  ConflictList,
  ConflictTexts,
  FieldText,
  MergeRequest,
} from "#app/ui/forms/versioned-values.ts";

/** What a form asks for after its checks. `displayName` belongs to the profile; undefined for a form without that field. */
export type CardChange = {
  change: CardInput;
  displayName: string | undefined;
  version: number;
  request: MergeRequest;
  /** How many the merged card may have. */
  maxLinks: number;
};

/** Merges a form with the stored card and the stored name of the profile. `conflicts` are the fields that both changed. */
export function mergeCard(
  { change, displayName, version, request, maxLinks }: CardChange,
  stored: { card: Card; displayName: string },
): { change: CardInput; displayName: string } | { conflicts: ConflictField[] } {
  const other = toFormValues(stored.card, stored.displayName);
  const mine = toFormValues(change, displayName ?? stored.displayName);
  const base = request.parsedBase ?? (version === stored.card.version ? other : undefined);
  const merged = mergeValues(
    { base: displayName === undefined ? withName(base, stored.displayName) : base, mine, other },
    {
      choose: request.choicesFor(stored.card.version),
      maxRows: { links: maxLinks, phones: maxContactMethods, emails: maxContactMethods },
    },
  );
  if (merged.conflicts.length > 0) return { conflicts: describeConflicts(merged.conflicts, [mine, other]) };
  const parsed = parseCard(toUncheckedCard(merged.values));
  return "change" in parsed ? { change: parsed.change, displayName: merged.values.display_name } : { conflicts: [] };
}

/** Merges only the name, for a card that is not stored yet. */
export function mergeDisplayName(
  { displayName, request }: CardChange,
  stored: string,
): { displayName: string } | { conflicts: ConflictField[] } {
  if (displayName === undefined) return { displayName: stored };
  const { values, conflicts } = mergeValues(
    { base: request.parsedBase, mine: { display_name: displayName }, other: { display_name: stored } },
    // A form without a base isn't ours: its name is used as sent.
    { choose: request.parsedBase === undefined ? () => "mine" : request.choicesFor(0) },
  );
  if (conflicts.length > 0) return { conflicts: describeConflicts(conflicts, []) };
  return { displayName: values.display_name };
}

function withName(base: unknown, displayName: string): unknown {
  return typeof base === "object" && base !== null ? { ...base, display_name: displayName } : base;
}

function describeConflicts(conflicts: MergeConflict[], versions: readonly CardFormValues[]): ConflictField[] {
  const listOf = (name: keyof typeof listLabels): ConflictList => ({
    label: listLabels[name],
    rows: versions.flatMap((values): ConflictList["rows"] => values[name]),
    rowLabel: ({ name, value = "" }) => `“${String(name ?? value)}”`,
    rowText: ({ name, url, kind, value }) =>
      url === undefined ? `${methodLabels[String(kind)] ?? ""}: ${String(value)}` : `${String(name)}\n${String(url)}`,
    fields: rowFields,
  });
  return toConflictFields(conflicts, { fields, lists: mapFields(namesOf(listLabels), listOf) });
}

const fields: ConflictTexts["fields"] = {
  ...textFields,
  ...designFieldTexts,
  ...recordOf(visibilityFields.map((name) => [`visibility.${name}`, visibilityText(name)])),
  is_public: { label: "Who can see this card", toText: (value) => (value === "true" ? "Public" : "Only you") },
};

/** The fields of a link, and of a phone number or email address in a list. */
const rowFields = {
  name: { label: "Name" },
  url: { label: "URL" },
  kind: { label: "Type" },
  value: { label: "Value" },
  visibility: { label: "Visibility" },
};

const listLabels = { links: "Links", phones: "Other phone numbers", emails: "Other emails" };
const methodLabels: Partial<Record<string, string>> = contactMethodLabels;

function visibilityText(name: VisibilityField): FieldText {
  const labels: Partial<Record<string, string>> = visibilityLabels;
  return {
    label: `${name === "address" ? "Address" : textFields[name].label} visibility`,
    toText: (visibility) => labels[visibility] ?? visibilityLabels[""],
  };
}
