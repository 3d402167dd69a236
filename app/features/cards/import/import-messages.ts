import { optionalTexts } from "#app/features/cards/card-fields.ts";

export const importMessages = {
  noContactFile:
    "This is neither a contact file nor LinkedIn data. Choose a .vcf file, the ZIP file from LinkedIn, or its Profile.csv.",
  cutOff: "This contact file is incomplete. Export it again and choose the new one.",
  unreadable: "The characters of this contact can’t be read. Export it again as UTF-8 and choose the new file.",
  nothing: "This contact has no details that can be imported.",
  hint: "A contact exported from your phone or address book (.vcf), or your LinkedIn data (.zip, Profile.csv): at LinkedIn, Settings > Data privacy > Get a copy of your data. The file isn’t stored.",
  linksOver: (limit: number) => `web addresses over the limit of ${limit}`,
  choose: (listed: number, total: number) =>
    total > listed
      ? `This file contains ${total} contacts. Choose one of the first ${listed}:`
      : `This file contains ${total} contacts. Choose one:`,
  filled: "Imported. Check the fields, then save.",
  nameHint: "The contact’s name is used in your list of cards. Visitors see your profile’s name.",
  leftOut: (what: readonly string[]) => `Skipped: ${what.join(", ")}.`,
} as const;

/** What was not imported, as it follows "Skipped:". */
export const leftOutLabels = {
  fax: "fax number",
  phone: "phone number",
  email: "email address",
  address: "additional address",
  url: "web address",
  social: "social profile",
  /**
   * By the name of a property (RFC 6350 §6, and what Apple, Google, Outlook and LinkedIn add): a card has no field for it, or its line was not
   * readable (tel, email, adr, url). Other properties are not mentioned.
   */
  skippedProperties: {
    photo: "photo",
    logo: "logo",
    sound: "sound",
    bday: "birthday",
    anniversary: "anniversary",
    "x-anniversary": "anniversary",
    note: "note",
    nickname: "nickname",
    impp: "chat address",
    "x-skype": "chat address",
    categories: "categories",
    related: "related people",
    "x-abrelatednames": "related people",
    gender: "gender",
    lang: "languages",
    geo: "location",
    headline: "headline",
    summary: "summary",
    key: "encryption key",
    tel: "phone number",
    email: "email address",
    adr: "address",
    url: "web address",
  } as Partial<Record<string, string>>,
  /** By the name of the form field that would refuse it: "email", "links.2". */
  invalid: (field: string) => `${fieldLabel(field.split(".")[0] ?? "")} (invalid or too long)`,
  /** By the name of a property. */
  unreadable: (property: string) => `${propertyLabels[property] ?? "web address"} (unreadable characters)`,
  counted: (what: string, count: number) => (count > 1 ? `${what} (${count})` : what),
};

function fieldLabel(field: string): string {
  return fieldLabels[field] ?? optionalTexts.find(({ name }) => name === field)?.label.toLowerCase() ?? field;
}

const propertyLabels: Partial<Record<string, string>> = {
  n: "name",
  fn: "name",
  org: "company",
  title: "title",
  role: "title",
  tel: "phone number",
  email: "email address",
  adr: "address",
  "x-ablabel": "label",
  ...Object.fromEntries(
    optionalTexts.flatMap(({ label, importedFrom = [] }) => importedFrom.map((name) => [name, label.toLowerCase()])),
  ),
};

const fieldLabels: Partial<Record<string, string>> = {
  card_name: "name",
  email: "email address",
  emails: "email address",
  phone: "phone number",
  phones: "phone number",
  profession: "title",
  position: "position",
  links: "web address",
  website: "web address",
};
