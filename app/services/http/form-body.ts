import type { FormFields } from "#app/services/base/form-fields.ts";

/**
 * How many bytes a form may have: `usual` for visitors and short forms, `editors` for signed-in users in the editors, which take imported
 * links and cards. A refused form is sent back with what was typed, so its response is several times as large.
 */
export const formBytes = { usual: 100_000, editors: 2_000_000 } as const;

/** How many fields or multipart parts a form may have. Our largest form has about fifty. */
export const maxFormFields = { visitor: 100, user: 2_000 } as const;

/**
 * The text fields of the form in a request body, in linear time; files are left out. Empty for a body that isn't a form, is malformed or has
 * more than `maxFormFields.user` fields: the form then reports its fields as missing.
 */
export async function readForm(request: Request): Promise<FormFields> {
  const type = request.headers.get("content-type");
  const body = isFormType(type) ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
  const fields = toFields(parsePairs(body, type));
  await yieldAfter(body);
  return fields;
}

/** The text fields of a form, the first of several with one name. */
export function textFields(form: FormFields): Record<string, string> {
  const entries = [...form].toReversed();
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

/** Lets other requests run after a step that took some milliseconds for a large body. */
export async function yieldAfter(body: Uint8Array): Promise<void> {
  if (body.length > formBytes.usual) await new Promise((resolve) => setTimeout(resolve));
}

/** Whether a Content-Type is one of those that HTML forms send. Media types are case-insensitive (RFC 9110 §8.3.1). */
export function isFormType(contentType: string | null): boolean {
  return isUrlEncoded(contentType) || isMultipart(contentType);
}

/**
 * Whether a form's body has more than `maxFields` fields or parts, or so many characters to escape that sending it back would keep the
 * process busy. Doesn't decode it.
 */
export function isFormTooLarge(body: Uint8Array, contentType: string | null, maxFields: number): boolean {
  return hasMoreFields(body, contentType, maxFields) || countEscapes(body) > maxEscapes;
}

/** React takes 15 ms for so many. */
const maxEscapes = 100_000;

function hasMoreFields(body: Uint8Array, contentType: string | null, max: number): boolean {
  if (isMultipart(contentType)) return splitParts(body, contentType, max + 1).length > max;
  let fields = 1;
  for (let at = body.indexOf(ampersand); at >= 0; at = body.indexOf(ampersand, at + 1)) {
    fields += 1;
    if (fields > max) return true;
  }
  return false;
}

/** How many characters HTML or JSON has to escape, written as themselves or as "%3C". */
function countEscapes(body: Uint8Array): number {
  let escapes = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    const code = byte === percent ? (hexByte(body, at + 1) ?? byte) : byte;
    escapes += isEscaped[code] ?? 0;
  }
  return escapes;
}

/** By character code: 1 for control characters and those that HTML or JSON gives a meaning. */
const isEscaped = Uint8Array.from({ length: 256 }, (_, code) =>
  code < 32 || "<>&\"'\\".includes(String.fromCharCode(code)) ? 1 : 0,
);

const ampersand = "&".charCodeAt(0);
const plus = "+".charCodeAt(0);
const space = " ".charCodeAt(0);
const percent = "%".charCodeAt(0);

function isUrlEncoded(contentType: string | null): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? "");
}

/** Whether a Content-Type is that of a form with files. */
export function isMultipart(contentType: string | null): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType ?? "");
}

function parsePairs(body: Uint8Array, contentType: string | null): [string, string][] {
  if (!isFormType(contentType) || hasMoreFields(body, contentType, maxFormFields.user)) return [];
  return isMultipart(contentType)
    ? splitParts(body, contentType, maxFormFields.user).flatMap((part) => parsePart(part))
    : parseUrlEncoded(body);
}

function toFields(pairs: [string, string][]): FormFields {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) if (!values.has(name)) values.set(name, value);
  return {
    get: (name) => values.get(name) ?? null,
    has: (name) => values.has(name),
    keys: () => values.keys(),
    [Symbol.iterator]: () => pairs[Symbol.iterator](),
  };
}

