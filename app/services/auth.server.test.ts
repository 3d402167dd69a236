import { scryptSync } from "node:crypto";

import { expect, test } from "vitest";

import { ada, countUsers, makeAccount, openAuth, readAll, tokenOf, wait } from "#tests/support/accounts.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";

import { createAuthTables } from "./auth.server.ts";

describeOnEachDatabase("accounts", (makeDb, engine) => {
  test("get their tables once, also when three processes start together", async () => {
    const db = await makeDb();
    // A SQLite file belongs to one process.
    const together = engine === "postgres" ? 3 : 1;
    await Promise.all(Array.from({ length: together }, () => createAuthTables(db, engine)));
    await createAuthTables(db, engine);
    expect(await countUsers(db)).toBe(0);
  });

  test("answer alike, and take at least a set time, with an account and without one", async () => {
    const { auth, mails } = await openAuth(makeDb, engine, { answerAfter: 150 });
    await makeAccount(auth, mails);
    for (const email of [ada.email, "nobody@example.com"]) {
      const started = performance.now();
      expect(await auth.requestReset(email)).toBeUndefined();
      expect(performance.now() - started).toBeGreaterThanOrEqual(145);
    }
  });

  test("keep of a password its scrypt hash alone, each with a salt of its own", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.signUp({ ...ada, email: "twin@example.com" });
    await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined });
    const hashes = (await readAll(db)).account.map((row) => String(Reflect.get(row, "password")).split(":"));
    expect(hashes).toHaveLength(2);
    expect(new Set(hashes.map(([salt]) => salt)).size).toBe(2);
    for (const [salt = "", hash] of hashes) {
      expect(salt).toMatch(/^[0-9a-f]{32}$/);
      const cost = { N: 16_384, r: 16, p: 1, maxmem: 64_000_000 };
      expect(scryptSync(ada.password.normalize("NFKC"), salt, 64, cost).toString("hex")).toBe(hash);
    }
  });

  test("lose what is over with a sweep, and nothing else", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(ada.email);
    await auth.sweep();
    const count = async () =>
      Object.fromEntries(Object.entries(await readAll(db)).map(([name, rows]) => [name, rows.length]));
    expect(await count()).toEqual({ user: 1, account: 1, session: 1, verification: 1 });
    wait({ hours: 7 * 24 + 1 });
    await auth.sweep();
    expect(await count()).toEqual({ user: 1, account: 1, session: 0, verification: 0 });
  });

  test("fail loudly when a mail can't be kept", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    mails.push = () => {
      throw new Error("disk full");
    };
    await expect(auth.requestReset(ada.email)).rejects.toThrow("disk full");
    await expect(auth.signUp({ ...ada, email: "new@example.com" })).rejects.toThrow("disk full");
  });
});
