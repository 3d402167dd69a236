import { describe, expect, test } from "vitest";

import { createPasswordHashes } from "./password-hashes.server.ts";

const passwords = createPasswordHashes();

describe("a password hash", () => {
  test("names its parameters, is different each time, and belongs to its password alone", async () => {
    const [first, second] = [await passwords.hash("tea with Charles"), await passwords.hash("tea with Charles")];
    const format = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;
    for (const hash of [first, passwords.hashOfNoPassword]) expect(hash).toMatch(format);
    expect(first).not.toBe(second);
    for (const password of ["tea with Charles", "a".repeat(128), "😀".repeat(128), "\0"]) {
      const hash = await passwords.hash(password);
      expect(await passwords.verify({ hash, password })).toBe(true);
      expect(await passwords.verify({ hash, password: `${password} ` })).toBe(false);
    }
    const hash = await passwords.hash("café au lait".normalize("NFC"));
    expect(await passwords.verify({ hash, password: "café au lait".normalize("NFD") })).toBe(true);
    expect(await passwords.verify({ hash: passwords.hashOfNoPassword, password: "" })).toBe(false);
  });

  test("of the reference implementation is verified with its own parameters", async () => {
    // P-H-C/phc-winner-argon2, src/test.c: Argon2id, version 19, t=2, m=2^16, p=1.
    const key = Buffer.from("09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7", "hex");
    const hash = ["$argon2id$v=19$m=65536,t=2,p=1", base64("somesalt"), base64(key)].join("$");
    expect(await passwords.verify({ hash, password: "password" })).toBe(true);
    expect(await passwords.verify({ hash, password: "Password" })).toBe(false);
  });

  test("in an unknown format is an error, not a wrong password", async () => {
    const argon2i = "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$c29tZXNhbHQ";
    for (const hash of ["", "x", argon2i, "$argon2id$v=19$m=8,t=1,p=1$$", "ab:cd"])
      await expect(passwords.verify({ hash, password: "x" })).rejects.toThrow("unknown format");
  });
});

function base64(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
