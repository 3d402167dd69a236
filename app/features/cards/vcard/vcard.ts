import { addressFields, cardVisibleOn, fullName, optionalTexts } from "#app/features/cards/card-fields.ts";
import type {
  ContactMethod,
  ContactMethodKind,
  OptionalTextName,
  PostalAddress,
} from "#app/features/cards/card-fields.ts";
import type { PublicCard } from "#app/features/cards/data.server.ts";
import { isAllowedAddress } from "#app/features/links/rules.ts";
import { findSite } from "#app/features/links/site-data.ts";
import { foldLine } from "#app/services/base/fold-line.ts";
import { oneLine, paragraph } from "#app/services/base/plain-text.ts";

import { structuredName } from "./structured-name.ts";

export type VCardContact = Partial<Record<OptionalTextName, string>> & {
  displayName: string;
  profession?: string | null;
  company?: string | null;
  position?: string | null;
  email?: string | null;
  phone?: string | null;
  yearsExperience?: number | null;
  bio?: string | null;
  /** Additional ones; `email` and `phone` are those of work. */
  emails?: readonly ContactMethod[];
  phones?: readonly ContactMethod[];
  address?: PostalAddress;
  links: readonly { name: string; url: string }[];
  categories?: readonly string[];
  /** The full public address of the card. */
  cardUrl: string;
  /** Constant for the life of the card: address books replace the contact with the same UID. */
  uid: string;
  /** Epoch milliseconds. */
  updatedAt: number;
  /** A JPEG in base64. */
  photo?: string | null;
};

/**
 * Formats a card as a vCard 3.0 (RFC 2426), with properties that have a value only. The first URL is the card itself, which stays
 * current. TITLE combines profession and position ("Mathematician · Head of Research"), because phones show TITLE alone and drop
 * ROLE. Texts without a property of vCard 3.0 are in NOTE, because phones drop X- properties that they don't know.
 */
export function formatVCard(contact: VCardContact): string {
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    ...nameLines(contact),
    ...optionalTexts.map(({ name, property }) => property && textProperty(property, contact[name])),
    organizationLine(contact),
    textProperty("TITLE", jobTitle(contact)),
    ...contactMethodLines("EMAIL", contact.email, contact.emails),
    ...contactMethodLines("TEL", contact.phone, contact.phones),
    addressLine(contact.address),
    ...urlLines(contact),
    textProperty("NOTE", noteText(contact), paragraph),
    photoLine(contact.photo ?? ""),
    categoriesLine(contact.categories),
    textProperty("UID", uuidPattern.test(contact.uid) ? `urn:uuid:${contact.uid}` : contact.uid),
    textProperty("REV", formatTimestamp(contact.updatedAt)),
    "END:VCARD",
  ];
  return lines.map((line) => line && `${foldLine(line)}\r\n`).join("");
}

/** N, which phones show, and FN, which everything else shows. RFC 2426 §3.1 */
function nameLines(contact: VCardContact): string[] {
  const name = oneLine(contact.displayName) || "Professional";
  const prefix = oneLine(contact.prefix ?? "");
  const suffix = oneLine(contact.suffix ?? "");
  const parts = structuredName(name, { prefix, suffix });
  return [`N:${parts.map(escapeText).join(";")}`, `FN:${escapeText(fullName(name, { prefix, suffix }))}`];
}

/** RFC 2426 §3.5.5: the company, then its units from large to small. */
function organizationLine({ company, department }: VCardContact): string {
  const parts = [oneLine(company ?? ""), oneLine(department ?? "")];
  return parts.some(Boolean) ? `ORG:${(parts[1] ? parts : parts.slice(0, 1)).map(escapeText).join(";")}` : "";
}

/** The card's own has the type work and is preferred. */
function contactMethodLines(
  property: keyof typeof vcardTypes,
  own: string | null | undefined,
  additional: readonly ContactMethod[] = [],
): string[] {
  const all = [{ kind: "work" as const, value: own ?? "" }, ...additional].filter(({ value }) => oneLine(value));
  return all.map(({ kind, value }, index) => {
    const first = index === 0 && all.length > 1 ? ",PREF" : "";
    return textProperty(`${property};TYPE=${vcardTypes[property][kind]}${first}`, value);
  });
}

const vcardTypes = {
  EMAIL: { work: "INTERNET,WORK", mobile: "INTERNET,HOME", home: "INTERNET,HOME" },
  TEL: { work: "WORK,VOICE", mobile: "CELL,VOICE", home: "HOME,VOICE" },
} satisfies Record<string, Record<ContactMethodKind, string>>;

