import { maxLinks } from "#app/features/links/rules.ts";

export const importMessages = {
  noContactFile:
    "This is no contact file: it does not begin with BEGIN:VCARD. Export the contact as .vcf and choose that.",
  cutOff: "This file ends in the middle of the contact. Export it again and choose the new one.",
  nothing: "There is nothing in this file that a card can hold.",
  hint: "A contact that your phone or address book exported (.vcf). It is read here, and not kept.",
  linksOver: `web addresses beyond ${maxLinks} links`,
  choose: (listed: number, total: number) =>
    total > listed
      ? `This file holds ${total} contacts. These are the first ${listed}: which one is it?`
      : `This file holds ${total} contacts. Which one is it?`,
  filled: "Filled in. Look it over: nothing is saved until you save.",
  nameHint: "The card is called after the contact in your list. Visitors see the name of your profile.",
  leftOut: (what: readonly string[]) => `Left out: ${what.join(", ")}.`,
} as const;

/** What was not imported, as it follows "Left out:". */
export const leftOutLabels = {
  fax: "fax number",
  phone: "phone number",
  email: "e-mail address",
  address: "second address",
  url: "web address",
  social: "social profile",
  /**
   * By the name of a property (RFC 6350 §6, and what Apple, Google and Outlook add): a card has no field for it, or its line was not
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
    geo: "place on the map",
    key: "key",
    tel: "phone number",
    email: "e-mail address",
    adr: "address",
    url: "web address",
  } as Partial<Record<string, string>>,
  /** By the name of the form field that would refuse it: "email", "links.2". */
  invalid: (field: string) => `${fieldLabels[field.split(".")[0] ?? ""] ?? field} that a card can't hold`,
  counted: (what: string, count: number) => (count > 1 ? `${what} (${count})` : what),
};

const fieldLabels: Partial<Record<string, string>> = {
  card_name: "name",
  email: "e-mail address",
  emails: "e-mail address",
  phone: "phone number",
  phones: "phone number",
  profession: "title",
  position: "role",
  links: "web address",
  website: "web address",
};
