/**
 * What a file is by its first bytes; its name and what the sender says of it do not count. Undefined: nothing that is taken here.
 * Only at the very beginning, though some readers look further: nothing else can then stand in front of it.
 */
export function sniff(head: Uint8Array): FileKind | undefined {
  return KINDS.find(([, bytes]) => startsWith(head, bytes))?.[0] ?? (isWebp(head) ? "webp" : undefined);
}

export type FileKind = "jpeg" | "png" | "webp" | "pdf" | "ole" | "zip";

const KINDS = [
  ["jpeg", [0xff, 0xd8, 0xff]],
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["pdf", [...Buffer.from("%PDF-")]],
  // [MS-CFB] §2.2: what Word wrote until 2003.
  ["ole", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  // A local file header; an archive that begins otherwise is empty or has something in front of it.
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
] as const;

function isWebp(head: Uint8Array): boolean {
  return startsWith(head, [...Buffer.from("RIFF")]) && startsWith(head.subarray(8), [...Buffer.from("WEBP")]);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
