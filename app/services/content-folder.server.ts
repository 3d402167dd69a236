import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { systemCode } from "./database-errors.ts";

/** A file of the operator: its text, what keeps it from being read (continuing a sentence that starts with its path), or neither: it is not there. */
export type ContentFile = { text?: string; problem?: string };

/** As UTF-8, without the byte order mark that editors on Windows write, and with plain line ends. */
export function readContentFile(path: string, maxBytes: number): ContentFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return {};
    return {
      problem: `can't be read: ${reasons.get(code) ?? (error instanceof Error ? error.message : String(error))}`,
    };
  }
  if (bytes.length > maxBytes) return { problem: `is larger than ${maxBytes / 1000} kB` };
  const text = decode(bytes);
  if (text === undefined) return { problem: "is not text in UTF-8: save it with that encoding" };
  if (text.trim() === "") return { problem: "is empty: fill it in, or remove it" };
  return { text: text.replace(/\r\n?/g, "\n") };
}

/** Names in the folder that nobody reads, so that "privcy.md" is told and not passed over. What editors leave behind is nobody's mistake. */
export function listUnknownNames(folder: string, known: readonly string[]): string[] {
  try {
    return readdirSync(folder).filter((name) => !known.includes(name) && !/^\.|~$|\.(?:bak|orig|sw[op])$/.test(name));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return [];
    throw error;
  }
}

export function contentPath(dataDir: string, name = ""): string {
  return join(dataDir, "content", name);
}

const reasons = new Map([
  ["EISDIR", "there is a folder in its place"],
  ["ENOTDIR", "a part of that path is a file"],
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
  ["ELOOP", "it is a link to itself"],
]);

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
