import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";
import { describe, onTestFinished } from "vitest";

import { openFiles } from "#app/services/files.server.ts";
import type { Files } from "#app/services/files.server.ts";

import { startS3 } from "./s3.ts";

export type StoreKind = "folder" | "s3";

/** Runs the block once on a folder and once on an S3 server; each `makeFiles()` is an empty store that goes after the test. */
export function describeOnEachStore(name: string, block: (makeFiles: () => Promise<Files>, kind: StoreKind) => void) {
  for (const kind of ["folder", "s3"] as const) {
    describe(`${name}, ${kind === "s3" ? "in S3" : "in a folder"}`, () => {
      block(() => makeStore(kind), kind);
    });
  }
}

export async function makeStore(kind: StoreKind): Promise<Files> {
  const filesDir = mkdtempSync(join(tmpdir(), "meishi-files-"));
  onTestFinished(() => rmSync(filesDir, { recursive: true, force: true }));
  const draftsDir = join(filesDir, ".drafts");
  mkdirSync(draftsDir);
  const s3 = kind === "s3" ? await startS3() : undefined;
  return openFiles({ config: { s3 }, folder: { filesDir, draftsDir }, log: pino({ level: "silent" }) });
}
