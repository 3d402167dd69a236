import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import PQueue from "p-queue";

export type PasswordHashes = {
  hash(password: string): Promise<string>;
  /** Takes the same time for every hash and for `hash`, so that it reveals nothing about an account. */
  verify(given: { hash: string; password: string }): Promise<boolean>;
};

type Cost = { N: number; r: number; p: number };

/** OWASP's password storage cheat sheet; of its equivalent settings one that needs little memory. See decision 40. */
const currentCost: Cost = { N: 2 ** 14, r: 8, p: 5 };
/** Of releases until November 2026: better-auth's hashes, which name no parameters. */
const oldCost: Cost = { N: 2 ** 14, r: 16, p: 1 };
/** What an old hash is cheaper by: the time is proportional to N * r * p. */
const differenceCost: Cost = { N: 2 ** 14, r: 8, p: 3 };

const saltBytes = 16;
const keyBytes = 32;
const oldKeyBytes = 64;

/** PHC string format: "$scrypt$ln=14,r=8,p=5$salt$key". */
const currentPattern = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;
const oldPattern = /^([\da-f]+):([\da-f]+)$/;

/** Hashes passwords with scrypt, two at a time in this process: each takes 16 MB and one of the four threads for files and names. */
export function createPasswordHashes({ concurrency = 2 } = {}): PasswordHashes {
  const queue = new PQueue({ concurrency });
  return {
    hash: (password) => queue.add(() => hashPassword(password)),
    verify: ({ hash, password }) => queue.add(() => verifyPassword(hash, password)),
  };
}

/** Whether a hash has other parameters than those of new ones. */
export function isOutdatedHash(hash: string): boolean {
  return !hash.startsWith(`${prefixOf(currentCost)}$`);
}

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await deriveKey(password, { salt, length: keyBytes, cost: currentCost });
  return [prefixOf(currentCost), encode(salt), encode(key)].join("$");
}

async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [, ln, r, p, salt = "", key = ""] = currentPattern.exec(hash) ?? [];
  if (ln === undefined) return verifyOldHash(hash, password);
  const expected = Buffer.from(key, "base64");
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const actual = await deriveKey(password, { salt: Buffer.from(salt, "base64"), length: expected.length, cost });
  return timingSafeEqual(actual, expected);
}

async function verifyOldHash(hash: string, password: string): Promise<boolean> {
  // The salt is the hexadecimal text, not the bytes.
  const [, salt, key] = oldPattern.exec(hash) ?? [];
  if (salt === undefined || key?.length !== oldKeyBytes * 2) throw new Error("A password hash has an unknown format.");
  const actual = await deriveKey(password, { salt, length: oldKeyBytes, cost: oldCost });
  await deriveKey(password, { salt, length: keyBytes, cost: differenceCost });
  return timingSafeEqual(actual, Buffer.from(key, "hex"));
}

function deriveKey(password: string, { salt, length, cost }: { salt: string | Buffer; length: number; cost: Cost }) {
  const maxmem = 256 * cost.N * cost.r;
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, length, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function prefixOf({ N, r, p }: Cost): string {
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}`;
}

/** Base64 without padding. */
function encode(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
