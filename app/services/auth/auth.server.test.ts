import { argon2Sync } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  countUsers,
  openAccount,
  readAccountTables,
} from "#tests/support/app/auth.ts";
import { migrate } from "#app/services/database/migrate.server.ts";
import { describeOnEachDatabase, makeDatabase, migrationsFolder } from "#tests/support/database/databases.ts";

import { createAuthTables } from "./better-auth.server.ts";

describeOnEachDatabase("auth", (makeDb, engine) => {
  test("creates its tables once, even when three processes start together", async () => {
    const { db } = await makeDatabase(engine, { migrated: false });
    await migrate(db, engine, migrationsFolder);
    // A SQLite file belongs to one process.
    const processes = engine === "postgres" ? 3 : 1;
    await Promise.all(Array.from({ length: processes }, () => createAuthTables(db, engine)));
    await createAuthTables(db, engine);
    expect(await countUsers(db)).toBe(0);
  });

  test("responds after the same time at least, with an account and without one", async () => {
    const minResponseMs = 300;
    const { auth } = await openAccount(makeDb, engine, { minResponseMs });
    for (const email of [adaCredentials.email, "nobody@example.com"]) {
      // Of two timers of one length, the first one ends first.
      const earlier = pause(minResponseMs, "earlier");
      expect(await Promise.race([auth.requestReset(email), earlier])).toBe("earlier");
    }
  });

  test("stores only a salted Argon2id hash of each password, with OWASP's parameters by default", async () => {
    const { auth, db, lastToken } = await openAccount(makeDb, engine, { hasCheapHashes: false });
    const headers = cookieHeaders(await auth.signUp({ ...adaCredentials, email: "twin@example.com" }));
    await auth.confirm({ headers, token: lastToken(), viewer: undefined });
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
    const { auth, db } = await openAccount(makeDb, engine);
    await auth.requestReset(adaCredentials.email);
    await auth.sweep();
    const count = async () => Object.values(await readAccountTables(db)).map((rows) => rows.length);
    // Users, accounts, sessions, links.
    expect(await count()).toEqual([1, 1, 1, 1]);
    advanceClock({ hours: 7 * 24 + 1 });
    await auth.sweep();
    expect(await count()).toEqual([1, 1, 0, 0]);
  });

  test("throws when a mail can't be stored", async () => {
    const { auth, mails } = await openAccount(makeDb, engine);
    mails.push = () => {
      throw new Error("disk full");
    };
    await expect(auth.requestReset(adaCredentials.email)).rejects.toThrow("disk full");
    await expect(auth.signUp({ ...adaCredentials, email: "new@example.com" })).rejects.toThrow("disk full");
  });
});
