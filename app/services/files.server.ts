import { randomUUID } from "node:crypto";
import { join } from "node:path";

import type { Logger } from "pino";

import type { Config } from "./config.server.ts";
import { openFolder } from "./files-folder.server.ts";
import { openS3 } from "./s3-files.server.ts";

/** Where uploaded files lie. Paths look like "avatars/<user id>/avatar_1790000000000_192.webp"; any other kind throws. */
export type Store = {
  /**
   * Whole or not at all, in place of what was there. A local file (`{ file }`) is moved or streamed, never held whole in memory.
   * What can't be written throws; a full disk is told by `isDiskFull`.
   */
  put: (path: string, body: FileBody, type: string) => Promise<void>;
  /** Undefined: there is none. Who does not read the body to its end cancels it. */
  open: (path: string) => Promise<{ size: number; body: ReadableStream<Uint8Array> } | undefined>;
  /** Small files only. */
  read: (path: string) => Promise<Uint8Array | undefined>;
  /** Fine when there is none. */
  remove: (path: string) => Promise<void>;
  /** All whose path starts so, page by page, in no order. `writtenAt` is in epoch milliseconds. */
  list: (prefix: string) => AsyncIterable<{ path: string; writtenAt: number }>;
};

export type FileBody = Uint8Array | { file: string };

export type Files = Store & {
  /** A new path on this machine's disk for an upload under way; whoever asks removes it. */
  draft: () => string;
};

type Parts = {
  config: Pick<Config, "s3">;
  /** See DataFolder. */
  folder: { filesDir: string; draftsDir: string };
  log: Logger;
};

/** The bucket where S3 is configured, else the data folder. Throws a start problem when the bucket refuses us. */
export async function openFiles({ config: { s3 }, folder: { filesDir, draftsDir }, log }: Parts): Promise<Files> {
  const draft = () => join(draftsDir, randomUUID());
  const store = s3 ? await openS3(s3, log) : openFolder(filesDir, draft);
  return { ...store, draft };
}
