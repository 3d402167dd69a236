import { designFormFields } from "#app/features/cards/card-design-form.ts";
import { defaultDesign } from "#app/features/cards/card-design.ts";
import {
  cleanLine,
  emailKinds,
  emptyOptionalFields,
  maxContactMethods,
  maxLengths,
  optionalTexts,
} from "#app/features/cards/card-fields.ts";
import type { ContactMethodKind } from "#app/features/cards/card-fields.ts";
import { toFormErrors, toFormValues, toUncheckedCard } from "#app/features/cards/card-form.ts";
import type { CardFormValues, ContactMethodValues, LinkValues } from "#app/features/cards/card-form.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import { decodeTextFile } from "#app/features/links/import-file.ts";
import { hostLabel, isAllowedAddress, maxStoredLinks, withScheme } from "#app/features/links/rules.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import { shortened } from "#app/services/base/plain-text.ts";

import { importMessages, leftOutLabels } from "./import-messages.ts";
import type { ContactImportResult, ImportedContact } from "./import-result.ts";
import { isContactFile, readProperties, splitContactFile } from "./vcard-parser.ts";
import type { VCardProperty } from "./vcard-parser.ts";

/**
 * The contacts of a vCard file (2.1, 3.0 or 4.0) as the values of a card's form, at most the first 20; or a sentence that says why the file
 * can't be used. Takes time linear in the size of the file.
 */
export function readContactFile(bytes: Uint8Array): ContactImportResult {
  const file = decodeTextFile(bytes);
  if ("problem" in file) return file;
  if (!isContactFile(file.text)) return { problem: importMessages.noContactFile };
  const raw = Buffer.from(bytes).toString("latin1");
  const isUtf16 = /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(raw);
  const { cards, total } = splitContactFile(isUtf16 ? Buffer.from(file.text).toString("latin1") : raw, maxContacts);
  const complete = cards.filter(({ isComplete }) => isComplete);
  if (complete.length === 0) return { problem: importMessages.cutOff };
  const read = complete.map((card) => readProperties(card, wantedProperties));
  const contacts = read.flatMap((card) => contactToForm(card) ?? []);
  if (contacts.length > 0) return { contacts, total: Math.max(total, contacts.length) };
  const isUnreadable = read.some(({ unreadable }) => unreadable.size > 0);
  return { problem: isUnreadable ? importMessages.unreadable : importMessages.nothing };
}

/** A reasonable number to choose from. */
const maxContacts = 20;

/** Optional texts that have properties of their own. */
const imported = optionalTexts
  .map(({ name, importedFrom = [] }) => [name, importedFrom] as const)
  .filter(([, from]) => from.length > 0);
/** The properties of a contact that a card has a field for. */
const wantedProperties: ReadonlySet<string> = new Set([
  ..."fn n org title role tel email adr url x-socialprofile socialprofile x-ablabel".split(" "),
  ...imported.flatMap(([, from]) => from),
]);

/**
 * The values of a card's form for a contact, each as the form would accept it, and as text what a card has no field for or was not
 * readable. Undefined when the contact holds nothing for a card.
 */
export function contactToForm({
  properties,
  skipped,
  unreadable,
}: ReturnType<typeof readProperties>): ImportedContact | undefined {
  const leftOut = new Map<string, number>();
  const reportLeftOut = (what: string) => leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
  for (const name of skipped)
    if (leftOutLabels.skippedProperties[name]) reportLeftOut(leftOutLabels.skippedProperties[name]);
  for (const what of new Set([...unreadable].map(leftOutLabels.unreadable))) reportLeftOut(what);
  const named = (...names: string[]) => properties.filter(({ name }) => names.includes(name));
  const labels = named("x-ablabel");
  const values: CardFormValues = {
    ...emptyForm(),
    ...nameFields(named("fn", "n"), named("org")),
    ...jobFields(named("title"), named("role")),
    ...phoneFields(withLabelKinds(named("tel"), labels), reportLeftOut),
    ...emailFields(withLabelKinds(named("email"), labels), reportLeftOut),
    ...postalFields(named("adr"), reportLeftOut),
    ...webFields(named("url", "x-socialprofile", "socialprofile"), { labels, reportLeftOut }),
    ...Object.fromEntries(imported.map(([name, from]) => [name, firstValue(named(...from))])),
  };
  const valid = withoutInvalid(values, reportLeftOut);
  const isEmpty = Object.values(valid).every((value) => typeof value !== "string" || value === "");
  if (isEmpty && valid.links.length + valid.phones.length + valid.emails.length === 0) return undefined;
  // A name needs at least one visible character.
  const visibleName = [valid.card_name, valid.company, valid.email, valid.phone].find((text) =>
    /[\p{L}\p{N}\p{P}\p{S}]/u.test(text),
  );
  const card_name = shortened(visibleName ?? "Imported card", maxLengths.cardName);
  return {
    values: { ...valid, card_name },
    leftOut: [...leftOut].map(([what, count]) => leftOutLabels.counted(what, count)),
  };
}

