/** The largest file that an import reads, in bytes. */
export const maxImportBytes = 1_000_000;

/** Files of one account: reading a large one takes a second of the processor. */
export const importLimit = { name: "import", max: 20, windowMs: 10 * 60_000 } as const;

/** Why a file can't be an import, in words that end a sentence with what to do; before anybody looks for contacts or links in it. */
export const importProblems = {
  empty: "This file is empty. Export it again and choose the new one.",
  tooOften: "That was many files in a short time. Wait ten minutes, then try again.",
  tooLarge: "This file is larger than 1 MB. Export only what you need and try again.",
  binary: "This file holds no text, so it can't be read. Choose another one.",
  offline: "The server could not be reached. Nothing was changed: try again in a moment.",
  signedOut: "You are signed out. Sign in again in another tab, then choose the file once more.",
  broken: "The file could not be read. Nothing was changed: try again in a moment.",
} as const;

/**
 * The text of a file: UTF-16 where it begins with that mark, else UTF-8, else what old programs on Windows wrote. A file with NULs is
 * no text.
 */
export function textOfFile(bytes: Uint8Array): { text: string } | { problem: string } {
  if (bytes.byteLength === 0) return { problem: importProblems.empty };
  if (bytes.byteLength > maxImportBytes) return { problem: importProblems.tooLarge };
  const text = decoded(bytes);
  if (text.includes("\0")) return { problem: importProblems.binary };
  return text.trim() === "" ? { problem: importProblems.empty } : { text };
}

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder("windows-1252").decode(bytes);
    throw error;
  }
}
