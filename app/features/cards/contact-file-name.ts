import { oneLine } from "#app/services/plain-text.ts";

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
