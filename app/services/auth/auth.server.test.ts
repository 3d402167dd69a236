import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { adaCredentials, advanceClock, openAccount } from "#tests/support/app/auth.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
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
    expect(await selectAll({ db }, "user")).toEqual([]);
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

  test("stores an Argon2id hash of each password, with OWASP's parameters by default", async () => {
    const { readTables } = await openAccount(makeDb, engine, { hasCheapHashes: false });
    expect((await readTables()).account).toEqual([
      expect.objectContaining({ password: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }),
    ]);
  });

  test("sweeps expired sessions and links, and nothing else", async () => {
    const { auth, readTables } = await openAccount(makeDb, engine);
    await auth.requestReset(adaCredentials.email);
    await auth.sweep();
    const count = async () => Object.values(await readTables()).map((rows) => rows.length);
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
