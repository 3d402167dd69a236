import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { Encrypter } from "age-encryption";
import { pack } from "tar-stream";

import { formatHashes, manifestName, sumsName } from "./manifest.ts";
import type { HashList, Manifest } from "./manifest.ts";

/** What an entry of the archive contains. `size` in bytes: a stream with another length is an error. */
type Content = Uint8Array | { size: number; body: AsyncIterable<Uint8Array> };

/**
 * Writes a new backup: a tar archive that ends with the SHA-256 of its entries and the manifest, and with a passphrase is encrypted as
 * `age -p` does (https://age-encryption.org/v1). Readable by this user only. The caller removes the file after an error.
 */
export function createArchive(path: string, passphrase: string | undefined) {
  const tar = pack();
  // `flush`: it is on the disk when `finish` resolves.
  const output = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  const written = passphrase === undefined ? pipeline(tar, output) : encrypt(tar, output, passphrase);
  // Whoever is writing an entry gets this error, too.
  written.catch(() => undefined);
  const sums: HashList = new Map();

  /** Entries are written one after the other. One with the name of an earlier entry replaces it. */
  async function add(name: string, content: Content): Promise<void> {
    const { size, body } =
      content instanceof Uint8Array ? { size: content.length, body: Readable.from([content]) } : content;
    const hash = createHash("sha256");
    async function* hashed() {
      for await (const bytes of body) {
        hash.update(bytes);
        yield bytes;
      }
    }
    try {
      const entry = tar.entry({ name, size, mode: 0o600, mtime: new Date(0) });
      // On a full disk the entry would wait for space that never comes.
      await Promise.race([pipeline(Readable.from(hashed()), entry), written]);
    } catch (error) {
      // The file couldn't be written, as on a full disk: this says why.
      if (tar.destroyed) await written;
      throw error;
    }
    sums.set(name, hash.digest("hex"));
  }

  async function finish(manifest: Omit<Manifest, "sums">): Promise<Manifest> {
    const list = Buffer.from(formatHashes(sums));
    const last: Manifest = { ...manifest, sums: createHash("sha256").update(list).digest("hex") };
    await add(sumsName, list);
    await add(manifestName, Buffer.from(`${JSON.stringify(last, null, 2)}\n`));
    tar.finalize();
    await written;
    return last;
  }

  /** Ends the file where it is. */
  async function abort(): Promise<void> {
    tar.destroy(new Error("The backup was stopped."));
    await written.catch(() => undefined);
  }

  return { add, finish, abort };
}

export type Archive = ReturnType<typeof createArchive>;

/** age derives the key with scrypt; 2^16 takes 64 MB and a fraction of a second (age itself takes 2^18 and 256 MB). */
const scryptWorkFactor = 16;

async function encrypt(source: Readable | Transform, output: NodeJS.WritableStream, passphrase: string) {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(scryptWorkFactor);
  const plain = new PassThrough();
  const read = pipeline(source, plain);
  read.catch(() => undefined);
  const encrypted = await encrypter.encrypt(toWeb(plain));
  await Promise.all([read, pipeline(fromWeb(encrypted), output)]);
}

/** Node's type of web streams and the DOM's describe the same class. */
export function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}

export function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
