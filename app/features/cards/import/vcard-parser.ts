import ICAL from "ical.js";
import { z } from "zod";

/** A contact of a vCard file as its unfolded lines, still encoded; `isComplete` is false when the file ends within it. */
export type VCardLines = { version: string; lines: string[]; isComplete: boolean };

/**
 * Splits a vCard file (2.1, 3.0 or 4.0) into contacts with unfolded lines. Each character of `bytes` is one byte, because every line has a
 * charset of its own and may be folded within a character. A contact nested in another one (AGENT) is skipped. At most `limit` contacts are
 * returned; `total` counts all of them. One pass over the file.
 */
export function splitContactFile(bytes: string, limit: number): { cards: VCardLines[]; total: number } {
  const cards: VCardLines[] = [];
  let total = 0;
  let depth = 0;
  let open: VCardLines | undefined;
  for (const line of unfoldLines(bytes)) {
    if (isBegin.test(line)) {
      depth += 1;
      if (depth > 1) continue;
      total += 1;
      open = total <= limit ? { version: "3.0", lines: [], isComplete: false } : undefined;
      if (open) cards.push(open);
    } else if (isEnd.test(line)) {
      depth = Math.max(0, depth - 1);
      if (open && depth === 0) open.isComplete = true;
    } else if (depth === 1 && open) {
      open.version = /^VERSION\s*:\s*([\d.]{1,5})\s*(?:\n|$)/i.exec(line)?.[1] ?? open.version;
      open.lines.push(line);
    }
  }
  return { cards, total };
}

/** Whether a text looks like a vCard file. */
export function isContactFile(text: string): boolean {
  return /^\s*BEGIN:VCARD\s*$/im.test(text.slice(0, 10_000));
}

/**
 * RFC 6350 §3.2: a line that starts with a space or tab continues the one before. So does a quoted-printable line after "=", which stays in
 * the text as "=\n", and a line that isn't a property: some programs don't encode the line breaks of a text.
 */
function* unfoldLines(bytes: string): Generator<string> {
  let parts: string[] = [];
  let isQuoted = false;
  for (const line of bytes.split(/\r(?:\r?\n)?|\n/)) {
    const isSoftBreak = isQuoted && /=[ \t]*$/.test(parts.at(-1) ?? "") && !isEnd.test(line);
    if (isSoftBreak) parts.push(`\n${line}`);
    else if (/^[ \t]/.test(line)) parts.push(line.slice(1));
    else if (propertyStart.test(line)) {
      yield parts.join("");
      parts = [line];
      isQuoted = quotedPrintable.test(lineHead(line));
    } else if (line) parts.push(`\n${line}`);
  }
  yield parts.join("");
}

/** The text of a line in the encoding and charset that it names; undefined if it isn't readable. */
function decodeLine(line: string): string | undefined {
  const head = lineHead(line);
  const value = line.slice(head.length + 1);
  const charset = /;CHARSET="?([\w-]{1,20})/i.exec(head)?.[1]?.toLowerCase();
  const text = decodeText(decodeValue(head, value), charset);
  const rest = head.replace(/;(?:ENCODING=)?(?:QUOTED-PRINTABLE|BASE64)|;ENCODING=B\b|;CHARSET=[^;:]*/gi, "");
  return text === undefined ? undefined : `${Buffer.from(rest, "latin1").toString()}:${text}`;
}

