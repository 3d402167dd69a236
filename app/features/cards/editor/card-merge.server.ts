import { contactMethodLabels, maxContactMethods } from "#app/features/cards/card-fields.ts";
import { designFieldTexts } from "#app/features/cards/card-design-form.ts";
import { textFields, toFormValues, toUncheckedCard, visibilityLabels } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import type { Card, CardInput } from "#app/features/cards/schema.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import type { MergeConflict } from "#app/ui/forms/merge-values.ts";
import { toConflictFields } from "#app/ui/forms/versioned-values.ts";
import type { ConflictField, MergeRequest } from "#app/ui/forms/versioned-values.ts";

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
  return toConflictFields(conflicts, ({ path }) => {
    const [field = "", ...rest] = path.split(".");
    const name = rest.join(".");
    if (field === "visibility") return { label: `${labelOf(name)} visibility`, toText: visibilityText };
    if (field !== "links" && field !== "phones" && field !== "emails")
      return { label: labelOf(field), toText: (value) => fields[field]?.toText?.(String(value)) ?? String(value) };
    if (name === "") return { label: listLabels[field], toText: rowsText };
    if (name === "order") return { label: `Order of ${listLabels[field].toLowerCase()}`, toText: rowsText };
    const rows = versions.flatMap((values): Row[] => values[field]);
    const row = rows.find(({ id }) => name === id || name.startsWith(`${id}.`));
    const part = row && name !== row.id ? name.slice(row.id.length + 1) : "";
    const detail = part && `: ${rowFieldLabels[part] ?? part}`;
    return { label: `“${row?.name ?? row?.value ?? ""}”${detail}`, toText: rowText };
  });
}

const fields: Partial<Record<string, { label: string; toText?: (value: string) => string }>> = {
  ...textFields,
  ...designFieldTexts,
  address: { label: "Address" },
  is_public: { label: "Who can see this card", toText: (value) => (value === "true" ? "Public" : "Only you") },
};

function labelOf(field: string): string {
  return fields[field]?.label ?? field;
}

/** The fields of a link, and of a phone number or email address in a list. */
const rowFieldLabels: Partial<Record<string, string>> = {
  name: "Name",
  url: "URL",
  kind: "Type",
  value: "Value",
  visibility: "Visibility",
};

const listLabels = { links: "Links", phones: "Other phone numbers", emails: "Other emails" };

function visibilityText(value: unknown): string {
  const labels: Partial<Record<string, string>> = visibilityLabels;
  return labels[String(value)] ?? visibilityLabels[""];
}

type Row = { id: string; name?: string; value?: string };

/** A row, one field of a row, or undefined where a side removed the row. */
function rowText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "Removed";
  if ("url" in value && "name" in value) return `${String(value.name)}\n${String(value.url)}`;
  if (!("value" in value && "kind" in value)) return "";
  const labels: Partial<Record<string, string>> = contactMethodLabels;
  return `${labels[String(value.kind)] ?? ""}: ${String(value.value)}`;
}

function rowsText(value: unknown): string {
  return Array.isArray(value) ? value.map(rowText).join("\n") : "";
}
