import { findPlan } from "#app/features/billing/data.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { includesAccent } from "#app/features/cards/card-design.ts";
import { designFieldTexts } from "#app/features/cards/card-design-form.ts";
import { contactMethodLabels, maxContactMethods, visibilityFields } from "#app/features/cards/card-fields.ts";
import type { VisibilityField } from "#app/features/cards/card-fields.ts";
import {
  isSameCard,
  textFields,
  toFormValues,
  toUncheckedCard,
  visibilityLabels,
} from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { findOwnCard, insertCard, listCards, writeCard } from "#app/features/cards/data.server.ts";
import type { CreateCardResult } from "#app/features/cards/data.server.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import type { Card, CardInput } from "#app/features/cards/schema.ts";
import { applySharedChange } from "#app/features/cards/shared-value-rules.ts";
import { linkLimit } from "#app/features/links/rules.ts";
import { mapFields, namesOf, recordOf } from "#app/services/base/form-fields.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import type { MergeConflict } from "#app/ui/forms/merge-values.ts";
import { toConflictFields } from "#app/ui/forms/versioned-values.ts";
import type {
  ConflictField,
  ConflictList,
  ConflictTexts,
  FieldText,
  MergeRequest,
  SaveConflict,
} from "#app/ui/forms/versioned-values.ts";

/** A form that passed the checks. `displayName` belongs to the profile; undefined for a form without that field. */
type CardChange = { change: CardInput; displayName: string | undefined; version: number; request: MergeRequest };

/** `isNew`: the card is created unless the same form has done so. `isForAll`: other cards with the same values change too. */
type CardSave = CardChange & { ownerId: string; id: string; isNew: boolean; isForAll: boolean; profile: StoredName };

/** The name of the profile, in the transaction that saves the card. */
export type StoredName = {
  readName: (trx: Trx) => Promise<string>;
  writeName: (trx: Trx, name: string) => Promise<void>;
};

/** `isAccentKept`: the plan doesn't include the chosen color, so the card has the one of before. */
type CardSaveResult =
  | { kind: "created"; isAccentKept: boolean }
  | { kind: "updated"; isAccentKept: boolean; others: number }
  | { kind: "conflict"; conflict: SaveConflict }
  | { kind: "too-many-links"; max: number }
  | { kind: "limit"; plan: Plan }
  | { kind: "missing" }
  | Extract<CreateCardResult, { kind: "rate-limited" | "gone" }>;

type Deps = Pick<Services, "db" | "events" | "rateLimits" | "clock" | "config">;

/**
 * Saves a card and the name of the profile, or neither, and creates the card when it is new. A form that created a card and is sent again,
 * because its owner went back to it, changes that card.
 */
export async function saveCardChange(deps: Deps, card: CardSave): Promise<CardSaveResult> {
  const { db, clock, config } = deps;
  return transact(db, async (trx) => {
    await lockOwner(trx, card.ownerId);
    const plan = await findPlan({ db: trx, clock, config }, card.ownerId);
    const stored = { card: await findOwnCard(trx, card), displayName: await card.profile.readName(trx) };
    if (!stored.card && !card.isNew) return { kind: "missing" };
    const maxLinks = linkLimit(plan, stored.card?.links.length ?? 0);
    if (card.change.links.length > maxLinks) return { kind: "too-many-links", max: maxLinks };
    const { design } = card.change;
    const accent = includesAccent(plan, design.accent) ? design.accent : (stored.card?.design.accent ?? "");
    const change = { ...card.change, design: { ...design, accent } };
    const checked = { ...card, change, plan, maxLinks, isAccentKept: accent !== design.accent };
    return stored.card
      ? updateCard(trx, deps, { ...checked, stored: { ...stored, card: stored.card } })
      : createCard(trx, deps, { ...checked, stored });
  });
}

type CheckedSave = CardSave & { plan: Plan; maxLinks: number; isAccentKept: boolean };

async function createCard(
  trx: Trx,
  deps: Deps,
  { stored, ...card }: CheckedSave & { stored: { displayName: string } },
): Promise<CardSaveResult> {
  const merged = mergeDisplayName(card, stored.displayName);
  if ("conflicts" in merged) return { kind: "conflict", conflict: { version: 0, fields: merged.conflicts } };
  const { plan } = card;
  const result = await insertCard(trx, deps, { ...card, now: deps.clock() });
  if (result.kind === "limit") return { kind: "limit", plan };
  if (result.kind === "rate-limited" || result.kind === "gone") return result;
  if (merged.displayName !== stored.displayName) await card.profile.writeName(trx, merged.displayName);
  return { kind: "created", isAccentKept: card.isAccentKept };
}

async function updateCard(
  trx: Trx,
  { events, clock }: Deps,
  { stored, ...card }: CheckedSave & { stored: { card: Card; displayName: string } },
): Promise<CardSaveResult> {
  const { ownerId, id, isAccentKept } = card;
  if (card.isNew && isSameCard(stored.card, card.change)) return { kind: "created", isAccentKept };
  const merged = mergeCard(card, stored);
  if ("conflicts" in merged)
    return { kind: "conflict", conflict: { version: stored.card.version, fields: merged.conflicts } };
  if (merged.displayName !== stored.displayName) await card.profile.writeName(trx, merged.displayName);
  const now = clock();
  await writeCard(trx, events, { ownerId, id, change: merged.change, now });
  const change = { before: stored.card, after: merged.change };
  const cards = card.isForAll ? await listCards(trx, ownerId) : [];
  const others = cards.flatMap((other) => (other.id === id ? [] : (applySharedChange(other, change) ?? [])));
  for (const other of others) await writeCard(trx, events, { ownerId, id: other.id, change: other, now });
  return { kind: "updated", isAccentKept, others: others.length };
}

/** Merges a form with the stored card and the stored name of the profile. `conflicts` are the fields that both changed. */
export function mergeCard(
  { change, displayName, version, request, maxLinks }: CardChange & { maxLinks: number },
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
  { displayName, request }: Pick<CardChange, "displayName" | "request">,
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