function decodeValue(head: string, value: string): string {
  if (base64.test(head)) return Buffer.from(value, "base64").toString("latin1");
  if (!quotedPrintable.test(head)) return value;
  // Whether white space after a soft break belongs to the text (RFC 2045 §6.7) or is a fold depends on the program. It is a fold if the
  // text has no other space, or if it is between two encoded bytes.
  const isEverySpaceEncoded = !/[ \t]/.test(value.replace(/=[ \t]*\n[ \t]*/g, ""));
  const fold = isEverySpaceEncoded ? /=[ \t]*\n[ \t]*/g : /(?<==[\da-f]{2})=[ \t]*\n[ \t]*(?==)/gi;
  return value
    .replace(fold, "")
    .replace(/=[ \t]*(?:\n|$)/g, "")
    .replace(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/**
 * Programs name a wrong charset, or none. Bytes that are valid UTF-8 are hardly ever anything else, but in East Asian charsets two bytes
 * can be both.
 */
function decodeText(value: string, charset = "utf-8"): string | undefined {
  const bytes = Buffer.from(value, "latin1");
  const named = decodeBytes(bytes, microsoftCharsets[charset] ?? charset);
  const utf8 = decodeBytes(bytes, "utf-8");
  const isSingleByte = /^(?:windows|iso[-_]?8859|latin|cp12|koi8|us-ascii|ascii)/.test(charset);
  const text = isSingleByte ? (utf8 ?? named) : (named ?? utf8);
  return text ?? (/^utf-?8$/.test(charset) ? guessLatin(bytes) : undefined);
}

/** Undefined for an unknown charset, invalid bytes, and characters that no text has: replacement characters and C1 controls. */
function decodeBytes(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    return /[\u0080-\u009f\ufffd]/.test(text) ? undefined : text;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Western text has mostly ASCII letters and no long runs of others; Cyrillic or Chinese bytes read as Windows-1252 do. */
function guessLatin(bytes: Uint8Array): string | undefined {
  const text = decodeBytes(bytes, "windows-1252") ?? "";
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  const others = text.match(/[^\0-\u007f]/g)?.length ?? 0;
  return others > letters || /[^\0-\u007f]{3}/.test(text) ? undefined : text || undefined;
}

/** The part of a line before its value. */
function lineHead(line: string): string {
  const colon = line.indexOf(":");
  return colon === -1 ? "" : line.slice(0, colon);
}

/** Encoding Standard §4.2 doesn't have these names. */
const microsoftCharsets: Partial<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
};
// A byte order mark, for files that were joined.
const isBegin = /^(?:\u00ef\u00bb\u00bf)?\s*(?:[\w-]{1,40}\.)?BEGIN\s*:\s*VCARD\s*(?:\n|$)/i;
const isEnd = /^\s*(?:[\w-]{1,40}\.)?END\s*:\s*VCARD\s*(?:\n|$)/i;
const propertyStart = /^(?:\u00ef\u00bb\u00bf)?([\w.-]{1,120})[ \t]{0,9}[;:]/;
const quotedPrintable = /;(?:ENCODING=)?QUOTED-PRINTABLE(?:;|$)/i;
const base64 = /;(?:(?:ENCODING=)?BASE64|ENCODING=B)(?:;|$)/i;

/** One property of a contact: "item1.TEL;TYPE=CELL:+1 555" -> name tel, kind cell, group item1. */
export type VCardProperty = {
  name: string;
  group: string;
  /** In lower case: "work", "cell", "pref". */
  kinds: string[];
  /** The components of a structured value (N, ORG, ADR); otherwise one text. */
  parts: string[];
};

/**
 * The properties of a contact that `wanted` names; the names of those that are not wanted or not valid; and of those whose text is not
 * readable.
 */
export function readProperties({ version, lines }: VCardLines, wanted: ReadonlySet<string>) {
  const properties: VCardProperty[] = [];
  const skipped = new Set<string>();
  const unreadable = new Set<string>();
  for (const encoded of lines) {
    const name = splitName(encoded, wanted)?.name;
    if (!name) continue;
    const line = wanted.has(name) && encoded.length <= maxEncodedLine ? decodeLine(encoded) : "";
    const isShort = line && line.length <= maxLine && properties.length < maxProperties && !hasManyParts(line);
    const property = isShort ? readProperty(line, { version, wanted }) : undefined;
    if (property) properties.push(property);
    else (line === undefined ? unreadable : skipped).add(name);
  }
  return { properties, skipped, unreadable };
}

function readProperty(line: string, { version, wanted }: { version: string; wanted: ReadonlySet<string> }) {
  const design = version === "4.0" ? ICAL.design.vcard : ICAL.design.vcard3;
  try {
    const parsed = jcardProperty.safeParse(ICAL.parse.property(withNamedTypes(line, wanted), design));
    if (!parsed.success) return undefined;
    const [name, { group, type, pref }, valueType, value] = parsed.data;
    const kinds = [...type, ...(pref ? ["pref"] : [])].flatMap((kind) => kind.toLowerCase().split(","));
    const parts = typeof value === "string" ? [withoutEscapes(value, valueType)] : value;
    return { name, group: group?.toLowerCase() ?? "", kinds, parts };
  } catch {
    // ical.js throws various errors for an invalid line; the rest of the contact is still useful.
    return undefined;
  }
}

/**
 * vCard 2.1 has "TEL;HOME;VOICE:" for what is now "TEL;TYPE=HOME;TYPE=VOICE:", and some programs have "TEL.HOME:" or "PHONE.HOME:". Quoted
 * values exist in later versions only.
 */
function withNamedTypes(line: string, wanted: ReadonlySet<string>): string {
  const { group, name, types, length } = splitName(line, wanted) ?? { group: "", name: "", types: [], length: 0 };
  const colon = line.indexOf(":");
  const head = line.slice(length, colon).trim();
  const params = head.split(";").filter(Boolean);
  const named = params.map((param) => (param.includes("=") || head.includes('"') ? param : `TYPE=${param}`));
  return [group && `${group}.`, [name, ...types, ...named].join(";"), line.slice(colon)].join("");
}

/** "item1.TEL" is TEL in the group item1 (RFC 6350 §3.3), and "TEL.WORK" is TEL of the type WORK. */
function splitName(line: string, wanted: ReadonlySet<string>) {
  const path = propertyStart.exec(line)?.[1];
  if (!path) return undefined;
  const names = path
    .toLowerCase()
    .split(".")
    .map((name) => (name === "phone" ? "tel" : name));
  const known = names.findLastIndex((name) => wanted.has(name));
  const at = known === -1 ? names.length - 1 : known;
  const types = names.slice(at + 1).map((type) => `TYPE=${type}`);
  return { group: names.slice(0, at).join("-"), name: names[at] ?? "", types, length: path.length };
}

/**
 * RFC 2426 §5 and Apple escape more characters than ical.js unescapes. It returns the values of properties that it doesn't know, such as
 * X-PRONOUNS, with all their escapes.
 */
function withoutEscapes(text: string, valueType: string): string {
  if (valueType !== "unknown") return text.replace(/\\([;:,])/g, "$1");
  return text.replace(/\\(.)/gs, (_, character: string) => (/n/i.test(character) ? "\n" : character));
}

const listOfTexts = z.union([z.string().transform((text) => [text]), z.array(z.string())]);

/**
 * RFC 7095: [name, parameters, type, value]; a component of a value may itself be a list. A property with several comma-separated values
 * (NICKNAME, CATEGORIES) has more items and is skipped.
 */
const jcardProperty = z.tuple([
  z.string(),
  z.object({
    group: z.string().optional().catch(undefined),
    type: listOfTexts.catch([]).default([]),
    pref: z.string().optional().catch(undefined),
  }),
  z.string(),
  z.union([z.string(), z.array(listOfTexts.transform((texts) => texts.filter(Boolean).join(", ")))]),
]);

/** An address has seven components. ical.js is slow for each, and a line of nothing but commas has thousands. */
function hasManyParts(line: string): boolean {
  return (line.match(/[,;]/g)?.length ?? 0) > maxParts;
}

const maxParts = 100;
/** Only photos are longer, and they are not imported. */
const maxLine = 5_000;
const maxEncodedLine = 50_000;
const maxProperties = 100;
