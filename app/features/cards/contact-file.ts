import { isAllowedAddress } from "#app/features/links/rules.ts";
import { oneLine, paragraph } from "#app/services/plain-text.ts";

import { addressLines, fullName } from "./more-fields.ts";
import type { Address, Reach, ReachKind } from "./more-fields.ts";
import { structuredName } from "./structured-name.ts";

export type Contact = {
  displayName: string;
  profession?: string | null;
  company?: string | null;
  position?: string | null;
  email?: string | null;
  phone?: string | null;
  yearsExperience?: number | null;
  bio?: string | null;
  prefix?: string;
  suffix?: string;
  pronouns?: string;
  department?: string;
  /** Further ones; `email` and `phone` are those of work. */
  emails?: readonly Reach[];
  phones?: readonly Reach[];
  website?: string;
  address?: Address;
  links: readonly { name: string; url: string }[];
  /** The whole public address of the card. */
  cardUrl: string;
  /** Never changes while the card lives: address books replace the contact of the same UID. */
  uid: string;
  /** Epoch milliseconds. */
  updatedAt: number;
  /** A JPEG in base64. */
  photo?: string | null;
};

/**
 * A card as a contact file: vCard 3.0 (RFC 2426), lines of at most 75 octets that end in CRLF, only properties with a value.
 * The first URL is the card itself, the one that stays right. TITLE is profession and position ("Mathematician · Head of Research"):
 * phones show TITLE alone, and would lose what stands in ROLE. Pronouns stand in the NOTE: vCard 3.0 has no property for them, and
 * phones drop those that begin with X-.
 */
export function contactFile(contact: Contact): string {
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    ...names(contact),
    organisation(contact),
    textLine("TITLE", title(contact)),
    ...reaches("EMAIL", contact.email, contact.emails),
    ...reaches("TEL", contact.phone, contact.phones),
    postalAddress(contact.address),
    ...addresses(contact).map((address) => `URL:${address}`),
    textLine("NOTE", note(contact), paragraph),
    photo(contact.photo ?? ""),
    textLine("UID", uuid.test(contact.uid) ? `urn:uuid:${contact.uid}` : contact.uid),
    textLine("REV", timestamp(contact.updatedAt)),
    "END:VCARD",
  ];
  return lines.map((line) => line && `${folded(line)}\r\n`).join("");
}

/** N, which phones show, and FN, which the rest of the world does. RFC 2426 §3.1 */
function names(contact: Contact): string[] {
  const name = oneLine(contact.displayName) || "Professional";
  const prefix = oneLine(contact.prefix ?? "");
  const suffix = oneLine(contact.suffix ?? "");
  const [family, given, additional, , titles] = structuredName(name);
  const parts = [family, given, additional, prefix, [titles, suffix].filter(Boolean).join(", ")];
  return [`N:${parts.map(escaped).join(";")}`, `FN:${escaped(fullName(name, { prefix, suffix }))}`];
}

/** RFC 2426 §3.5.5: the company, then its parts from large to small. */
function organisation({ company, department }: Contact): string {
  const parts = [oneLine(company ?? ""), oneLine(department ?? "")];
  return parts.some(Boolean) ? `ORG:${(parts[1] ? parts : parts.slice(0, 1)).map(escaped).join(";")}` : "";
}

/** The card's own is that of work, and the one to use first. */
function reaches(property: keyof typeof kinds, own: string | null | undefined, more: readonly Reach[] = []): string[] {
  const all = [{ kind: "work" as const, value: own ?? "" }, ...more].filter(({ value }) => oneLine(value));
  return all.map(({ kind, value }, at) => {
    const first = at === 0 && all.length > 1 ? ",PREF" : "";
    return textLine(`${property};TYPE=${kinds[property][kind]}${first}`, value);
  });
}

const kinds = {
  EMAIL: { work: "INTERNET,WORK", mobile: "INTERNET,HOME", home: "INTERNET,HOME" },
  TEL: { work: "WORK,VOICE", mobile: "CELL,VOICE", home: "HOME,VOICE" },
} satisfies Record<string, Record<ReachKind, string>>;

/** RFC 2426 §3.2.1: post office box and extended address stay empty; all of the street is in its part. */
function postalAddress(address: Address | undefined): string {
  const parts = addressLines.map((line) => oneLine(address?.[line] ?? ""));
  return parts.some(Boolean) ? `ADR;TYPE=WORK:;;${parts.map(escaped).join(";")}` : "";
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A property whose value is text, or "" when there is nothing to say. */
function textLine(property: string, value: string | null | undefined, cleaned = oneLine): string {
  const text = cleaned(value ?? "");
  return text && `${property}:${escaped(text)}`;
}

/** RFC 2426 §4 and §5: backslash, comma, semicolon and line break can't stand bare in a text. */
function escaped(text: string): string {
  return text.replace(/[\\,;]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
}

/** Nothing but base64 goes out as a photo. */
function photo(base64: string): string {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? `PHOTO;ENCODING=b;TYPE=JPEG:${base64}` : "";
}

function title({ profession, position }: Contact): string {
  return [...new Set([oneLine(profession ?? ""), oneLine(position ?? "")])].filter(Boolean).join(" · ");
}

function note({ bio, yearsExperience, pronouns }: Contact): string {
  const hasYears = typeof yearsExperience === "number" && Number.isFinite(yearsExperience);
  const years = hasYears ? `${yearsExperience} ${yearsExperience === 1 ? "year" : "years"} of experience` : "";
  const said = oneLine(pronouns ?? "");
  const facts = [years, said && `Pronouns: ${said}`].filter(Boolean).join("\n");
  return [paragraph(bio ?? ""), facts].filter(Boolean).join("\n\n");
}

/** A URL has no escapes of its own in RFC 2426, and readers differ: what they might take for one is percent-encoded. */
function addresses({ cardUrl, website = "", links }: Contact): string[] {
  const all = [cardUrl, website, ...links.map((link) => link.url)]
    .filter(isAllowedAddress)
    .flatMap((url) => URL.parse(url)?.href ?? []);
  return [...new Set(all)].map((href) => href.replace(/[\\,; ]/g, (sign) => percentEncoded[sign] ?? ""));
}

const percentEncoded: Record<string, string> = { "\\": "%5C", ",": "%2C", ";": "%3B", " ": "%20" };

/** ISO 8601, basic form, UTC: "20261121T023100Z"; "" for a time that is none. */
function timestamp(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** RFC 2426 §2.6: lines of at most 75 octets; what follows starts with a space. A character of several octets stays whole. */
function folded(line: string): string {
  let text = "";
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0) ?? 0);
    if (octets + size > 75) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
