import { mkdirSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";
import { describe } from "vitest";

import { openFileStorage } from "#app/services/storage/file-storage.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import { startS3 } from "./s3.ts";
import { makeTempFolder } from "./temp-folder.ts";

export type StoreKind = "folder" | "s3";

/** Runs the block on a folder and on an S3 server; each `makeFiles()` is an empty store that is removed after the test. */
export function describeOnEachStore(
  name: string,
  block: (makeFiles: () => Promise<FileStorage>, kind: StoreKind) => void,
) {
  for (const kind of ["folder", "s3"] as const) {
    describe(`${name}, ${kind === "s3" ? "in S3" : "in a folder"}`, () => {
      block(() => makeStore(kind), kind);
    });
  }
}

export async function makeStore(kind: StoreKind): Promise<FileStorage> {
  const filesDir = makeTempFolder();
  const tempDir = join(filesDir, ".drafts");
  mkdirSync(tempDir);
  const s3 = kind === "s3" ? await startS3() : undefined;
  return openFileStorage({ config: { s3 }, folder: { filesDir, tempDir }, log: pino({ level: "silent" }) });
}
