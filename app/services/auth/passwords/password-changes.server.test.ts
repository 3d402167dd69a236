import { expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const password = "coffee with Mary";

describeOnEachDatabase("changing the password", (makeDb, engine) => {
  async function open() {
    const opened = await openAccount(makeDb, engine);
    const { userId, headers } = opened;
    return { ...opened, change: { userId, current: adaCredentials.password, password, headers } };
  }

  test("replaces this session, ends the others and the mailed links, and tells the owner", async () => {
    const { auth, mails, headers, userId, change, signIn, lastToken } = await open();
    const other = cookieHeaders(await signIn());
    await auth.requestReset(adaCredentials.email);
    const before = (await auth.findPasswordTime(userId)) ?? 0;
    advanceClock({ hours: 0.5 });
    const replaced = cookieHeaders({ kind: "changed", ...(await auth.changePassword(change)) });
    expect(await auth.findViewer(replaced)).toEqual({ viewer: expect.objectContaining({ id: userId }), cookies: [] });
    for (const ended of [headers, other]) expect((await auth.findViewer(ended)).viewer).toBeUndefined();
    expect(await auth.findReset(lastToken("reset"))).toBeUndefined();
    expect(await auth.findPasswordTime(userId)).toBe(before + 1_800_000);
    expect(mails.at(-1)).toEqual({ kind: "password-changed", to: adaCredentials.email });
    expect(await signIn()).toEqual({ kind: "refused" });
    expect(await signIn({ password })).toMatchObject({ kind: "signed-in" });
  });

  test("needs the current password, of this account, and one that exists", async () => {
    const { auth, db, readTables, mails, userId, change } = await open();
    const before = await readTables();
    expect(await auth.changePassword({ ...change, current: "wrong password" })).toBeUndefined();
    expect(await auth.changePassword({ ...change, userId: "someone-else" })).toBeUndefined();
    expect(await readTables()).toEqual(before);
    expect(mails).toEqual([]);
    expect(await auth.checkPassword({ userId, password: "wrong password" })).toBe(false);
    expect(await auth.checkPassword({ userId, password: adaCredentials.password })).toBe(true);
    await db.deleteFrom("account" as "setting").execute();
    expect(await auth.findPasswordTime(userId)).toBeUndefined();
    expect(await auth.changePassword(change)).toBeUndefined();
  });

  test("leaves no session of a sign-in with the old password that was under way", async () => {
    const { auth, readTables, userId, change, signIn } = await open();
    const signIns = Array.from({ length: 6 }, () => signIn());
    const [changed, ...results] = await Promise.all([auth.changePassword(change), ...signIns]);
    expect((await readTables()).session).toHaveLength(1);
    for (const result of results) expect((await auth.findViewer(cookieHeaders(result))).viewer).toBeUndefined();
    const replaced = cookieHeaders({ kind: "changed", ...changed });
    expect((await auth.findViewer(replaced)).viewer?.id).toBe(userId);
  });

  test("happens once when it is submitted twice at the same time", async () => {
    const { auth, change, signIn } = await open();
    const passwords = [password, "tea with Mary"];
    const results = await Promise.all(passwords.map((word) => auth.changePassword({ ...change, password: word })));
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    expect(await signIn({ password: passwords[results[0] ? 0 : 1] })).toMatchObject({ kind: "signed-in" });
  });

  test("starts no session for a browser that signed out in the meantime", async () => {
    const { auth, readTables, headers, change } = await open();
    await auth.signOut(headers);
    expect(await auth.changePassword(change)).toEqual({ cookies: [] });
    expect((await readTables()).session).toEqual([]);
  });
});
