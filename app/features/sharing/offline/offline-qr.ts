import { modulesPath, qrModules } from "#app/features/drawing/qr-code.ts";

/** The contact details for a QR code; "" for a missing one. */
export type OfflineContact = Record<OfflineField, string> & {
  name: string;
  /** The components of vCard's N: family, given, additional, prefix, suffix. */
  parts: readonly [string, string, string, string, string];
};

export type OfflineField = (typeof offlineFields)[number];

/** The optional fields, most important first. */
export const offlineFields = ["phone", "email", "company", "title", "url"] as const;

export type OfflineQr =
  | {
      kind: "code";
      text: string;
      /** Path data, see qrPath. */
      code: { size: number; d: string };
      /** From 1 (21 modules wide) to 40 (177 modules). */
      version: number;
      /** "dense": hard to scan from a screen. */
      density: "fine" | "dense";
      /** The minimum width in print, in millimeters, including the quiet zone. */
      printWidth: number;
      holds: OfflineField[];
      /** The longest field, to leave out first when the code is dense; undefined when it isn't, or when no field is left. */
      leaveOut: OfflineField | undefined;
    }
  /** The contact is too long for a QR code. */
  | { kind: "too-much"; leaveOut: OfflineField | undefined };

/**
 * A QR code that contains the contact itself, for places without a network: the smallest vCard 3.0 that iPhone and Android cameras offer
 * to save. It doesn't follow later changes. `fields` are the fields to include, all by default.
 */
export function offlineQr(contact: OfflineContact, fields: readonly OfflineField[] = offlineFields): OfflineQr {
  const holds = offlineFields.filter((field) => fields.includes(field) && contact[field].trim() !== "");
  const text = minimalVCard(contact, holds);
  const longest = holds.toSorted((a, b) => octets(contact[b]) - octets(contact[a]))[0];
  if (octets(text) > maxOctets) return { kind: "too-much", leaveOut: longest };
  const modules = qrModules(text, "L");
  const code = modulesPath(modules);
  const version = (modules.size - 17) / 4;
  const density = version > maxScreenVersion ? "dense" : "fine";
  return {
    kind: "code",
    text,
    code,
    version,
    density,
    printWidth: Math.ceil(code.size * minModuleMm),
    holds,
    leaveOut: density === "dense" ? longest : undefined,
  };
}

/** 77 modules: on a screen 7 cm wide each is under a millimeter, and phones would have to come so close that they lose focus. */
const maxScreenVersion = 15;

/** The smallest module that common printers and older phones can resolve. */
const minModuleMm = 0.4;

/** The capacity of version 40 at level L (ISO/IEC 18004, table 7). */
const maxOctets = 2953;

const octets = (text: string) => new TextEncoder().encode(text).length;

/** A vCard (RFC 2426) with the required N and FN. Uses LF and doesn't fold lines: both would cost modules, and readers accept it. */
function minimalVCard(contact: OfflineContact, holds: readonly OfflineField[]): string {
  const lines = holds.map(
    (field) => `${vCardProperties[field]}:${field === "url" ? urlValue(contact.url) : escapeText(contact[field])}`,
  );
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${contact.parts.map(escapeText).join(";").replace(/;+$/, "")}`,
    `FN:${escapeText(contact.name)}`,
    ...lines,
    "END:VCARD",
  ].join("\n");
}

/** RFC 2426 defines no escapes in URLs: characters that readers might take for one are percent-encoded. */
function urlValue(url: string): string {
  return (URL.parse(url)?.href ?? "").replace(
    /[\\,;]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const vCardProperties: Record<OfflineField, string> = {
  phone: "TEL",
  email: "EMAIL",
  company: "ORG",
  title: "TITLE",
  url: "URL",
};

/** RFC 2426 §4: escapes backslash, comma and semicolon; line breaks become spaces. */
function escapeText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  return line.replace(/[\\,;]/g, String.raw`\$&`);
}
