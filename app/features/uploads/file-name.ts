import { oneLine } from "#app/services/plain-text.ts";

/**
 * The name to save a resume under: "C:\\Users\\Zoë\\CV.final.html", which is a PDF -> "CV.final.pdf". Safe on Windows, macOS and Linux;
 * "resume.pdf" where the name leaves nothing.
 */
export function resumeFileName(name: string, extension: string): string {
  const last = oneLine(name).split(/[/\\]/).at(-1) ?? "";
  const stem = last.replace(unsafeInFileNames, "").replace(separators, " ");
  return `${fileStem(withoutExtension(stem))}.${extension}`;
}

/** Content-Disposition (RFC 6266): the name in ASCII for old programs, and as it is. */
export function disposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  const ascii = plain.replace(/[^A-Za-z0-9 ._()+-]/g, "").replace(/^[ .-]+/, "") || "resume";
  const encoded = encodeURIComponent(name).replace(
    /[()*!']/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Quotes, and signs that nobody sees, the joiners of Persian, Indic scripts and emoji aside; as in the names of contact files. */
const unsafeInFileNames = /["'`]|(?![\u200c\u200d])[\p{Cf}\p{Cn}\p{Co}]/gu;
const separators = /[:*?<>|;,%\s]+/g;

/** Only what looks like one: "CV v2.1 final" has none. Of several ("cv.pdf.exe") each that is a document's. */
function withoutExtension(name: string): string {
  return name.replace(/(?:\.(?:pdf|docx?))*\.[A-Za-z0-9]{1,5}$/i, "");
}

/** No dots at either end, none of the names that Windows keeps for devices, at most 120 octets with the extension. */
function fileStem(name: string): string {
  const stem = bounded(name.replace(/\s+/g, " ").replace(/^[ .-]+/, "")).replace(/[ .]+$/, "");
  if (!/[\p{L}\p{N}\p{S}]/u.test(stem)) return "resume";
  return windowsDevices.test(stem) ? `_${stem}` : stem;
}

const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

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
