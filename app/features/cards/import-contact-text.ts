import { hostLabel, isAllowedAddress, maxLinks, withScheme } from "#app/features/links/rules.ts";
import { shortened } from "#app/services/plain-text.ts";

import { textOf } from "./card-text.ts";
import type { CardText, LinkText } from "./card-text.ts";
import { readCard } from "./form.ts";
import type { ContactProperty } from "./import-property.ts";
import { leftOut } from "./import-words.ts";
import { emailKinds, maxReach, noMore } from "./more-fields.ts";
import type { ReachKind } from "./more-fields.ts";
import type { ReachText } from "./more-text.ts";
import { maxLengths } from "./rules.ts";
import { cleaned } from "./sent-text.ts";

/** The properties of a contact that a card has a field for. */
export const wantedProperties: ReadonlySet<string> = new Set(
  "fn n org title role tel email adr url x-socialprofile socialprofile pronouns x-pronouns x-ablabel".split(" "),
);

/**
 * A card's form filled in from a contact, each field as the form itself would take it, and in words what did not fit. `others` are
 * the names of properties that nobody looked into. Undefined where there is nothing in it that a card can hold.
 */
export function contactText(
  properties: readonly ContactProperty[],
  others: ReadonlySet<string>,
): { text: CardText; left: string[] } | undefined {
  const left = new Map<string, number>();
  const miss = (what: string) => left.set(what, (left.get(what) ?? 0) + 1);
  for (const name of others) if (leftOut.unread[name]) miss(leftOut.unread[name]);
  const of = (...names: string[]) => properties.filter(({ name }) => names.includes(name));
  const text: CardText = {
    ...blank(),
    ...names(of("fn", "n"), of("org")),
    ...work(of("title"), of("role")),
    ...phones(of("tel"), miss),
    ...emails(of("email"), miss),
    ...address(of("adr"), miss),
    ...addresses(of("url", "x-socialprofile", "socialprofile"), { labels: of("x-ablabel"), miss }),
    pronouns: firstOf(of("pronouns", "x-pronouns")),
  };
  const right = withoutWrong(text, miss);
  const isEmpty = Object.values(right).every((value) => typeof value !== "string" || value === "");
  if (isEmpty && right.links.length + right.phones.length + right.emails.length === 0) return undefined;
  // A name of signs that nobody can see is no name.
  const seen = [right.card_name, right.company, right.email, right.phone].find((words) =>
    /[\p{L}\p{N}\p{P}\p{S}]/u.test(words),
  );
  const card_name = shortened(seen ?? "Imported card", maxLengths.card_name);
  return { text: { ...right, card_name }, left: [...left].map(([what, count]) => leftOut.counted(what, count)) };
}

type Properties = readonly ContactProperty[];
type Miss = (what: string) => void;

function blank(): CardText {
  const nothing = { cardName: "", profession: "", company: "", position: "", email: "", phone: "" };
  return textOf({ ...nothing, yearsExperience: null, links: [], isPublic: true, more: noMore() });
}

/** The name on the card is the profile's: the contact's names the card in its owner's list. */
function names(own: Properties, organisations: Properties) {
  const [family = "", given = "", additional = "", prefix = "", suffix = ""] =
    own.find(({ name }) => name === "n")?.parts ?? [];
  const [company = "", ...units] = organisations[0]?.parts ?? [];
  const name =
    firstOf(own.filter(({ name }) => name === "fn")) || [given, additional, family].filter(Boolean).join(" ");
  return {
    card_name: shortened([name, company].map(cleaned).filter(Boolean).join(", "), maxLengths.card_name),
    prefix: cleaned(prefix),
    suffix: cleaned(suffix),
    company: cleaned(company),
    department: cleaned(units.filter(Boolean).join(", ")),
  };
}

/** Our own contact files say both in one title: "Mathematician · Head of Research". */
function work(titles: Properties, roles: Properties) {
  const [first = "", second = ""] = [...titles, ...roles].map(({ parts }) => cleaned(parts.join(" ")));
  const [profession = "", position = ""] = second ? [first, second] : first.split(" · ", 2);
  return { profession, position };
}

function phones(properties: Properties, miss: Miss) {
  const spoken = properties.filter(({ kinds }) => {
    const isOther = kinds.some((kind) => /fax|pager|modem|textphone/.test(kind));
    if (isOther) miss(leftOut.fax);
    return !isOther;
  });
  const { main, more } = reaches(spoken, withoutScheme, miss);
  return { phone: main, phones: more };
}

function emails(properties: Properties, miss: Miss) {
  const { main, more } = reaches(properties, withoutScheme, miss);
  return {
    email: main,
    emails: more.map((row) => ({ ...row, kind: emailKinds.find((kind) => kind === row.kind) ?? "work" })),
  };
}

