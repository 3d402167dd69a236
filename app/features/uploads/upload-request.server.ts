import { open, rm } from "node:fs/promises";

import { z } from "zod";

import type { Services } from "#app/services/http/context.ts";

import { maxUploadBytes } from "./rules.ts";
import type { Crop } from "./rules.ts";

const fraction = z.coerce.number().min(0).max(1);
const cropForm = z.object({ x: fraction, y: fraction, size: fraction.gt(0) });

/** The query of an upload: "?name=me.jpg&x=0.1&y=0&size=0.8". "unreadable": an incomplete or impossible crop. */
export function readUploadQuery(query: URLSearchParams): { filename: string; crop: Crop | undefined } | "unreadable" {
  const filename = (query.get("name") ?? "").slice(0, 1_000);
  const given = ["x", "y", "size"].filter((name) => query.has(name));
  if (given.length === 0) return { filename, crop: undefined };
  // Number("") is 0, but an empty value is not a number.
  if (given.some((name) => query.get(name)?.trim() === "")) return "unreadable";
  const crop = cropForm.safeParse(Object.fromEntries(query));
  return crop.success ? { filename, crop: crop.data } : "unreadable";
}

export type ReceivedBody =
  | { kind: "whole"; bytes: number }
  | { kind: "too-large" }
  /** Fewer bytes arrived than announced, or the client disconnected. */
  | { kind: "cut-off" };

/**
 * Streams a request body to a temporary file, stops at the first byte over the limit, and calls `work` with the file. The file is
 * deleted when `work` ends. Throws when the disk is full.
 */
export async function receiveBody<T>(
  files: Pick<Services["files"], "tempPath">,
  body: ReadableStream<Uint8Array> | null,
  work: (file: string, received: ReceivedBody) => Promise<T>,
): Promise<T> {
  const path = files.tempPath();
  try {
    return await work(path, await writeBody(path, body));
  } finally {
    await rm(path, { force: true });
  }
}

async function writeBody(path: string, body: ReadableStream<Uint8Array> | null): Promise<ReceivedBody> {
  const file = await open(path, "wx", 0o600);
  try {
    let bytes = 0;
    const reader = body?.getReader();
    for (;;) {
      const chunk = await readChunk(reader);
      if (chunk === "cut-off") return { kind: "cut-off" };
      if (chunk === undefined) return { kind: "whole", bytes };
      bytes += chunk.length;
      if (bytes > maxUploadBytes) {
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