/** URLSearchParams takes 200 ms for two million plus signs, so they are replaced as bytes. */
function parseUrlEncoded(body: Uint8Array): [string, string][] {
  const bytes = body.slice();
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === plus) bytes[at] = space;
  const text = new TextDecoder().decode(bytes);
  return text.split("&").flatMap((pair): [string, string][] => {
    if (pair === "") return [];
    const equals = pair.indexOf("=");
    return equals < 0
      ? [[decodePercent(pair), ""]]
      : [[decodePercent(pair.slice(0, equals)), decodePercent(pair.slice(equals + 1))]];
  });
}

/** Percent-decodes as browsers do: what isn't an escape stays, what isn't UTF-8 becomes U+FFFD. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = new TextEncoder().encode(text);
    let length = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const escaped = byte === percent ? hexByte(bytes, at + 1) : undefined;
      bytes[length++] = escaped ?? byte;
      if (escaped !== undefined) at += 2;
    }
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, length));
  }
}

function hexByte(bytes: Uint8Array, at: number): number | undefined {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function hexDigit(code = 0): number | undefined {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : undefined;
}

/**
 * The first file in a multipart body (RFC 7578): its name, and its bytes, which aren't copied. Undefined if it has none, was cut off before
 * its end, or has many fields before it.
 */
export function findFilePart(body: Buffer, contentType: string): { filename: string; bytes: Buffer } | undefined {
  const boundary = readBoundary(contentType);
  if (boundary === undefined || body.indexOf(`--${boundary}`) !== 0) return undefined;
  const delimiter = `\r\n--${boundary}`;
  for (let start = delimiter.length - 2, parts = 0; parts < maxPartsBeforeFile; parts++) {
    const headersEnd = body.indexOf("\r\n\r\n", start);
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2);
    if (end < 0) return undefined;
    const headers = body.toString("utf8", start, Math.min(headersEnd, start + maxPartHeader));
    const [, filename] = /\r\ncontent-disposition:\s*form-data;[^\r\n]*;\s*filename="([^"]*)"/i.exec(headers) ?? [];
    if (filename !== undefined)
      return { filename: filename.replaceAll("%22", '"'), bytes: body.subarray(headersEnd + 4, end) };
    start = end + delimiter.length;
  }
  return undefined;
}

const maxPartsBeforeFile = 20;

/** The parts of a multipart body (RFC 7578), at most `max`; none when its boundary or end is missing. */
function splitParts(body: Uint8Array, contentType: string | null, max: number): string[] {
  const boundary = readBoundary(contentType);
  if (boundary === undefined) return [];
  const [, ...parts] = `\r\n${new TextDecoder().decode(body)}`.split(`\r\n--${boundary}`, max + 2);
  const end = parts.findIndex((part) => !part.startsWith("\r\n"));
  if (end < 0 && parts.length > max) return parts;
  return end >= 0 && parts[end]?.startsWith("--") ? parts.slice(0, end) : [];
}

function readBoundary(contentType: string | null): string | undefined {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted ?? token;
  // RFC 2046 §5.1.1. Searching for a longer one takes time that grows with its length times the body's.
  return !boundary || boundary.length > 70 ? undefined : boundary;
}

/** Name and value of a text field; nothing for a file. */
function parsePart(part: string): [string, string][] {
  const headersEnd = part.indexOf("\r\n\r\n");
  const headers = part.slice(0, Math.min(headersEnd, maxPartHeader));
  const [, disposition = ""] = /\r\ncontent-disposition:\s*form-data;([^\r\n]*)/i.exec(headers) ?? [];
  const name = /(?:^|;)\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (headersEnd < 0 || name === undefined || /(?:^|;)\s*filename\*?=/i.test(disposition)) return [];
  const unescaped = name.replace(/%0D%0A|%22/gi, (escape) => (escape === "%22" ? '"' : "\r\n"));
  return [[unescaped, part.slice(headersEnd + 4)]];
}

const maxPartHeader = 1_000;
