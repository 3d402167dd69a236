import { parseJsonObject, submitInPlace } from "#app/ui/forms/submit-in-place.ts";

/** The largest file that an import reads, in bytes: a text, or a ZIP archive that may also hold other files. */
export const maxImportBytes = 1_000_000;
export const maxArchiveBytes = 5_000_000;

/** Per account, because reading a large file can take a second of processor time. */
export const importLimit = { name: "import", max: 20, windowMs: 10 * 60_000 } as const;

/** Why a file can't be imported, whatever it should contain. */
export const importFileMessages = {
  empty: "This file is empty. Export it again and choose the new one.",
  tooOften: "Too many files. Wait ten minutes, then try again.",
  busy: "The server is busy. Nothing was changed. Try again in a minute.",
  tooLarge: "This file is larger than 1 MB. Export only what you need and try again.",
  archiveTooLarge: "This ZIP file is larger than 5 MB. Unpack it and choose Profile.csv.",
  binary: "This isn’t a text file. Choose another one.",
  offline: "Couldn’t reach the server. Nothing was changed. Try again in a moment.",
  signedOut: "You’re signed out. Sign in again in another tab, then choose the file again.",
  broken: "Couldn’t read the file. Nothing was changed. Try again in a moment.",
} as const;

/**
 * Decodes a file as UTF-16 if it starts with that byte order mark, else as UTF-8, else as Windows-1252. A file with NUL characters is not
 * text.
 */
export function decodeTextFile(bytes: Uint8Array): { text: string } | { problem: string } {
  if (bytes.byteLength === 0) return { problem: importFileMessages.empty };
  if (bytes.byteLength > maxImportBytes) return { problem: importFileMessages.tooLarge };
  const text = decodeText(bytes);
  if (text.includes("\0")) return { problem: importFileMessages.binary };
  return text.trim() === "" ? { problem: importFileMessages.empty } : { text };
}

function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder("windows-1252").decode(bytes);
    throw error;
  }
}

/**
 * Sends a file from this device to the server, which reads it and stores nothing. `isResult` checks the shape of the response. Never
 * rejects: the page keeps what is typed on it.
 */
export async function readFileOnServer<Result>(
  path: string,
  file: File,
  isResult: (response: object) => response is Result & object,
): Promise<Result | { problem: string }> {
  if (file.size === 0) return { problem: importFileMessages.empty };
  const isArchive = /\.zip$/i.test(file.name);
  const tooLarge = importFileMessages[isArchive ? "archiveTooLarge" : "tooLarge"];
  if (file.size > (isArchive ? maxArchiveBytes : maxImportBytes)) return { problem: tooLarge };
  const { status, text } = await submitInPlace(path, file, "application/octet-stream");
  if (status === 0) return { problem: importFileMessages.offline };
  if (status === 401) return { problem: importFileMessages.signedOut };
  if (status === 413) return { problem: tooLarge };
  const response = parseJsonObject(text);
  if (!response) return { problem: importFileMessages.broken };
  if ("problem" in response && typeof response.problem === "string") return { problem: response.problem };
  return isResult(response) ? response : { problem: importFileMessages.broken };
}
