import { addressFields, cleanLine, optionalTextNames, optionalTexts } from "./card-fields.ts";
import type { CardFormValues } from "./card-form.ts";
import type { CardInput } from "./schema.ts";

const sharedTexts = ["phone", "email", "profession", "company", "position", ...optionalTextNames] as const;

/** The fields that an owner's cards often have in common; an address only as a whole. */
const sharedFields = [...sharedTexts, "address"] as const;
type SharedField = (typeof sharedFields)[number];

/** Which other cards have the value of a card, by its fields: the ids. Fields that are empty or on no other card are absent. */
export type SharedValues = Partial<Record<SharedField, string[]>>;

export function findSharedValues(card: CardInput, others: readonly (CardInput & { id: string })[]): SharedValues {
  const found = sharedFields.map((field) => {
    const value = valueOf(card, field);
    return [field, value === "" ? [] : others.filter((other) => valueOf(other, field) === value).map(({ id }) => id)];
  });
  return Object.fromEntries(found.filter(([, ids]) => ids && ids.length > 0));
}

/** What a form changes that other cards have too, as "phone and company", and on how many; undefined for nothing. */
export function describeSharedChange(
  shared: SharedValues,
  { typed, stored }: { typed: CardFormValues; stored: CardFormValues },
): { names: string; count: number } | undefined {
  const isChanged = (field: SharedField) =>
    field === "address"
      ? addressFields.some((line) => cleanLine(typed[line]) !== stored[line])
      : cleanLine(typed[field]) !== stored[field];
  const changed = sharedFields.filter((field) => shared[field] && isChanged(field));
  if (changed.length === 0) return undefined;
  const names = new Intl.ListFormat("en").format(changed.map(nameOf));
  return { names, count: new Set(changed.flatMap((field) => shared[field] ?? [])).size };
}

/** Another card with the values that changed from `before` to `after`, where it had the old ones; undefined where it had none of them. */
export function applySharedChange<Other extends CardInput>(
  other: Other,
  { before, after }: { before: CardInput; after: CardInput },
): Other | undefined {
  const changed = sharedFields.filter((field) => {
    const old = valueOf(before, field);
    return old !== "" && old !== valueOf(after, field) && old === valueOf(other, field);
  });
  if (changed.length === 0) return undefined;
  return { ...other, ...Object.fromEntries(changed.map((field) => [field, after[field]])) };
}

/** As text that is equal for equal values; "" for an empty one. */
function valueOf(card: CardInput, field: SharedField): string {
  if (field !== "address") return card[field];
  const lines = addressFields.map((line) => card.address[line]);
  return lines.some(Boolean) ? lines.join("\n") : "";
}

function nameOf(field: SharedField): string {
  return optionalTexts.find(({ name }) => name === field)?.label.toLowerCase() ?? field;
}