type Properties = readonly VCardProperty[];
type ReportLeftOut = (what: string) => void;

/** A contact has none: the form keeps its own. */
const noDesign = mapFields(designFormFields, () => "");

function emptyForm(): CardFormValues {
  const emptyTexts = { cardName: "", profession: "", company: "", position: "", email: "", phone: "" };
  const unset = { yearsExperience: null, links: [], isPublic: true, design: defaultDesign };
  return { ...toFormValues({ ...emptyTexts, ...unset, ...emptyOptionalFields() }), ...noDesign };
}

/** The card shows the profile's name: the contact's name becomes the card's title in its owner's list. */
function nameFields(own: Properties, organizations: Properties) {
  const [family = "", given = "", additional = "", prefix = "", suffix = ""] =
    own.find(({ name }) => name === "n")?.parts ?? [];
  const [company = "", ...units] = organizations[0]?.parts ?? [];
  const name =
    firstValue(own.filter(({ name }) => name === "fn")) || [given, additional, family].filter(Boolean).join(" ");
  return {
    card_name: shortened([name, company].map(cleanLine).filter(Boolean).join(", "), maxLengths.cardName),
    prefix: cleanLine(prefix),
    suffix: cleanLine(suffix),
    company: cleanLine(company),
    department: cleanLine(units.filter(Boolean).join(", ")),
  };
}

/** Our own contact files hold both in one title: "Mathematician · Head of Research". */
function jobFields(titles: Properties, roles: Properties) {
  const [first = "", second = ""] = [...titles, ...roles].map(({ parts }) => cleanLine(parts.join(" ")));
  const [profession = "", position = ""] = second ? [first, second] : first.split(" · ", 2);
  return { profession, position };
}

/** "WORK.TEL" and what X-ABLabel says about the number of its group ("Work Fax") are kinds, too. */
function withLabelKinds(properties: Properties, labels: Properties): Properties {
  return properties.map((property) => {
    const words = labelOf(property, labels).toLowerCase().split(/\s+/);
    return { ...property, kinds: [...property.kinds, property.group, ...words] };
  });
}

/** Apple's own labels look like "_$!<HomePage>!$_". */
function labelOf({ group }: VCardProperty, labels: Properties): string {
  const label = group && labels.find((one) => one.group === group)?.parts.join(" ");
  return cleanLine((label ?? "").replace(/^_\$!<(.*)>!\$_$/, "$1"));
}

function phoneFields(properties: Properties, reportLeftOut: ReportLeftOut) {
  const voiceNumbers = properties.filter(({ kinds }) => {
    const isOther = kinds.some((kind) => /fax|pager|modem|textphone/.test(kind));
    if (isOther) reportLeftOut(leftOutLabels.fax);
    return !isOther;
  });
  const { main, more } = splitContactMethods(voiceNumbers, withoutScheme, reportLeftOut);
  return { phone: main, phones: more };
}

function emailFields(properties: Properties, reportLeftOut: ReportLeftOut) {
  const { main, more } = splitContactMethods(properties, emailAddress, reportLeftOut);
  return {
    email: main,
    emails: more.map((row) => ({ ...row, kind: emailKinds.find((kind) => kind === row.kind) ?? "work" })),
  };
}

/** The card's own is the first of: work, preferred, any, home. The rest become additional ones. */
function splitContactMethods(properties: Properties, read: (value: string) => string, reportLeftOut: ReportLeftOut) {
  const all = properties.flatMap(({ name, kinds, parts }) => {
    const value = cleanLine(read(parts[0] ?? ""));
    return value ? [{ name, value, kind: contactMethodKind(kinds), rank: contactMethodRank(kinds) }] : [];
  });
  const unique = all.filter((method, index) => all.findIndex(({ value }) => value === method.value) === index);
  const main = unique.toSorted((one, other) => one.rank - other.rank)[0];
  const rest = unique.filter((method) => method !== main);
  for (const { name } of rest.slice(maxContactMethods))
    reportLeftOut(name === "tel" ? leftOutLabels.phone : leftOutLabels.email);
  const more = rest
    .slice(0, maxContactMethods)
    .map(({ kind, value }, index): ContactMethodValues => ({ id: `file-${index}`, kind, value, visibility: "" }));
  return { main: main?.value ?? "", more };
}

