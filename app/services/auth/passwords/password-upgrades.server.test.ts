import { hashPassword as hashAsBetterAuth } from "better-auth/crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";

import { findPasswordHash, hasOldHashes } from "#app/services/auth/user-rows.server.ts";
import { adaCredentials, hashAsScrypt, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("a password hash of an older release", (makeDb, engine) => {
  /** An account whose password was hashed by an older release. */
  async function open(hashBefore = hashAsBetterAuth) {
    const opened = await openAccount(makeDb, engine);
    const hash = await hashBefore(adaCredentials.password);
    await sql`update account set password = ${hash}`.execute(opened.db);
    const findHash = async () => (await findPasswordHash(opened.db, adaCredentials.email))?.hash;
    return { ...opened, hash, findHash };
  }

  test.each([
    ["better-auth", hashAsBetterAuth],
    ["scrypt", hashAsScrypt],
  ])("of %s is replaced at a sign-in, and the password counts as unchanged", async (_name, hashBefore) => {
    const { auth, db, userId, hash, findHash, signIn } = await open(hashBefore);
    const setAt = await auth.findPasswordTime(userId);
    expect(await hasOldHashes(db)).toBe(true);
    expect(await signIn({ password: "a wrong word" })).toEqual({ kind: "refused" });
    expect(await findHash()).toBe(hash);
    expect(await signIn()).toMatchObject({ kind: "signed-in" });
    const upgraded = await findHash();
    expect(upgraded).toMatch(/^\$argon2id\$v=19\$/);
    expect(await hasOldHashes(db)).toBe(false);
    expect(await auth.findPasswordTime(userId)).toBe(setAt);
    expect(await signIn()).toMatchObject({ kind: "signed-in" });
    expect(await findHash()).toBe(upgraded);
  });

  test("lets each of twenty sign-ins at once through", async () => {
    const { signIn } = await open();
    const results = await Promise.all(Array.from({ length: 20 }, () => signIn()));
    expect(results.map(({ kind }) => kind)).toEqual(Array<string>(20).fill("signed-in"));
  });
});