/** The one to use first is the card's own: that of work, else the preferred one, else the first. */
function reaches(properties: Properties, read: (value: string) => string, miss: Miss) {
  const all = properties.flatMap(({ name, kinds, parts }) => {
    const value = cleaned(read(parts[0] ?? ""));
    return value ? [{ name, value, kind: kindOf(kinds), rank: rankOf(kinds) }] : [];
  });
  const once = all.filter((reach, at) => all.findIndex(({ value }) => value === reach.value) === at);
  const main = once.toSorted((one, other) => one.rank - other.rank)[0];
  const rest = once.filter((reach) => reach !== main);
  for (const { name } of rest.slice(maxReach)) miss(name === "tel" ? leftOut.phone : leftOut.email);
  const more = rest
    .slice(0, maxReach)
    .map(({ kind, value }, at): ReachText => ({ id: `file-${at}`, kind, value, shown: "" }));
  return { main: main?.value ?? "", more };
}

function kindOf(kinds: readonly string[]): ReachKind {
  if (kinds.some((kind) => /cell|mobile|iphone/.test(kind))) return "mobile";
  return kinds.includes("home") ? "home" : "work";
}

function rankOf(kinds: readonly string[]): number {
  if (kinds.includes("work")) return kinds.includes("pref") ? 0 : 1;
  return kinds.includes("pref") ? 2 : 3;
}

/** vCard 4.0 says "tel:+1-555;ext=5". */
function withoutScheme(value: string): string {
  return value.replace(/^(?:tel|mailto):/i, "").replace(/;ext=/i, " ext. ");
}

/** RFC 6350 §6.3.1: post office box; extended address; street; city; region; postal code; country. */
function address(properties: Properties, miss: Miss) {
  const filled = properties.filter(({ parts }) => parts.some(Boolean));
  const chosen = filled.find(({ kinds }) => kinds.includes("work")) ?? filled[0];
  for (const one of filled) if (one !== chosen) miss(leftOut.address);
  const [box = "", extended = "", street = "", city = "", region = "", postcode = "", country = ""] = (
    chosen?.parts ?? []
  ).map((part) => cleaned(part.replace(/[\r\n]+/g, ", ")));
  return { street: [street, extended, box].filter(Boolean).join(", "), city, region, postcode, country };
}

type Context = { labels: Properties; miss: Miss };

/** The first address of the web is the card's own, further ones are links. */
function addresses(properties: Properties, { labels, miss }: Context) {
  const links: LinkText[] = [];
  let website = "";
  for (const { name, group, kinds, parts } of properties) {
    const url = withScheme(cleaned(parts.join(",")));
    if (!isAllowedAddress(url)) miss(name === "url" ? leftOut.url : leftOut.social);
    else if (name === "url" && !website && /^https?:/.test(url)) website = url;
    else if (links.length >= maxLinks) miss(leftOut.url);
    else if (url !== website && !links.some((link) => link.url === url)) {
      const label = group && labels.find((one) => one.group === group)?.parts.join(" ");
      const said =
        label || (name === "url" ? "" : kinds.find((kind) => kind !== "pref" && kind !== "work" && kind !== "home"));
      links.push({
        id: `file-${links.length}`,
        name: linkName(said ?? "") || shortened(hostLabel(url), maxLinkName),
        url,
      });
    }
  }
  return { website, links };
}

/** Apple marks its own labels: "_$!<HomePage>!$_". */
function linkName(label: string): string {
  const words = cleaned(label.replace(/^_\$!<(.*)>!\$_$/, "$1"));
  return shortened(words.charAt(0).toUpperCase() + words.slice(1), maxLinkName);
}

/** Asks the form, and takes out what it would refuse. A link that is taken out leaves the others where they are until the end. */
function withoutWrong(text: CardText, miss: Miss): CardText {
  const read = readCard({ ...text, card_name: text.card_name || "-" });
  if ("change" in read) return text;
  const wrong = Object.keys(read.errors);
  for (const name of new Set(wrong.map((path) => path.split(".").slice(0, 2).join(".")))) miss(leftOut.wrong(name));
  const isRight = (list: string) => (_: unknown, row: number) =>
    !wrong.some((path) => path.startsWith(`${list}.${row}.`));
  const lines = Object.fromEntries(wrong.filter((path) => !path.includes(".")).map((path) => [path, ""]));
  return {
    ...text,
    ...lines,
    phones: text.phones.filter(isRight("phones")),
    emails: text.emails.filter(isRight("emails")),
    links: text.links.filter(isRight("links")),
  };
}

function firstOf(properties: Properties): string {
  return cleaned(properties.find(({ parts }) => parts.some(Boolean))?.parts.join(" ") ?? "");
}

const maxLinkName = 60;
