import { expect, test } from "vitest";

import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  noCookies,
  openAccount,
  openAuth,
  tokenOf,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const password = "a stranger's word";
const refused = { kind: "refused" };
const signedIn = { kind: "signed-in" };

describeOnEachDatabase("sign-up", (makeDb, engine) => {
  /** Ada signed up. `confirm` opens the link of her mail in her browser. */
  async function open() {
    const opened = await openAuth(makeDb, engine);
    const { auth, lastToken } = opened;
    const headers = cookieHeaders(await auth.signUp({ ...adaCredentials, returnTo: "/pricing" }));
    const link = { token: lastToken(), viewer: undefined, headers };
    return { ...opened, link, confirm: (change = {}) => auth.confirm({ ...link, ...change }) };
  }

  test("sends a link that can be checked without using it up, and signs in once, even in concurrent requests", async () => {
    const { auth, readTables, mails, link, confirm, signIn } = await open();
    expect(mails).toMatchObject([{ kind: "confirm", to: adaCredentials.email, validHours: 24 }]);
    expect(await signIn()).toEqual(refused);
    const before = await readTables();
    const ready = { kind: "ready", email: adaCredentials.email, userId: expect.any(String), isSignUp: true };
    expect(await auth.checkConfirmation(link)).toEqual({ ...ready, needsPassword: false });
    expect(await auth.checkConfirmation({ ...link, headers: noCookies })).toEqual({ ...ready, needsPassword: true });
    expect(await readTables()).toEqual(before);
    const results = await Promise.all([confirm(), confirm(), confirm()]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["signed-in", "used", "used"]);
    const opened = results.find(({ kind }) => kind === "signed-in") ?? { kind: "none" };
    expect(opened).toMatchObject({ returnTo: "/pricing" });
    const { viewer } = await auth.findViewer(cookieHeaders(opened));
    expect(viewer).toMatchObject({ email: adaCredentials.email, name: "ada", isConfirmed: true });
    expect(await auth.checkConfirmation(link)).toEqual({ kind: "used" });
  });

  test("with the address of an account changes nothing and notifies its owner", async () => {
    const { auth, mails, signIn } = await openAccount(makeDb, engine);
    expect((await auth.signUp({ ...adaCredentials, password })).pending).toEqual(expect.any(String));
    expect(mails).toEqual([{ kind: "known-address", to: adaCredentials.email }]);
    expect(await signIn()).toMatchObject(signedIn);
    expect(await signIn({ password })).toEqual(refused);
  });

  test("by a stranger never sets the stranger's password on the owner's account", async () => {
    const { auth, mails, signIn } = await openAuth(makeDb, engine);
    await auth.signUp({ ...adaCredentials, password });
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    await auth.signUp({ ...adaCredentials, password: "and again, after her" });
    const link = { token: tokenOf(mails[1]), viewer: undefined, headers };
    expect(await auth.confirm(link)).toMatchObject(signedIn);
    expect(await signIn()).toMatchObject(signedIn);
    expect(await signIn({ password })).toEqual(refused);
    expect(await auth.confirm({ ...link, token: tokenOf(mails[2]), headers: noCookies })).toEqual({ kind: "used" });
    expect(await signIn()).toMatchObject(signedIn);
  });

  test("by a stranger gives the owner who opens the mail none of the stranger's passwords", async () => {
    const { auth, mails, readTables, signIn } = await openAuth(makeDb, engine);
    const headers = cookieHeaders(await auth.signUp({ ...adaCredentials, password }));
    const link = { token: tokenOf(mails[0]), viewer: undefined, headers: noCookies };
    const before = await readTables();
    expect(await auth.confirm(link)).toEqual({ kind: "password-required" });
    // A cookie of another sign-up in the owner's browser doesn't count.
    const other = cookieHeaders(await auth.signUp({ ...adaCredentials, email: "other@example.com" }));
    expect(await auth.confirm({ ...link, headers: other })).toEqual({ kind: "password-required" });
    expect((await readTables()).user).toEqual(expect.arrayContaining(before.user));
    const opened = await auth.confirm({ ...link, password: adaCredentials.password });
    expect((await auth.findViewer(cookieHeaders(opened))).viewer).toMatchObject({ isConfirmed: true });
    expect(await signIn({ password, headers })).toEqual(refused);
    expect(await signIn()).toMatchObject(signedIn);
  });

  test("by a stranger sets no password on an account that is used before its address is confirmed", async () => {
    const { auth, readTables, markUnconfirmed, headers, lastToken, signIn } = await openAccount(makeDb, engine);
    await markUnconfirmed();
    const { viewer } = await auth.findViewer(headers);
    await auth.signUp({ ...adaCredentials, password });
    const before = (await readTables()).account;
    const link = { token: lastToken(), viewer, headers: noCookies };
    expect(await auth.checkConfirmation(link)).toMatchObject({ kind: "ready", isSignUp: true });
    expect(await auth.confirm(link)).toEqual({ kind: "confirmed", email: adaCredentials.email });
    expect((await readTables()).account).toEqual(before);
    expect((await auth.findViewer(headers)).viewer).toMatchObject({ isConfirmed: true });
    expect(await signIn({ password })).toEqual(refused);
  });

  test("with one address in twenty concurrent requests creates one account", async () => {
    const { auth, mails, countUsers, signIn } = await openAuth(makeDb, engine);
    // Open the connections first: opening one needs the threads that hash passwords.
    await Promise.all(Array.from({ length: 20 }, () => countUsers()));
    await Promise.all(Array.from({ length: 20 }, () => auth.signUp(adaCredentials)));
    expect([mails.length, await countUsers()]).toEqual([20, 1]);
    const opener = { headers: noCookies, viewer: undefined, password: adaCredentials.password };
    const opened = await Promise.all(mails.map((mail) => auth.confirm({ ...opener, token: tokenOf(mail) })));
    expect(opened.some(({ kind }) => kind === "signed-in")).toBe(true);
    expect(await signIn()).toMatchObject(signedIn);
  });

  test("stores no password and no link in plain text", async () => {
    const { auth, mails, readTables } = await open();
    await auth.requestReset(adaCredentials.email);
    const stored = JSON.stringify(await readTables());
    expect(stored).toContain(adaCredentials.email);
    for (const secret of [adaCredentials.password, ...mails.map(tokenOf)]) expect(stored).not.toContain(secret);
  });

  test("has a link that expires after a day and can be sent again", async () => {
    const { auth, link, confirm, lastToken } = await open();
    advanceClock({ hours: 25 });
    expect(await confirm()).toEqual({ kind: "expired" });
    expect(auth.readPendingAddress(link.token)).toBe(adaCredentials.email);
    expect(await auth.resendConfirmation(link.token)).toBe("sent");
    expect(await confirm({ token: lastToken() })).toMatchObject(signedIn);
  });

  test("has a link that is rejected when it was changed; a pending token isn't a link", async () => {
    const { auth, link, confirm } = await open();
    const { pending } = await auth.signUp(adaCredentials);
    for (const token of [pending, `${link.token}x`, link.token.slice(0, -4), "", ".", "a.b.c"])
      expect(await confirm({ token })).toEqual({ kind: "unknown" });
  });

  test("is mailed again for a week, with the same result with and without an account, and for no other token", async () => {
    const { auth, mails } = await openAccount(makeDb, engine);
    const known = await auth.signUp(adaCredentials);
    const fresh = await auth.signUp({ ...adaCredentials, email: "new@example.com" });
    mails.length = 0;
    for (const { pending } of [known, fresh]) expect(await auth.resendConfirmation(pending)).toBe("sent");
    expect(mails.map(({ kind }) => kind)).toEqual(["known-address", "confirm"]);
    advanceClock({ hours: 7 * 24 + 1 });
    for (const pending of [fresh.pending, "anything"]) expect(await auth.resendConfirmation(pending)).toBe("gone");
    expect(mails).toHaveLength(2);
  });
});
