import { hashPassword as hashAsBetterAuth } from "better-auth/crypto";
import { describe, expect, test } from "vitest";

import { hashAsScrypt } from "#tests/support/app/auth.ts";

import { createPasswordHashes, parseHash, refusalWork } from "./password-hashes.server.ts";

const oldHashes = [
  ["of the first releases", hashAsBetterAuth],
  ["with scrypt and its parameters", hashAsScrypt],
] as const;

const passwords = createPasswordHashes();

describe("a password hash", () => {
  test("names its parameters, is different each time, and belongs to its password alone", async () => {
    const [first, second] = [await passwords.hash("tea with Charles"), await passwords.hash("tea with Charles")];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect([first === second, passwords.isOutdated(first)]).toEqual([false, false]);
    for (const password of ["tea with Charles", "a".repeat(128), "😀".repeat(128), "\0"]) {
      const hash = await passwords.hash(password);
      expect(await passwords.verify({ hash, password })).toBe(true);
      expect(await passwords.verify({ hash, password: `${password} ` })).toBe(false);
    }
    const hash = await passwords.hash("café au lait".normalize("NFC"));
    expect(await passwords.verify({ hash, password: "café au lait".normalize("NFD") })).toBe(true);
  });

  test.each(oldHashes)("%s is verified, and is outdated", async (_name, hashBefore) => {
    const hash = await hashBefore("tea with Charles");
    expect(passwords.isOutdated(hash)).toBe(true);
    expect(await passwords.verify({ hash, password: "tea with Charles" })).toBe(true);
    expect(await passwords.verify({ hash, password: "tea with Ada" })).toBe(false);
  });

  test("of the reference implementations is verified with its own parameters", async () => {
    // The test of the reference implementation (P-H-C/phc-winner-argon2, src/test.c): Argon2id, version 19, t=2, m=2^16, p=1.
    const argon2Hex = "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7";
    const argon2 = ["$argon2id$v=19$m=65536,t=2,p=1", base64("somesalt"), base64(Buffer.from(argon2Hex, "hex"))];
    // RFC 7914 §12: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1, 64).
    const scryptHex =
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887";
    const scrypt = ["$scrypt$ln=14,r=8,p=1", base64("SodiumChloride"), base64(Buffer.from(scryptHex, "hex"))];
    for (const [parts, password] of [
      [argon2, "password"],
      [scrypt, "pleaseletmein"],
    ] as const) {
      const hash = parts.join("$");
      expect(await passwords.verify({ hash, password })).toBe(true);
      expect(await passwords.verify({ hash, password: "Password" })).toBe(false);
      expect(passwords.isOutdated(hash)).toBe(true);
    }
  });

  test("in an unknown format is an error, not a wrong password", async () => {
    const argon2i = "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$c29tZXNhbHQ";
    for (const hash of ["", "x", argon2i, "$argon2id$v=19$m=8,t=1,p=1$$", "ab:cd"])
      await expect(passwords.verify({ hash, password: "x" })).rejects.toThrow("unknown format");
  });
});

test("a wrong password is refused with the same work for each hash and for none, while older ones exist", async () => {
  const old = await Promise.all(oldHashes.map(([, hash]) => hash("x")));
  const hashes = [passwords.hashOfNoPassword, await passwords.hash("x"), ...old];
  expect(new Set(hashes.map((hash) => passwords.isOutdated(hash)))).toEqual(new Set([true, false]));
  const whileOldExist = createPasswordHashes({ findOldHashes: async () => true });
  for (const hash of hashes) {
    expect(await whileOldExist.verify({ hash, password: "y" })).toBe(false);
    const { cost } = parseHash(hash);
    const work = [cost, ...refusalWork(cost)];
    const scrypts = work.flatMap((step) => ("N" in step ? [step] : []));
    expect(work.filter((step) => "memory" in step)).toEqual([{ memory: 19_456, passes: 2, parallelism: 1 }]);
    // RFC 7914 §2: the work grows with N * r * p.
    expect(scrypts.reduce((sum, { N, r, p }) => sum + N * r * p, 0)).toBe(2 ** 14 * 40);
  }
});

function base64(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
