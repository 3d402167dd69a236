import { argon2, randomBytes, timingSafeEqual } from "node:crypto";

import PQueue from "p-queue";

export type PasswordHashes = {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
  /** A hash of no password: verifying it takes as long as a wrong password. */
  hashOfNoPassword: string;
};

type PasswordHashesOptions = {
  /** Hashes computed at a time in this process. Each takes about 19 MB and one of the four threads for files and names. */
  concurrency?: number;
  /** Of new hashes. */
  cost?: Argon2Cost;
};

/** `memory` in KiB. */
export type Argon2Cost = { memory: number; passes: number; parallelism: number };
type Derivation = { salt: Buffer; length: number; cost: Argon2Cost };
type StoredHash = Derivation & { key: Buffer };

/** The first choice of OWASP's password storage cheat sheet. See decision 40. */
const owaspCost: Argon2Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };

const saltBytes = 16;
const keyBytes = 32;

/** The PHC string format: "$argon2id$v=19$m=19456,t=2,p=1$salt$key". */
const pattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,})\$([\w+/]{11,})$/;

/** Hashes passwords with Argon2id. A hash is verified with the parameters that it names. */
export function createPasswordHashes({
  concurrency = 2,
  cost = owaspCost,
}: PasswordHashesOptions = {}): PasswordHashes {
  const queue = new PQueue({ concurrency });
  return {
    hash: (password) => queue.add(() => hashPassword(password, cost)),
    verify: ({ hash, password }) => queue.add(() => verifyPassword(password, hash)),
    hashOfNoPassword: formatHash(Buffer.alloc(saltBytes), { key: Buffer.alloc(keyBytes), cost }),
  };
}

async function hashPassword(password: string, cost: Argon2Cost): Promise<string> {
  const salt = randomBytes(saltBytes);
  return formatHash(salt, { key: await deriveKey(password, { salt, length: keyBytes, cost }), cost });
}

async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const stored = parseHash(hash);
  return timingSafeEqual(await deriveKey(password, stored), stored.key);
}

/** Reads the parameters, the salt and the key of a stored hash. Throws if it has an unknown format. */
function parseHash(hash: string): StoredHash {
  const [, memory, passes, lanes, salt = "", encodedKey = ""] = pattern.exec(hash) ?? [];
  if (memory === undefined) throw new Error("A password hash has an unknown format.");
  const key = decode(encodedKey);
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(lanes) };
  return { cost, salt: decode(salt), key, length: key.length };
}

function deriveKey(text: string, { salt, length, cost }: Derivation): Promise<Buffer> {
  const given = { message: text.normalize("NFKC"), nonce: salt, tagLength: length, ...cost };
  return new Promise((resolve, reject) => {
    argon2("argon2id", given, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function formatHash(salt: Buffer, { key, cost }: { key: Buffer; cost: Argon2Cost }): string {
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(key)}`;
}

/** Base64 without padding. */
function encode(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

function decode(text: string): Buffer {
  return Buffer.from(text, "base64");
}
