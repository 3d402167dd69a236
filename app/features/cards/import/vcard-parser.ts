import ICAL from "ical.js";
import { z } from "zod";

/** A contact of a vCard file as its unfolded lines; `isComplete` is false when the file ends within it. */
export type VCardLines = { version: string; lines: string[]; isComplete: boolean };

/**
 * Splits a vCard file (2.1, 3.0 or 4.0) into contacts with unfolded, decoded lines. A contact nested in another one (AGENT) is skipped. At most
 * `limit` contacts are returned; `total` counts all of them. One pass over the text.
 */
export function splitContactFile(text: string, limit: number): { cards: VCardLines[]; total: number } {
  const cards: VCardLines[] = [];
  let total = 0;
  let depth = 0;
  let open: VCardLines | undefined;
  for (const line of unfoldLines(text)) {
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
      open.version = /^VERSION\s*:\s*([\d.]{1,5})\s*$/i.exec(line)?.[1] ?? open.version;
      open.lines.push(line);
    }
  }
  return { cards, total };
}

/** Whether a text looks like a vCard file. */
export function isContactFile(text: string): boolean {
  return /^\s*BEGIN:VCARD\s*$/im.test(text.slice(0, 10_000));
}

/** RFC 6350 §3.2: a line that starts with a space or tab continues the one before; so does a quoted-printable line after "=". */
function* unfoldLines(text: string): Generator<string> {
  let parts: string[] = [];
  let isQuoted = false;
  for (const line of physicalLines(text)) {
    const continues = isQuoted && parts.at(-1)?.endsWith("=") === true;
    if (continues) parts[parts.length - 1] = parts.at(-1)?.slice(0, -1) ?? "";
    if (continues) parts.push(line);
    else if (parts.length > 0 && /^[ \t]/.test(line)) parts.push(line.slice(1));
    else {
      yield decodeLine(parts.join(""), isQuoted);
      parts = [line];
      isQuoted = quotedPrintable.test(lineHead(line));
    }
  }
  yield decodeLine(parts.join(""), isQuoted);
}

function* physicalLines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end;
    yield text.slice(start, text[next - 1] === "\r" ? next - 1 : next);
    start = next + 1;
  }
}

/** vCard 2.1 encodes non-ASCII text as "=C3=A9", in the charset that the line names. */
function decodeLine(line: string, isQuoted: boolean): string {
  if (!isQuoted || line.length > maxQuoted) return line;
  const head = lineHead(line);
  const value = line.slice(head.length + 1);
  const bytes = Uint8Array.from(quotedBytes(value));
  const charset = /;CHARSET="?([\w-]{1,20})/i.exec(head)?.[1] ?? "utf-8";
  const text = charsetDecoder(charset).decode(bytes);
  const rest = head.replace(/;(?:ENCODING=)?QUOTED-PRINTABLE|;CHARSET=[^;:]*/gi, "");
  return `${rest}:${text.replace(/\r\n?|\n/g, String.raw`\n`)}`;
}

function* quotedBytes(value: string): Generator<number> {
  const encoder = new TextEncoder();
  for (let index = 0; index < value.length; index++) {
    const hex = value[index] === "=" ? /^[\da-f]{2}$/i.exec(value.slice(index + 1, index + 3))?.[0] : undefined;
    if (hex) {
      index += 2;
      yield Number.parseInt(hex, 16);
    } else yield* encoder.encode(value[index]);
  }
}

function charsetDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder(); // unknown charset
    throw error;
  }
}

/** The part of a line before its value. */
function lineHead(line: string): string {
  const colon = line.indexOf(":");
  return colon === -1 ? "" : line.slice(0, colon);
}

const isBegin = /^\s*(?:[\w-]{1,40}\.)?BEGIN\s*:\s*VCARD\s*$/i;
const isEnd = /^\s*(?:[\w-]{1,40}\.)?END\s*:\s*VCARD\s*$/i;
const quotedPrintable = /;(?:ENCODING=)?QUOTED-PRINTABLE(?:;|$)/i;
const maxQuoted = 50_000;

/** One property of a contact: "item1.TEL;TYPE=CELL:+1 555" -> name tel, kind cell, group item1. */
export type VCardProperty = {
  name: string;
  group: string;
  /** In lower case: "work", "cell", "pref". */
  kinds: string[];
  /** The components of a structured value (N, ORG, ADR); otherwise one text. */
  parts: string[];
};

/** The properties of a contact that `wanted` names, and the names of those that are not wanted or not readable. */
export function readProperties({ version, lines }: VCardLines, wanted: ReadonlySet<string>) {
  const properties: VCardProperty[] = [];
  const skipped = new Set<string>();
  for (const line of lines) {
    const name = propertyName.exec(line)?.[1]?.toLowerCase();
    if (!name) continue;
    const isShort = line.length <= maxLine && properties.length < maxProperties && !hasManyParts(line);
    const property = wanted.has(name) && isShort ? readProperty(line, version) : undefined;
    if (property) properties.push(property);
    else skipped.add(name);
  }
  return { properties, skipped };
}

function readProperty(line: string, version: string): VCardProperty | undefined {
  const design = version === "4.0" ? ICAL.design.vcard : ICAL.design.vcard3;
  try {
    const parsed = jcardProperty.safeParse(ICAL.parse.property(withNamedTypes(line), design));
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

/** vCard 2.1 has "TEL;HOME;VOICE:" for what is now "TEL;TYPE=HOME;TYPE=VOICE:". Quoted values exist in later versions only. */
function withNamedTypes(line: string): string {
  const colon = line.indexOf(":");
  const head = line.slice(0, colon);
  if (!head.includes(";") || head.includes('"')) return line;
  const [name = "", ...params] = head.split(";");
  const named = params.filter(Boolean).map((param) => (param.includes("=") ? param : `TYPE=${param}`));
  return [name, ...named].join(";") + line.slice(colon);
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

const propertyName = /^(?:[\w-]{1,40}\.)?([a-z\d-]{1,40})[;:]/i;
/** An address has seven components. ical.js is slow for each, and a line of nothing but commas has thousands. */
function hasManyParts(line: string): boolean {
  return (line.match(/[,;]/g)?.length ?? 0) > maxParts;
}

const maxParts = 100;
/** Only photos are longer, and they are not imported. */
const maxLine = 5_000;
const maxProperties = 100;
