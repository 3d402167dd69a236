import { expect, test } from "vitest";

import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
  tokenOf,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const password = "coffee with Mary";

describeOnEachDatabase("changing the password", (makeDb, engine) => {
  async function openSignedIn() {
    const opened = await openAuth(makeDb, engine);
    const headers = await makeAccount(opened.auth, opened.mails);
    const userId = (await opened.auth.findViewer(headers)).viewer?.id ?? "";
    const change = { userId, current: adaCredentials.password, password, headers };
    return { ...opened, headers, userId, change };
  }

  const signInWith = (word: string) => ({ email: adaCredentials.email, password: word, headers: noCookies });

  test("keeps this session, ends the others and the mailed links, and tells the owner", async () => {
    const { auth, mails, headers, userId, change } = await openSignedIn();
    const other = cookieHeaders(await auth.signIn(signInWith(adaCredentials.password)));
    await auth.requestReset(adaCredentials.email);
    const reset = tokenOf(mails[0]);
    const before = (await auth.findPasswordTime(userId)) ?? 0;
    advanceClock({ hours: 0.5 });
    expect(await auth.changePassword(change)).toBe(true);
    expect((await auth.findViewer(headers)).viewer?.id).toBe(userId);
    expect((await auth.findViewer(other)).viewer).toBeUndefined();
    expect(await auth.findReset(reset)).toBeUndefined();
    expect(await auth.findPasswordTime(userId)).toBe(before + 1_800_000);
    expect(mails.at(-1)).toEqual({ kind: "password-changed", to: adaCredentials.email });
    expect(await auth.signIn(signInWith(adaCredentials.password))).toEqual({ kind: "refused" });
    expect(await auth.signIn(signInWith(password))).toMatchObject({ kind: "signed-in" });
  });

  test("needs the current password", async () => {
    const { auth, db, mails, userId, change } = await openSignedIn();
    const before = await readAccountTables(db);
    expect(await auth.changePassword({ ...change, current: "wrong password" })).toBe(false);
    expect(await auth.changePassword({ ...change, userId: "someone-else" })).toBe(false);
    expect(await readAccountTables(db)).toEqual(before);
    expect(mails).toEqual([]);
    expect(await auth.checkPassword({ userId, password: "wrong password" })).toBe(false);
    expect(await auth.checkPassword({ userId, password: adaCredentials.password })).toBe(true);
  });

  test("leaves no session of a sign-in with the old password that was under way", async () => {
    const { auth, db, userId, change } = await openSignedIn();
    const signIns = Array.from({ length: 6 }, () => auth.signIn(signInWith(adaCredentials.password)));
    const [changed, ...results] = await Promise.all([auth.changePassword(change), ...signIns]);
    expect(changed).toBe(true);
    const { session } = await readAccountTables(db);
    expect(session).toHaveLength(1);
    for (const result of results) expect((await auth.findViewer(cookieHeaders(result))).viewer).toBeUndefined();
    expect((await auth.findViewer(change.headers)).viewer?.id).toBe(userId);
  });

  test("happens once when it is submitted twice at the same time", async () => {
    const { auth, change } = await openSignedIn();
    const results = await Promise.all([
      auth.changePassword(change),
      auth.changePassword({ ...change, password: "tea with Mary" }),
    ]);
    expect(results.toSorted()).toEqual([false, true]);
    const winner = results[0] ? password : "tea with Mary";
    expect(await auth.signIn(signInWith(winner))).toMatchObject({ kind: "signed-in" });
  });

  test("needs a password that exists", async () => {
    const { auth, db, userId, change } = await openSignedIn();
    await db.deleteFrom("account" as "setting").execute();
    expect(await auth.findPasswordTime(userId)).toBeUndefined();
    expect(await auth.changePassword(change)).toBe(false);
  });
});
