import { open, rm } from "node:fs/promises";

import type { Services } from "#app/services/context.ts";

import { maxUploadBytes } from "./rules.ts";

export type Received =
  | { kind: "whole"; bytes: number }
  | { kind: "too-large" }
  /** Fewer bytes came than were announced, or the sender is gone. */
  | { kind: "cut-off" };

/**
 * Writes a body to the disk as it comes, piece by piece, and stops at the first byte too many. `work` has the file, which is gone when
 * it is done, however it ends. Throws when the disk is full.
 */
export async function receive<T>(
  files: Pick<Services["files"], "draft">,
  body: ReadableStream<Uint8Array> | null,
  work: (file: string, received: Received) => Promise<T>,
): Promise<T> {
  const path = files.draft();
  try {
    return await work(path, await write(path, body));
  } finally {
    await rm(path, { force: true });
  }
}

async function write(path: string, body: ReadableStream<Uint8Array> | null): Promise<Received> {
  const file = await open(path, "wx", 0o600);
  try {
    let bytes = 0;
    const reader = body?.getReader();
    for (;;) {
      const piece = await nextPiece(reader);
      if (piece === "cut-off") return { kind: "cut-off" };
      if (piece === undefined) return { kind: "whole", bytes };
      bytes += piece.length;
      if (bytes > maxUploadBytes) {
        await reader?.cancel();
        return { kind: "too-large" };
      }
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

/** A body ends in an error when its sender went away or was too slow, and in no other case. */
async function nextPiece(reader: Reader): Promise<Uint8Array | "cut-off" | undefined> {
  try {
    return (await reader?.read())?.value;
  } catch {
    return "cut-off";
  }
}
