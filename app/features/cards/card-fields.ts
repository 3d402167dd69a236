import { mapFields, namesOf } from "#app/services/base/form-fields.ts";
import { oneLine, withoutDirectionMarks } from "#app/services/base/plain-text.ts";
import type { IconName } from "#app/ui/components/icon.tsx";

/**
 * The texts of a card that may be left empty and whose visibility the owner chooses. The form, its checks, the stored row, the conflict
 * notice, the public page and the contact file follow from this table, see "An optional card field" in docs/adding-a-feature.md.
 */
const declaredTextFields = {
  prefix: { label: "Prefix", hint: "Before the name, such as Dr.", maxLength: 40, autoComplete: "honorific-prefix" },
  suffix: { label: "Suffix", hint: "After the name, such as PhD", maxLength: 40, autoComplete: "honorific-suffix" },
  pronouns: {
    label: "Pronouns",
    maxLength: 40,
    isBesideName: true,
    isInNote: true,
    // RFC 9554 §3.4 defines PRONOUNS; older programs write X-PRONOUNS.
    importedFrom: ["pronouns", "x-pronouns"],
  },
  department: { label: "Department", maxLength: 100 },
  website: { label: "Website", maxLength: 2048, autoComplete: "url", isWebAddress: true, icon: "globe" },
} as const satisfies Record<string, OptionalTextField>;

/** A text of the form. */
export type TextField = {
  label: string;
  hint?: string;
  /** In UTF-16 code units. */
  maxLength?: number;
  /** The browser's autofill token; none by default. */
  autoComplete?: string;
  /** Accepts http and https addresses only, and gets the whole width of the form. */
  isWebAddress?: true;
};

export type OptionalTextField = TextField & {
  maxLength: number;
  /** On the page, after the name. */
  isBesideName?: true;
  /** On the page, in a row of its own with this icon. */
  icon?: IconName;
  /** In the contact file, as this property. */
  property?: string;
  /** In the contact file, as a line of the note, where vCard 3.0 has no property. */
  isInNote?: true;
  /** The properties of other programs' contact files, in lower case. */
  importedFrom?: readonly string[];
};

export type OptionalTextName = keyof typeof declaredTextFields;
export const optionalTextFields: Record<OptionalTextName, OptionalTextField> = declaredTextFields;
export const optionalTextNames = namesOf(optionalTextFields);
export const optionalTexts = optionalTextNames.map((name) => ({ name, ...optionalTextFields[name] }));

/** The lines of the postal address, in the order of the form. */
export const addressLines = {
  street: { label: "Street", maxLength: 200, autoComplete: "street-address" },
  city: { label: "City", maxLength: 100, autoComplete: "address-level2" },
  region: { label: "State or region", maxLength: 100, autoComplete: "address-level1" },
  postcode: { label: "Postal code", maxLength: 20, autoComplete: "postal-code" },
  country: { label: "Country", maxLength: 100, autoComplete: "country-name" },
} satisfies Record<string, TextField>;
export const addressFields = namesOf(addressLines);
export type AddressField = keyof typeof addressLines;
export type PostalAddress = Record<AddressField, string>;

/** Where a field with limited visibility appears: only on the card's page, or only in the contact file that visitors save. */
export const visibilities = ["page", "file"] as const;
export type Visibility = (typeof visibilities)[number];

/** Fields whose visibility is chosen once; each additional phone number and email address has its own. */
export const visibilityFields = ["email", "phone", ...optionalTextNames, "address"] as const;
export type VisibilityField = "email" | "phone" | OptionalTextName | "address";

/** The kinds of an additional phone number or email address; the card's own `phone` and `email` are those of work. */
export const phoneKinds = ["work", "mobile", "home"] as const;
export const emailKinds = ["work", "home"] as const satisfies ContactMethodKind[];
export type ContactMethodKind = (typeof phoneKinds)[number];
export const contactMethodLabels = { work: "Work", mobile: "Mobile", home: "Home" } satisfies Record<
  ContactMethodKind,
  string
>;

/** An additional phone number or email address; without `visibility` it appears on the page and in the contact file. */
export type ContactMethod = { kind: ContactMethodKind; value: string; visibility?: Visibility | undefined };

/** The fields of a card beside those that every card has. Empty text is "". */
export type OptionalFields = Record<OptionalTextName, string> & {
  phones: ContactMethod[];
  emails: ContactMethod[];
  address: PostalAddress;
  /** A field that is absent appears on the page and in the contact file. */
  visibility: Partial<Record<VisibilityField, Visibility>>;
};

/** Additional phone numbers, and additional email addresses, on one card. */
export const maxContactMethods = 5;
export const maxYearsExperience = 100;

/**
 * The texts that every card has, and the name of its owner's profile, whose limit is in characters. The limit of an email address: RFC
 * 5321 §4.5.3.1.3 less its brackets.
 */
export const ownTextFields = {
  displayName: { label: "Display name", maxLength: 50, autoComplete: "name" },
  cardName: { label: "Card name", maxLength: 100 },
  email: { label: "Email", maxLength: 254, autoComplete: "email" },
  phone: { label: "Phone", maxLength: 40, autoComplete: "tel" },
  profession: { label: "Profession / Title", maxLength: 100, autoComplete: "organization-title" },
  company: { label: "Company", maxLength: 100, autoComplete: "organization" },
  position: { label: "Position", maxLength: 100 },
} satisfies Record<string, TextField>;
export const maxLengths = mapFields(namesOf(ownTextFields), (name) => ownTextFields[name].maxLength);

/**
 * Longer text was not typed by hand: it is refused before it is normalized. Unicode composition (NFC) is quadratic in a run of
 * accents, so a megabyte of them would block the process for a minute.
 */
export const maxTypedLength = 5_000;

/** One line of a card as it is stored: without invisible characters, direction marks and line breaks. Far too long text is unchanged. */
export function cleanLine(typed: string): string {
  const text = withoutDirectionMarks(typed);
  return text.length > maxTypedLength ? text : oneLine(text);
}

/** No optional field filled in. A new object each time, because callers may change it. */
export function emptyOptionalFields(): OptionalFields {
  return {
    ...mapFields(optionalTextNames, () => ""),
    phones: [],
    emails: [],
    address: mapFields(addressFields, () => ""),
    visibility: {},
  };
}

/** A card as it appears on its page or in its contact file: fields that do not appear there are empty. */
export function cardVisibleOn<Card extends { email: string; phone: string } & OptionalFields>(
  target: Visibility,
  card: Card,
): Card {
  const isVisible = (visibility: Visibility | undefined) => visibility === undefined || visibility === target;
  const textOf = (field: "email" | "phone" | OptionalTextName) =>
    isVisible(card.visibility[field]) ? card[field] : "";
  return {
    ...card,
    ...mapFields(["email", "phone", ...optionalTextNames], textOf),
    phones: card.phones.filter(({ visibility }) => isVisible(visibility)),
    emails: card.emails.filter(({ visibility }) => isVisible(visibility)),
    address: isVisible(card.visibility.address) ? card.address : emptyOptionalFields().address,
  };
}

/** "Dr. Ada Lovelace, PhD". */
export function fullName(name: string, { prefix, suffix }: { prefix?: string | null; suffix?: string | null }): string {
  return [[prefix, name].filter(Boolean).join(" "), suffix].filter(Boolean).join(", ");
}

/** The lines of an address as on a letter, without empty ones. */
export function formatAddress({ street, city, region, postcode, country }: PostalAddress): string[] {
  return [street, [city, [region, postcode].filter(Boolean).join(" ")].filter(Boolean).join(", "), country].filter(
    Boolean,
  );
}