/** RFC 2426 §3.2.1: the post office box and the extended address stay empty. */
function addressLine(address: PostalAddress | undefined): string {
  const parts = addressFields.map((line) => oneLine(address?.[line] ?? ""));
  return parts.some(Boolean) ? `ADR;TYPE=WORK:;;${parts.map(escapeText).join(";")}` : "";
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A property with a text value, or "" without a value. */
function textProperty(property: string, value: string | null | undefined, cleaned = oneLine): string {
  const text = cleaned(value ?? "");
  return text && `${property}:${escapeText(text)}`;
}

/** RFC 2426 §4 and §5: escapes backslash, comma, semicolon and line break. */
function escapeText(text: string): string {
  return text.replace(/[\\,;]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
}

/** A photo that isn't base64 is left out. */
function photoLine(base64: string): string {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? `PHOTO;ENCODING=b;TYPE=JPEG:${base64}` : "";
}

/** RFC 2426 §3.7.1 */
function categoriesLine(categories: readonly string[] = []): string {
  return categories.length > 0 ? `CATEGORIES:${categories.map(oneLine).map(escapeText).join(",")}` : "";
}

function jobTitle({ profession, position }: VCardContact): string {
  return [...new Set([oneLine(profession ?? ""), oneLine(position ?? "")])].filter(Boolean).join(" · ");
}

function noteText({ bio, yearsExperience, ...texts }: VCardContact): string {
  const hasYears = typeof yearsExperience === "number" && Number.isFinite(yearsExperience);
  const years = hasYears ? `${yearsExperience} ${yearsExperience === 1 ? "year" : "years"} of experience` : "";
  const noted = optionalTexts.map(({ name, label, isInNote }) => {
    const text = isInNote && oneLine(texts[name] ?? "");
    return text && `${label}: ${text}`;
  });
  const facts = [years, ...noted].filter(Boolean).join("\n");
  return [paragraph(bio ?? ""), facts].filter(Boolean).join("\n\n");
}

/**
 * The card, the website and the links, each address once. A link has its label in X-ABLabel of the same group (RFC 2426 §3.3), which phones
 * show instead of "homepage". A profile of a social network is an X-SOCIALPROFILE as well.
 */
function urlLines({ cardUrl, website = "", links }: VCardContact): string[] {
  const plain = [cardUrl, website].map((url) => ({ url, name: "" }));
  const byAddress = new Map<string, string>();
  for (const { url, name } of [...plain, ...links]) {
    const address = urlValue(url);
    if (address && !byAddress.has(address)) byAddress.set(address, oneLine(name));
  }
  let labels = 0;
  return [...byAddress].flatMap(([address, label]) => {
    const group = label && `item${(labels += 1)}.`;
    return [
      `${group}URL:${address}`,
      label && `${group}X-ABLabel:${escapeText(label)}`,
      socialProfileLine(label && address),
    ];
  });
}

function socialProfileLine(address: string): string {
  const network = socialNetworks.get(findSite(address)?.icon ?? "");
  return network ? `X-SOCIALPROFILE;TYPE=${network}:${address}` : "";
}

/** The types that phones know, or show as they are, by the name of the site's icon. */
const socialNetworks = new Map([
  ...(
    "linkedin github gitlab facebook instagram youtube tiktok threads bluesky mastodon xing behance dribbble medium reddit " +
    "pinterest snapchat telegram twitch tumblr vk"
  )
    .split(" ")
    .map((name): [string, string] => [name, name]),
  ["x", "twitter"],
]);

/** RFC 2426 defines no escapes for URLs and readers differ, so characters that could be read as escapes are percent-encoded. */
function urlValue(address: string): string {
  const href = isAllowedAddress(address) ? URL.parse(address)?.href : undefined;
  return href?.replace(/[\\,; ]/g, (character) => percentEncoded[character] ?? "") ?? "";
}

const percentEncoded: Record<string, string> = { "\\": "%5C", ",": "%2C", ";": "%3B", " ": "%20" };

/** ISO 8601, basic format, UTC: "20261121T023100Z"; "" for an invalid time. */
function formatTimestamp(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** The contact of a card: without the fields that only its page shows. `photo` is a JPEG in base64. */
export function toVCardContact(
  { card, displayName, bio, changedAt }: Pick<PublicCard, "card" | "displayName" | "bio" | "changedAt">,
  { cardUrl, photo }: { cardUrl: string; photo?: string | undefined },
): VCardContact {
  return {
    ...cardVisibleOn("file", card),
    displayName,
    bio,
    cardUrl,
    photo,
    uid: card.id,
    updatedAt: changedAt,
  };
}
