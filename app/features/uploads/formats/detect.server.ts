import type { OtherDocument } from "#app/features/uploads/messages.ts";

export type FileFormat = "jpeg" | "png" | "webp" | "pdf" | "ole" | "zip" | OtherDocument;

/** The number of bytes in which the header of a PDF is looked for (PDF Reference 1.7, appendix H.3, note 13). */
export const headBytes = 1_024 + 5;

/**
 * The format of a file by its first bytes, whatever its name or declared type: 16 for images, `headBytes` for documents. Undefined when it
 * is none that we accept or that is often mistaken for one. See docs/decisions/0023-parsers-for-uploaded-documents.md.
 */
export function detectFormat(head: Uint8Array): FileFormat | undefined {
  const signature = signatures.find(([, bytes]) => startsWith(head, bytes));
  if (signature) return signature[0];
  return isWebp(head) ? "webp" : detectText(Buffer.from(head).toString("latin1"));
}

const signatures = [
  ["jpeg", [0xff, 0xd8, 0xff]],
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  // [MS-CFB] §2.2: what Word wrote until 2003.
  ["ole", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  // A local file header: an archive that starts otherwise is empty or has a prefix.
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
] as const;

/** Scanners, mail programs and download scripts write a byte order mark or some lines before a PDF, but markup makes it a web page. */
function detectText(head: string): FileFormat | undefined {
  const [beforePdf = "", ...rest] = head.replace(/^\xef\xbb\xbf/, "").split("%PDF-");
  const format = textFormats.find(([, pattern]) => pattern.test(beforePdf))?.[0];
  return format ?? (rest.length > 0 ? "pdf" : /^[\t\n\f\r -~\x80-\xff]+$/.test(head) ? "txt" : undefined);
}

const textFormats: [OtherDocument, RegExp][] = [
  // Word and Confluence write web pages in one file (MHTML, RFC 2557) and call them .doc.
  ["html", /<(?:!doctype\s+html|html|head|body|script)\b|^MIME-Version:/im],
  ["rtf", /^\s*\{\\rt/],
  ["xml", /^\s*<\?xml/],
];

function isWebp(head: Uint8Array): boolean {
  return startsWith(head, [...Buffer.from("RIFF")]) && startsWith(head.subarray(8), [...Buffer.from("WEBP")]);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
