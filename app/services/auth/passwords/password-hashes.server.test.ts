import { hashPassword as hashAsBetterAuth } from "better-auth/crypto";
import { describe, expect, test } from "vitest";

import { createPasswordHashes, isOutdatedHash } from "./password-hashes.server.ts";

describe("a password hash", () => {
  const passwords = createPasswordHashes();

  test("names its parameters, and is different each time", async () => {
    const [first, second] = [await passwords.hash("tea with Charles"), await passwords.hash("tea with Charles")];
    expect(first).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(first === second).toBe(false);
    expect(isOutdatedHash(first)).toBe(false);
  });

  test.each(["tea with Charles", "名刺名刺", "a".repeat(128), "😀".repeat(128), "\0"])(
    "belongs to its password alone: %j",
    async (password) => {
      const hash = await passwords.hash(password);
      expect(await passwords.verify({ hash, password })).toBe(true);
      expect(await passwords.verify({ hash, password: `${password} ` })).toBe(false);
    },
  );

  test("is the same for the same characters in another encoding", async () => {
    const hash = await passwords.hash("café au lait".normalize("NFC"));
    expect(await passwords.verify({ hash, password: "café au lait".normalize("NFD") })).toBe(true);
  });

  test("of an older release is verified, and is outdated", async () => {
    const hash = await hashAsBetterAuth("tea with Charles");
    expect(isOutdatedHash(hash)).toBe(true);
    expect(await passwords.verify({ hash, password: "tea with Charles" })).toBe(true);
    expect(await passwords.verify({ hash, password: "tea with Ada" })).toBe(false);
  });

  test("with other parameters is verified with those", async () => {
    // RFC 7914 §12: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1, 64).
    const hex =
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887";
    const parts = [Buffer.from("SodiumChloride"), Buffer.from(hex, "hex")].map((bytes) =>
      bytes.toString("base64").replace(/=+$/, ""),
    );
    const hash = ["$scrypt$ln=14,r=8,p=1", ...parts].join("$");
    expect(await passwords.verify({ hash, password: "pleaseletmein" })).toBe(true);
    expect(isOutdatedHash(hash)).toBe(true);
  });

  test("in an unknown format is an error, not a wrong password", async () => {
    for (const hash of ["", "x", "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA", "ab:cd"])
      await expect(passwords.verify({ hash, password: "x" })).rejects.toThrow("unknown format");
  });
});
