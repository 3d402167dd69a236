import { randomUUID } from "node:crypto";
import { join } from "node:path";

import type { Logger } from "pino";

import type { Config } from "#app/services/config/config.server.ts";
import type { FileStore } from "./file-store.ts";
import { openFolderStore } from "./folder-store.server.ts";
import { openS3Store } from "./s3-store.server.ts";

export type FileStorage = FileStore & {
  /** Returns a new path on this machine's disk for an upload in progress. The caller removes the file. */
  tempPath: () => string;
};

type FileStorageDeps = {
  config: Pick<Config, "s3">;
  /** See DataFolder. */
  folder: { filesDir: string; tempDir: string };
  log: Logger;
};

/** Opens the bucket if S3 is configured, otherwise the data folder. Throws a start problem when the bucket rejects the credentials. */
export async function openFileStorage({
  config: { s3 },
  folder: { filesDir, tempDir },
  log,
}: FileStorageDeps): Promise<FileStorage> {
  const tempPath = () => join(tempDir, randomUUID());
  const store = s3 ? await openS3Store(s3, log) : openFolderStore(filesDir, tempPath);
  return { ...store, tempPath };
}
