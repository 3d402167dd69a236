import { hashPassword as hashAsBetterAuth } from "better-auth/crypto";
import { expect, test } from "vitest";

import type { Auth } from "#app/services/auth/auth.server.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import { findPasswordHash, hasOldHashes } from "#app/services/auth/user-rows.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { adaCredentials, hashAsScrypt, makeAccount, noCookies, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const { email } = adaCredentials;

type OldAccount = { auth: Auth; db: Db; mails: AccountMail[]; hashBefore?: (password: string) => Promise<string> };

/** An account whose password was hashed by an older release. */
async function makeOldAccount({ auth, db, mails, hashBefore = hashAsBetterAuth }: OldAccount) {
  await makeAccount(auth, mails);
  const password = await hashBefore(adaCredentials.password);
  await db
    .updateTable("account" as "setting")
    .set({ password } as never)
    .execute();
  const userId = (await auth.findUserId(email)) ?? "";
  return { hash: password, userId, setAt: await auth.findPasswordTime(userId) };
}

describeOnEachDatabase("a password hash of an older release", (makeDb, engine) => {
  test.each([
    ["better-auth", hashAsBetterAuth],
    ["scrypt", hashAsScrypt],
  ])("of %s is replaced at a sign-in, and the password counts as unchanged", async (_name, hashBefore) => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db } = opened;
    const { hash, userId, setAt } = await makeOldAccount({ ...opened, hashBefore });
    expect(await hasOldHashes(db)).toBe(true);
    expect(await auth.signIn({ ...adaCredentials, password: "a wrong word", headers: noCookies })).toEqual({
      kind: "refused",
    });
    expect((await findPasswordHash(db, email))?.hash).toBe(hash);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
    const upgraded = (await findPasswordHash(db, email))?.hash;
    expect(upgraded).toMatch(/^\$argon2id\$v=19\$/);
    expect(await hasOldHashes(db)).toBe(false);
    expect(await auth.findPasswordTime(userId)).toBe(setAt);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
    expect((await findPasswordHash(db, email))?.hash).toBe(upgraded);
  });

  test("lets each of twenty sign-ins at once through", async () => {
    const opened = await openAuth(makeDb, engine);
    await makeOldAccount(opened);
    const { auth } = opened;
    const results = await Promise.all(
      Array.from({ length: 20 }, () => auth.signIn({ ...adaCredentials, headers: noCookies })),
    );
    expect(results.map(({ kind }) => kind)).toEqual(Array<string>(20).fill("signed-in"));
  });
});
