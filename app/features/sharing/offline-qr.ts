import { pathOf, qrModules } from "./qr-code.ts";

/** A contact as a code can hold it; "" is nothing. */
export type OfflineContact = Record<OfflineField, string> & {
  name: string;
  /** The name as vCard's N has it: family, given, additional, prefix, suffix. */
  parts: readonly [string, string, string, string, string];
};

export type OfflineField = (typeof offlineFields)[number];

/** What may be left out, what somebody needs most first. */
export const offlineFields = ["phone", "email", "company", "title", "url"] as const;

export type OfflineQr =
  | {
      kind: "code";
      text: string;
      /** For drawing, as qrPath's. */
      code: { size: number; d: string };
      /** 1 (21 modules wide) to 40 (177). */
      version: number;
      /** "dense": hard to scan from a screen. */
      density: "fine" | "dense";
      /** Millimetres that it has to be wide on paper, with its quiet zone. */
      printWidth: number;
      holds: OfflineField[];
      /** What to leave out first to get a finer code; undefined where nothing would help or is needed. */
      leaveOut: OfflineField | undefined;
    }
  /** More than a code holds. */
  | { kind: "too-much"; leaveOut: OfflineField | undefined };

/**
 * A code that holds the contact itself, for places without a network: the smallest vCard 3.0 that iPhone and Android cameras offer to
 * save. Nothing follows later changes: it is as printed. `fields` are those to put in, all of them without it.
 */
export function offlineQr(contact: OfflineContact, fields: readonly OfflineField[] = offlineFields): OfflineQr {
  const holds = offlineFields.filter((field) => fields.includes(field) && contact[field].trim() !== "");
  const text = smallCard(contact, holds);
  const longest = holds.toSorted((a, b) => octets(contact[b]) - octets(contact[a]))[0];
  if (octets(text) > mostOctets) return { kind: "too-much", leaveOut: longest };
  const modules = qrModules(text, "L");
  const code = pathOf(modules);
  const version = (modules.size - 17) / 4;
  const density = version > densestForScreens ? "dense" : "fine";
  return {
    kind: "code",
    text,
    code,
    version,
    density,
    printWidth: Math.ceil(code.size * leastModule),
    holds,
    leaveOut: density === "dense" ? longest : undefined,
  };
}

/** 77 modules on a screen of 7 cm are under a millimetre each: beyond, phones must come so close that they lose focus. */
const densestForScreens = 15;

/** In millimetres: what common printers and older phones still tell apart. */
const leastModule = 0.4;

/** ISO/IEC 18004, table 7: version 40 at level L. */
const mostOctets = 2953;

const octets = (text: string) => new TextEncoder().encode(text).length;

/** RFC 2426 with what it requires (N, FN) and what is asked for. Line feeds alone, and no folding: both cost modules, and no reader misses them. */
function smallCard(contact: OfflineContact, holds: readonly OfflineField[]): string {
  const lines = holds.map(
    (field) => `${properties[field]}:${field === "url" ? address(contact.url) : escaped(contact[field])}`,
  );
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${contact.parts.map(escaped).join(";").replace(/;+$/, "")}`,
    `FN:${escaped(contact.name)}`,
    ...lines,
    "END:VCARD",
  ].join("\n");
}

/** A URL has no escapes of its own in RFC 2426: what readers might take for one is percent-encoded. */
function address(url: string): string {
  return (URL.parse(url)?.href ?? "").replace(/[\\,;]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const properties: Record<OfflineField, string> = {
  phone: "TEL",
  email: "EMAIL",
  company: "ORG",
  title: "TITLE",
  url: "URL",
};

/** RFC 2426 §4: backslash, comma, semicolon and line break can't stand bare in a text. */
function escaped(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return line.replace(/[\\,;]/g, String.raw`\$&`);
}
