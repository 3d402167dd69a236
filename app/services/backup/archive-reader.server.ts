import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

import { Decrypter } from "age-encryption";
import { extract } from "tar-stream";
import type { Extract } from "tar-stream";
import { z } from "zod";

import { startProblem } from "#app/services/base/errors.ts";

import { fromWeb, toWeb } from "./archive-writer.server.ts";
import { formatHashes, manifestName, manifestSchema, sumsName } from "./manifest.ts";
import type { HashList, Manifest } from "./manifest.ts";

export type ArchiveSource = {
  /** As messages name it. */
  name: string;
  /** Reads the backup from its start, as often as it is called. */
  open: () => Promise<Readable>;
  passphrase: string | undefined;
};

type Visit = (path: string, bytes: Buffer) => Promise<void>;

/**
 * Reads a backup from start to end, checks the hash of every entry and returns its manifest. Throws a start problem when it is damaged,
 * incomplete, encrypted with another passphrase, or no backup of ours; entries that `visit` got before may then be wrong.
 */
export async function readArchive(source: ArchiveSource, visit: Visit = async () => undefined): Promise<Manifest> {
  const tar = extract();
  const sums: HashList = new Map();
  const last: { [name: string]: Buffer } = {};
  const read = pipeline(await openPlain(source), tar).catch((error: unknown) => {
    throw damaged(source.name, error instanceof Error ? error.message : String(error));
  });
  // `entriesOf` throws the same error.
  read.catch(() => undefined);
  for await (const { name, bytes } of entriesOf(tar, read)) {
    if (name === sumsName || name === manifestName) last[name] = bytes;
    else {
      sums.set(name, sha256(bytes));
      await visit(name, bytes);
    }
  }
  await read;
  return checkEnd(source.name, formatHashes(sums), last);
}

/** The entries of an archive. What `visit` throws isn't caught here: the archive isn't to blame for it. */
async function* entriesOf(tar: Extract, read: Promise<void>): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const entries = tar[Symbol.asyncIterator]();
  // The first error, if reading failed.
  const orReason = <T>(work: Promise<T>) => work.catch((error: unknown) => read.then(() => Promise.reject(error)));
  try {
    for (;;) {
      const next = await orReason(entries.next());
      if (next.done) return;
      yield { name: next.value.header.name, bytes: await orReason(buffer(next.value)) };
    }
  } finally {
    tar.destroy();
  }
}

function checkEnd(name: string, sums: string, last: { [name: string]: Buffer }): Manifest {
  const manifest = manifestSchema.safeParse(parse(last[manifestName]));
  if (!manifest.success) {
    const other = z.object({ format: z.number().min(2) }).safeParse(parse(last[manifestName]));
    if (other.success)
      throw startProblem(`${name} was made by a newer version of Meishi. Use that version to restore it.`);
    throw damaged(name, "it is incomplete");
  }
  const listed = last[sumsName]?.toString() ?? "";
  if (sha256(listed) !== manifest.data.sums) throw damaged(name, "its list of hashes was changed");
  if (sums === listed) return manifest.data;
  const wanted = new Set(listed.split("\n"));
  const [wrong = "an entry is missing"] = sums.split("\n").filter((line) => !wanted.has(line));
  throw damaged(name, `${wrong.slice(66) || wrong} was changed`);
}

function damaged(name: string, reason: string): Error {
  return startProblem(`${name} is damaged: ${reason}. Use another backup.`);
}

function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? "");
  } catch {
    return undefined;
  }
}

/** The first bytes of every file of age. */
const ageHeader = "age-encryption.org/";

/** The tar archive, decrypted if need be. */
async function openPlain({ name, open, passphrase }: ArchiveSource): Promise<Readable> {
  const source = await open();
  const start = await peek(source, ageHeader.length);
  if (start.toString("latin1") !== ageHeader) return source;
  if (passphrase === undefined) {
    source.destroy();
    throw startProblem(`${name} is encrypted. Set BACKUP_PASSPHRASE to the passphrase it was made with.`);
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const plain = await decrypter.decrypt(toWeb(source));
    return fromWeb(plain);
  } catch (error) {
    const isWrongKey = error instanceof Error && error.message.includes("no identity matched");
    throw isWrongKey
      ? startProblem(`${name} was encrypted with another passphrase than BACKUP_PASSPHRASE.`)
      : damaged(name, error instanceof Error ? error.message : String(error));
  }
}

/** The first bytes of a stream, which stay in it. */
async function peek(stream: Readable, length: number): Promise<Buffer> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    stream.unshift(bytes);
    return bytes.subarray(0, length);
  }
  return Buffer.alloc(0);
}
