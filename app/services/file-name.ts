import { oneLine } from "./plain-text.ts";

/**
 * A name that a file may be saved under on Windows, macOS and Linux: "Zoë: O'Neil/x" with "vcf" -> "Zoë ONeil x.vcf". `otherwise` is the
 * name of one that leaves nothing. At most 120 octets: file systems hold 255, and browsers add " (1)".
 */
export function safeFileName(name: string, { extension, otherwise }: { extension: string; otherwise: string }): string {
  const stem = oneLine(name).replace(unsafeInFileNames, "").replace(separators, " ");
  return `${stemOf(stem, otherwise)}.${extension}`;
}

/** Content-Disposition (RFC 6266): the name in ASCII for old programs ("Zoe ONeil.vcf"), and as it is. */
export function disposition(kind: "inline" | "attachment", fileName: string, otherwise: string): string {
  const dot = fileName.lastIndexOf(".");
  const plain = fileName.slice(0, dot).normalize("NFKD").replace(/\p{M}/gu, "");
  const ascii = stemOf(plain.replace(/[^A-Za-z0-9 ._()+-]/g, ""), otherwise) + fileName.slice(dot);
  const encoded = encodeURIComponent(fileName).replace(
    /[()*!']/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Quotes, and signs that nobody sees: marks of direction above all, which make "fcv.exe" read as another name. The joiners that
 * Persian, Indic scripts and emoji need stay. macOS refuses code points that are not assigned.
 */
const unsafeInFileNames = /["'`]|(?![\u200c\u200d])[\p{Cf}\p{Cn}\p{Co}]/gu;
const separators = /[/\\:*?<>|;,%\s]+/g;

/** No dots at either end (hidden files, Windows), none of the names that Windows keeps for devices. */
function stemOf(name: string, otherwise: string): string {
  const stem = bounded(name.replace(/\s+/g, " ").replace(/^[ .-]+/, "")).replace(/[ .]+$/, "");
  if (!/[\p{L}\p{N}\p{S}]/u.test(stem)) return otherwise;
  return windowsDevices.test(stem) ? `_${stem}` : stem;
}

const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

/** A sign of several code points is kept whole or left out. */
function bounded(name: string): string {
  let stem = "";
  let octets = 0;
  for (const { segment } of signs.segment(name.slice(0, 500))) {
    octets += Buffer.byteLength(segment);
    if (octets > MOST_OCTETS) break;
    stem += segment;
  }
  return stem;
}

/** 120 with the longest extension and the sign before a device's name. */
const MOST_OCTETS = 114;

const signs = new Intl.Segmenter("und", { granularity: "grapheme" });
