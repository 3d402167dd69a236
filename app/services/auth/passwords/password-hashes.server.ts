import { argon2, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import PQueue from "p-queue";

export type PasswordHashes = {
  hash(password: string): Promise<string>;
  /** A wrong password takes the same time for every hash, so that it reveals nothing about an account. */
  verify(given: { hash: string; password: string }): Promise<boolean>;
  /** Whether a hash has another form or other parameters than new ones. */
  isOutdated(hash: string): boolean;
  /** A hash of no password: verifying it takes as long as a wrong password. */
  hashOfNoPassword: string;
};

type PasswordHashesOptions = {
  /** Hashes computed at a time in this process. Each takes about 19 MB and one of the four threads for files and names. */
  concurrency?: number;
  /** Whether any account still has a hash of an older release. */
  findOldHashes?: () => Promise<boolean>;
  /** Of new hashes. */
  cost?: Argon2Cost;
};

/** `memory` in KiB. */
export type Argon2Cost = { memory: number; passes: number; parallelism: number };
type ScryptCost = { N: number; r: number; p: number };
type Derivation = { salt: string | Buffer; length: number; cost: Argon2Cost | ScryptCost };
type StoredHash = Derivation & { key: Buffer };

/** The first choice of OWASP's password storage cheat sheet. See decision 40. */
const owaspCost: Argon2Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
/** Of releases until November 2026: better-auth's hashes, which name no parameters. */
const firstCost: ScryptCost = { N: 2 ** 14, r: 16, p: 1 };
const firstKeyBytes = 64;

const saltBytes = 16;
const keyBytes = 32;
const anySalt = Buffer.alloc(saltBytes);

/** PHC string formats: "$argon2id$v=19$m=19456,t=2,p=1$salt$key" and "$scrypt$ln=14,r=8,p=5$salt$key". */
const argon2Pattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,})\$([\w+/]{11,})$/;
const scryptPattern = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;
const firstPattern = /^([\da-f]+):([\da-f]{128})$/;

/** Hashes passwords with Argon2id, and verifies the scrypt hashes of older releases. */
export function createPasswordHashes(options: PasswordHashesOptions = {}): PasswordHashes {
  const { concurrency = 2, findOldHashes = async () => false, cost = owaspCost } = options;
  const queue = new PQueue({ concurrency });
  return {
    hash: (password) => queue.add(() => hashPassword(password, cost)),
    verify: ({ hash, password }) => queue.add(() => verifyPassword(password, { hash, findOldHashes, cost })),
    isOutdated: (hash) => !hash.startsWith(`${prefixOf(cost)}$`),
    hashOfNoPassword: formatHash(anySalt, { key: Buffer.alloc(keyBytes), cost }),
  };
}

async function hashPassword(password: string, cost: Argon2Cost): Promise<string> {
  const salt = randomBytes(saltBytes);
  return formatHash(salt, { key: await deriveKey(password, { salt, length: keyBytes, cost }), cost });
}

type Verification = { hash: string; findOldHashes: () => Promise<boolean>; cost: Argon2Cost };

async function verifyPassword(
  password: string,
  { hash, findOldHashes, cost: newCost }: Verification,
): Promise<boolean> {
  const stored = parseHash(hash);
  if (timingSafeEqual(await deriveKey(password, stored), stored.key)) return true;
  const missing = (await findOldHashes()) ? refusalWork(stored.cost, newCost) : [];
  for (const cost of missing) await deriveKey(password, { salt: anySalt, length: keyBytes, cost });
  return false;
}

/**
 * What a wrong password costs besides verifying its hash, while older hashes exist: with it, every hash takes one Argon2id and scrypt
 * with N = 2^14 and r * p = 40, the most that an older hash takes. The time of scrypt is proportional to N * r * p.
 */
export function refusalWork(cost: Derivation["cost"], newCost: Argon2Cost = owaspCost): Derivation["cost"][] {
  if ("memory" in cost) return [{ N: 2 ** 14, r: 8, p: 5 }];
  const missing = 5 - (cost.N * cost.r * cost.p) / (2 ** 14 * 8);
  return missing >= 1 ? [newCost, { N: 2 ** 14, r: 8, p: missing }] : [newCost];
}

/** Reads the parameters, the salt and the key of a stored hash. Throws if it has an unknown format. */
export function parseHash(hash: string): StoredHash {
  const [, m, t, lanes, argon2Salt = "", argon2Key = ""] = argon2Pattern.exec(hash) ?? [];
  if (m !== undefined) {
    const cost = { memory: Number(m), passes: Number(t), parallelism: Number(lanes) };
    return toStored(cost, { salt: decode(argon2Salt), key: decode(argon2Key) });
  }
  const [, ln, r, p, salt = "", key = ""] = scryptPattern.exec(hash) ?? [];
  if (ln !== undefined) {
    const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
    return toStored(cost, { salt: decode(salt), key: decode(key) });
  }
  const [, firstSalt, firstKey = ""] = firstPattern.exec(hash) ?? [];
  if (firstSalt === undefined) throw new Error("A password hash has an unknown format.");
  // The salt is the hexadecimal text, not the bytes.
  return { cost: firstCost, salt: firstSalt, key: Buffer.from(firstKey, "hex"), length: firstKeyBytes };
}

function toStored(cost: Derivation["cost"], { salt, key }: { salt: Buffer; key: Buffer }): StoredHash {
  return { cost, salt, key, length: key.length };
}

function deriveKey(text: string, { salt, length, cost }: Derivation): Promise<Buffer> {
  const password = text.normalize("NFKC");
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer) => (error ? reject(error) : resolve(key));
    if ("memory" in cost) argon2("argon2id", { message: password, nonce: salt, tagLength: length, ...cost }, done);
    else scrypt(password, salt, length, { ...cost, maxmem: 256 * cost.N * cost.r }, done);
  });
}

function formatHash(salt: Buffer, { key, cost }: { key: Buffer; cost: Argon2Cost }): string {
  return [prefixOf(cost), encode(salt), encode(key)].join("$");
}

function prefixOf({ memory, passes, parallelism }: Argon2Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
}

/** Base64 without padding. */
function encode(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

function decode(text: string): Buffer {
  return Buffer.from(text, "base64");
}
