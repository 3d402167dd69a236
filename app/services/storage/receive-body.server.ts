import { open, rm } from "node:fs/promises";

import type { FileStorage } from "./file-storage.server.ts";

export type ReceivedBody =
  | { kind: "whole"; bytes: number }
  | { kind: "too-large" }
  /** Fewer bytes arrived than announced, or the client disconnected. */
  | { kind: "cut-off" };

type SentBody = {
  files: Pick<FileStorage, "tempPath">;
  /** Its body is opened when it is received: an open body that is never read would end the connection before a refusal has arrived. */
  request: Pick<Request, "body">;
  maxBytes: number;
};

/**
 * Streams a request body to a temporary file, stops at the first byte over the limit, and calls `work` with the file. The file is
 * deleted when `work` ends. Throws when the disk is full.
 */
export async function receiveBody<T>(
  { files, ...sent }: SentBody,
  work: (file: string, received: ReceivedBody) => Promise<T>,
): Promise<T> {
  const path = files.tempPath();
  try {
    return await work(path, await writeBody(path, sent));
  } finally {
    await rm(path, { force: true });
  }
}

async function writeBody(path: string, { request, maxBytes }: Omit<SentBody, "files">): Promise<ReceivedBody> {
  const file = await open(path, "wx", 0o600);
  try {
    let bytes = 0;
    const reader = request.body?.getReader();
    for (;;) {
      const chunk = await readChunk(reader);
      if (chunk === "cut-off") return { kind: "cut-off" };
      if (chunk === undefined) return { kind: "whole", bytes };
      bytes += chunk.length;
      if (bytes > maxBytes) {
        await reader?.cancel();
        return { kind: "too-large" };
      }
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

/** Reading a body fails only when the client disconnected or was too slow. */
async function readChunk(reader: Reader): Promise<Uint8Array | "cut-off" | undefined> {
  try {
    return (await reader?.read())?.value;
  } catch {
    return "cut-off";
  }
}
