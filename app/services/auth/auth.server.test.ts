import { argon2Sync } from "node:crypto";

import { expect, test } from "vitest";

import {
  adaCredentials,
  cookieHeaders,
  countUsers,
  makeAccount,
  openAuth,
  readAccountTables,
  tokenOf,
  advanceClock,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { createAuthTables } from "./better-auth.server.ts";

describeOnEachDatabase("auth", (makeDb, engine) => {
  test("creates its tables once, even when three processes start together", async () => {
    const db = await makeDb();
    // A SQLite file belongs to one process.
    const processes = engine === "postgres" ? 3 : 1;
    await Promise.all(Array.from({ length: processes }, () => createAuthTables(db, engine)));
    await createAuthTables(db, engine);
    expect(await countUsers(db)).toBe(0);
  });

  test("responds in the same way and time with an account and without one", async () => {
    const { auth, mails } = await openAuth(makeDb, engine, { minResponseMs: 150 });
    await makeAccount(auth, mails);
    for (const email of [adaCredentials.email, "nobody@example.com"]) {
      const started = performance.now();
      expect(await auth.requestReset(email)).toBeUndefined();
      expect(performance.now() - started).toBeGreaterThanOrEqual(145);
    }
  });

  test("stores only a salted Argon2id hash of each password, with OWASP's parameters by default", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine, { hasCheapHashes: false });
    await makeAccount(auth, mails);
    const headers = cookieHeaders(await auth.signUp({ ...adaCredentials, email: "twin@example.com" }));
    await auth.confirm({ headers, token: tokenOf(mails[0]), viewer: undefined });
    const hashes = (await readAccountTables(db)).account.map((row) => String(Reflect.get(row, "password")).split("$"));
    expect(hashes).toHaveLength(2);
    expect(new Set(hashes.map(([, , , , salt]) => salt)).size).toBe(2);
    for (const [, name, version, parameters, salt = "", hash = ""] of hashes) {
      expect([name, version, parameters]).toEqual(["argon2id", "v=19", "m=19456,t=2,p=1"]);
      const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
      const message = adaCredentials.password.normalize("NFKC");
      const key = argon2Sync("argon2id", { message, nonce: Buffer.from(salt, "base64"), ...cost });
      expect(key.equals(Buffer.from(hash, "base64"))).toBe(true);
    }
  });

  test("sweeps expired sessions and links, and nothing else", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    await auth.sweep();
    const count = async () =>
      Object.fromEntries(Object.entries(await readAccountTables(db)).map(([name, rows]) => [name, rows.length]));
    expect(await count()).toEqual({ user: 1, account: 1, session: 1, verification: 1 });
    advanceClock({ hours: 7 * 24 + 1 });
    await auth.sweep();
    expect(await count()).toEqual({ user: 1, account: 1, session: 0, verification: 0 });
  });

  test("throws when a mail can't be stored", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    mails.push = () => {
      throw new Error("disk full");
    };
    await expect(auth.requestReset(adaCredentials.email)).rejects.toThrow("disk full");
    await expect(auth.signUp({ ...adaCredentials, email: "new@example.com" })).rejects.toThrow("disk full");
  });
});
