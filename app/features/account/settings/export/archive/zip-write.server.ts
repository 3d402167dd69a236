import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";

import { ZipFile } from "yazl";

export type ZipEntry = {
  name: string;
  /** Undefined for a missing file, which is left out. */
  open: () => Promise<Readable | undefined>;
  /** How hard to compress, from 1 to 9: photos are compressed already. */
  level: number;
};

type ZipOptions = {
  /** The local file that is written. */
  path: string;
  time: number;
  /** Called after each entry. */
  onEntry: (entry: ZipEntry, isMissing: boolean) => Promise<void>;
};

/**
 * Writes a ZIP archive to a file, one entry after the other, so that at most one is open and none is in memory. An entry may depend on what
 * happened to those before it.
 */
export async function writeZip(entries: Iterable<ZipEntry>, { path, time, onEntry }: ZipOptions): Promise<void> {
  const zip = new ZipFile();
  const stop = new AbortController();
  zip.on("error", (error) => stop.abort(error));
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }), { signal: stop.signal });
  let current: Readable | undefined;
  // `written` fails on a full disk, for example, and then no entry ends.
  const untilFailure = written.then(() => undefined);
  untilFailure.catch(() => undefined);
  try {
    for (const entry of entries) {
      current = await entry.open();
      if (current) {
        zip.addReadStream(current, entry.name, {
          mtime: new Date(time),
          mode: 0o100644,
          compressionLevel: entry.level,
        });
        await Promise.race([finished(current), untilFailure]);
      }
      await onEntry(entry, !current);
    }
    zip.end();
    await written;
  } catch (error) {
    stop.abort(error);
    current?.destroy();
    await written.catch(() => undefined);
    throw error;
  }
}