function contactMethodKind(kinds: readonly string[]): ContactMethodKind {
  if (kinds.some((kind) => /cell|mobil|iphone/.test(kind))) return "mobile";
  return kinds.includes("home") ? "home" : "work";
}

function contactMethodRank(kinds: readonly string[]): number {
  const rank = kinds.includes("work") ? 0 : kinds.includes("home") ? 4 : 2;
  return kinds.includes("pref") ? rank : rank + 1;
}

/** "Ada <ada@example.com>" -> "ada@example.com". */
function emailAddress(value: string): string {
  const text = value.trimEnd();
  return withoutScheme(text.endsWith(">") ? text.slice(text.lastIndexOf("<") + 1, -1) : text);
}

/** vCard 4.0: "tel:+1-555;ext=5". */
function withoutScheme(value: string): string {
  return value.replace(/^(?:tel|mailto):/i, "").replace(/;ext=/i, " ext. ");
}

/** RFC 6350 §6.3.1: post office box; extended address; street; city; region; postal code; country. */
function postalFields(properties: Properties, reportLeftOut: ReportLeftOut) {
  const filled = properties.filter(({ parts }) => parts.some(Boolean));
  const chosen = filled.find(({ kinds }) => kinds.includes("work")) ?? filled[0];
  for (const one of filled) if (one !== chosen) reportLeftOut(leftOutLabels.address);
  const [box = "", extended = "", street = "", city = "", region = "", postcode = "", country = ""] = (
    chosen?.parts ?? []
  ).map((part) => cleanLine(part.replace(/[\r\n]+/g, ", ")));
  return { street: [street, extended, box].filter(Boolean).join(", "), city, region, postcode, country };
}

type WebContext = { labels: Properties; reportLeftOut: ReportLeftOut };

/** The first web address that has no label of its own becomes the card's website, the others links. */
function webFields(properties: Properties, { labels, reportLeftOut }: WebContext) {
  const links: LinkValues[] = [];
  let website = "";
  for (const property of properties) {
    const { name, kinds, parts } = property;
    const url = withScheme(cleanLine(parts.join(",")));
    const label = labelOf(property, labels);
    const isWebsite = name === "url" && !website && /^https?:/.test(url) && websiteLabel.test(label);
    if (!isAllowedAddress(url)) reportLeftOut(name === "url" ? leftOutLabels.url : leftOutLabels.social);
    else if (isWebsite) website = url;
    else if (links.length >= maxStoredLinks) reportLeftOut(leftOutLabels.url);
    else if (url !== website && !links.some((link) => link.url === url)) {
      const network = name === "url" ? "" : kinds.find((kind) => !["pref", "work", "home"].includes(kind));
      const linkName = shortened(capitalized(label || (network ?? "")), maxLinkName);
      links.push({ id: `file-${links.length}`, name: linkName || shortened(hostLabel(url), maxLinkName), url });
    }
  }
  return { website, links: links.filter((link) => link.url !== website) };
}

const websiteLabel = /^(?:home ?page|home|work|web ?site|web|url)?$/i;

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Removes what the form would refuse. All rows are checked before any is removed, because errors name their row. */
function withoutInvalid(values: CardFormValues, reportLeftOut: ReportLeftOut): CardFormValues {
  const parsed = parseCard(toUncheckedCard({ ...values, card_name: values.card_name || "-" }));
  if ("change" in parsed) return values;
  const invalid = Object.keys(toFormErrors(parsed.errors));
  for (const name of new Set(invalid.map((path) => path.split(".").slice(0, 2).join("."))))
    reportLeftOut(leftOutLabels.invalid(name));
  const isValid = (list: string) => (_: unknown, row: number) =>
    !invalid.some((path) => path.startsWith(`${list}.${row}.`));
  const clearedTexts = Object.fromEntries(invalid.filter((path) => !path.includes(".")).map((path) => [path, ""]));
  return {
    ...values,
    ...clearedTexts,
    phones: values.phones.filter(isValid("phones")),
    emails: values.emails.filter(isValid("emails")),
    links: values.links.filter(isValid("links")),
  };
}

function firstValue(properties: Properties): string {
  return cleanLine(properties.find(({ parts }) => parts.some(Boolean))?.parts.join(" ") ?? "");
}

const maxLinkName = 60;
