import { isAllowedAddress } from "#app/features/links/rules.ts";
import { oneLine, paragraph } from "#app/services/plain-text.ts";

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
 * phones show TITLE alone, and would lose what stands in ROLE.
 */
export function contactFile(contact: Contact): string {
  const name = oneLine(contact.displayName) || "Professional";
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${structuredName(name).map(escaped).join(";")}`,
    `FN:${escaped(name)}`,
    textLine("ORG", contact.company),
    textLine("TITLE", title(contact)),
    textLine("EMAIL;TYPE=INTERNET,WORK", contact.email),
    textLine("TEL;TYPE=WORK,VOICE", contact.phone),
    ...addresses(contact).map((address) => `URL:${address}`),
    textLine("NOTE", note(contact), paragraph),
    photo(contact.photo ?? ""),
    textLine("UID", uuid.test(contact.uid) ? `urn:uuid:${contact.uid}` : contact.uid),
    textLine("REV", timestamp(contact.updatedAt)),
    "END:VCARD",
  ];
  return lines.map((line) => line && `${folded(line)}\r\n`).join("");
}

/**
 * The name to save the file under, and the Content-Disposition that says it (RFC 6266): "Zoë, O'Neil" -> ascii "Zoe ONeil.vcf", utf8
 * "Zoë ONeil.vcf". Inline: an iPhone then shows the contact with its
 * "Create New Contact" at once, where an attachment is filed among the downloads; other systems save it either way. Safe in headers and on Windows, macOS and Linux; "contact.vcf" where the name leaves nothing.
 */
export function contactFileName(displayName: string): { ascii: string; utf8: string; header: string } {
  const name = oneLine(displayName).replace(unsafeInFileNames, "").replace(separators, " ");
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  const ascii = `${fileStem(plain.replace(/[^A-Za-z0-9 ._()+-]/g, ""))}.vcf`;
  const utf8 = `${fileStem(name)}.vcf`;
  const encoded = encodeURIComponent(utf8).replace(
    /[()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return { ascii, utf8, header: `inline; filename="${ascii}"; filename*=UTF-8''${encoded}` };
}

/**
 * Quotes, and signs that nobody sees: marks of direction above all, which make "fcv.exe" read as another name. The joiners that
 * Persian, Indic scripts and emoji need stay. macOS refuses code points that are not assigned.
 */
const unsafeInFileNames = /["'`]|(?![\u200c\u200d])[\p{Cf}\p{Cn}\p{Co}]/gu;
const separators = /[/\\:*?<>|;,%\s]+/g;

/** No dots at either end (hidden files, Windows), none of the names that Windows keeps for devices, at most 120 octets. */
function fileStem(name: string): string {
  const stem = bounded(name.replace(/\s+/g, " ").replace(/^[ .-]+/, "")).replace(/[ .]+$/, "");
  if (!/[\p{L}\p{N}\p{S}]/u.test(stem)) return "contact";
  return windowsDevices.test(stem) ? `_${stem}` : stem;
}

const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

/** File systems hold 255 octets and browsers add " (1)" to a name; a sign of several code points is kept whole or left out. */
function bounded(name: string): string {
  let stem = "";
  let octets = 0;
  for (const { segment } of signs.segment(name.slice(0, 500))) {
    octets += Buffer.byteLength(segment);
    if (octets > 120) break;
    stem += segment;
  }
  return stem;
}

const signs = new Intl.Segmenter("und", { granularity: "grapheme" });

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

function note({ bio, yearsExperience }: Contact): string {
  const hasYears = typeof yearsExperience === "number" && Number.isFinite(yearsExperience);
  const years = hasYears ? `${yearsExperience} ${yearsExperience === 1 ? "year" : "years"} of experience` : "";
  return [paragraph(bio ?? ""), years].filter(Boolean).join("\n\n");
}

/** A URL has no escapes of its own in RFC 2426, and readers differ: what they might take for one is percent-encoded. */
function addresses({ cardUrl, links }: Contact): string[] {
  const all = [cardUrl, ...links.map((link) => link.url)]
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
