import { oneLine } from "#app/services/base/plain-text.ts";

/**
 * Turns a name into a file name that is valid on Windows, macOS and Linux: "Zoë: O'Neil/x" with "vcf" -> "Zoë ONeil x.vcf". A name without
 * usable characters becomes `otherwise`. At most 120 octets: file systems allow 255, and browsers add " (1)".
 */
export function safeFileName(name: string, { extension, otherwise }: { extension: string; otherwise: string }): string {
  const cleaned = oneLine(name).replace(unsafeInFileNames, "").replace(separators, " ");
  return `${safeBaseName(cleaned, otherwise)}.${extension}`;
}

/** The Content-Disposition header (RFC 6266), with the name in ASCII for old programs ("Zoe ONeil.vcf") and in UTF-8. */
export function contentDisposition(kind: "inline" | "attachment", fileName: string, otherwise: string): string {
  const dot = fileName.lastIndexOf(".");
  const plain = fileName.slice(0, dot).normalize("NFKD").replace(/\p{M}/gu, "");
  const ascii = safeBaseName(plain.replace(/[^A-Za-z0-9 ._()+-]/g, ""), otherwise) + fileName.slice(dot);
  const encoded = encodeURIComponent(fileName).replace(
    /[()*!']/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Quotes and invisible characters, above all direction marks, which make "fcv.exe" look like another name. Keeps the joiners that Persian,
 * Indic scripts and emoji need. macOS rejects unassigned code points.
 */
const unsafeInFileNames = /["'`]|(?![\u200c\u200d])[\p{Cf}\p{Cn}\p{Co}]/gu;
const separators = /[/\\:*?<>|;,%\s]+/g;

/** Removes dots at both ends (hidden files, Windows) and avoids the device names of Windows. */
function safeBaseName(name: string, otherwise: string): string {
  const baseName = truncatedName(name.replace(/\s+/g, " ").replace(/^[ .-]+/, "")).replace(/[ .]+$/, "");
  if (!/[\p{L}\p{N}\p{S}]/u.test(baseName)) return otherwise;
  return windowsDevices.test(baseName) ? `_${baseName}` : baseName;
}

const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

/** Never splits a character that consists of several code points. */
function truncatedName(name: string): string {
  let result = "";
  let octets = 0;
  for (const { segment } of graphemes.segment(name.slice(0, 500))) {
    octets += Buffer.byteLength(segment);
    if (octets > maxOctets) break;
    result += segment;
  }
  return result;
}

/** With the longest extension and the underscore before a device name: 120. */
const maxOctets = 114;

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
