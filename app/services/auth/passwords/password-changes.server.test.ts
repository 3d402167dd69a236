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

  test("replaces this session, ends the others and the mailed links, and tells the owner", async () => {
    const { auth, mails, headers, userId, change } = await openSignedIn();
    const other = cookieHeaders(await auth.signIn(signInWith(adaCredentials.password)));
    await auth.requestReset(adaCredentials.email);
    const reset = tokenOf(mails[0]);
    const before = (await auth.findPasswordTime(userId)) ?? 0;
    advanceClock({ hours: 0.5 });
    const changed = await auth.changePassword(change);
    expect(changed?.cookies).toEqual([
      expect.stringMatching(/^meishi\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await auth.findViewer(headers)).viewer).toBeUndefined();
    const replaced = cookieHeaders({ kind: "changed", ...changed });
    expect(await auth.findViewer(replaced)).toEqual({ viewer: expect.objectContaining({ id: userId }), cookies: [] });
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
    expect(await auth.changePassword({ ...change, current: "wrong password" })).toBeUndefined();
    expect(await auth.changePassword({ ...change, userId: "someone-else" })).toBeUndefined();
    expect(await readAccountTables(db)).toEqual(before);
    expect(mails).toEqual([]);
    expect(await auth.checkPassword({ userId, password: "wrong password" })).toBe(false);
    expect(await auth.checkPassword({ userId, password: adaCredentials.password })).toBe(true);
  });

  test("leaves no session of a sign-in with the old password that was under way", async () => {
    const { auth, db, userId, change } = await openSignedIn();
    const signIns = Array.from({ length: 6 }, () => auth.signIn(signInWith(adaCredentials.password)));
    const [changed, ...results] = await Promise.all([auth.changePassword(change), ...signIns]);
    const { session } = await readAccountTables(db);
    expect(session).toHaveLength(1);
    for (const result of results) expect((await auth.findViewer(cookieHeaders(result))).viewer).toBeUndefined();
    const replaced = cookieHeaders({ kind: "changed", ...changed });
    expect((await auth.findViewer(replaced)).viewer?.id).toBe(userId);
  });

  test("happens once when it is submitted twice at the same time", async () => {
    const { auth, change } = await openSignedIn();
    const results = await Promise.all([
      auth.changePassword(change),
      auth.changePassword({ ...change, password: "tea with Mary" }),
    ]);
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    const winner = results[0] ? password : "tea with Mary";
    expect(await auth.signIn(signInWith(winner))).toMatchObject({ kind: "signed-in" });
  });

  test("starts no session for a browser that signed out in the meantime", async () => {
    const { auth, db, headers, change } = await openSignedIn();
    await auth.signOut(headers);
    expect(await auth.changePassword(change)).toEqual({ cookies: [] });
    expect((await readAccountTables(db)).session).toEqual([]);
  });

  test("replaces a Secure __Host- cookie over HTTPS", async () => {
    const { auth, mails } = await openAuth(makeDb, engine, { baseUrl: "https://cards.example.com" });
    const headers = await makeAccount(auth, mails);
    const userId = (await auth.findViewer(headers)).viewer?.id ?? "";
    const changed = await auth.changePassword({ userId, current: adaCredentials.password, password, headers });
    expect(changed?.cookies[0]).toMatch(
      /^__Host-meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await auth.findViewer(cookieHeaders({ kind: "changed", ...changed }))).viewer?.id).toBe(userId);
  });

  test("needs a password that exists", async () => {
    const { auth, db, userId, change } = await openSignedIn();
    await db.deleteFrom("account" as "setting").execute();
    expect(await auth.findPasswordTime(userId)).toBeUndefined();
    expect(await auth.changePassword(change)).toBeUndefined();
  });
});
