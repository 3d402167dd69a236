import { sql } from "kysely";
import { expect, test } from "vitest";

import {
  adaCredentials,
  cookieHeaders,
  countUsers,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
  tokenOf,
  advanceClock,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("sign-up", (makeDb, engine) => {
  test("sends a link that signs in", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    expect(mails).toMatchObject([{ kind: "confirm", to: adaCredentials.email, validHours: 24 }]);
    const opened = await auth.confirm({ headers, token: tokenOf(mails[0]), viewer: undefined });
    const { viewer } = await auth.findViewer(cookieHeaders(opened));
    expect(viewer).toMatchObject({ email: adaCredentials.email, name: "ada", isConfirmed: true });
  });

  test("checks a link without using it up", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const headers = cookieHeaders(await auth.signUp({ ...adaCredentials, returnTo: "/pricing" }));
    const link = { token: tokenOf(mails[0]), viewer: undefined, headers };
    const before = await readAccountTables(db);
    const ready = { kind: "ready", email: adaCredentials.email, userId: expect.any(String), isSignUp: true };
    expect(await auth.checkConfirmation(link)).toEqual({ ...ready, needsPassword: false });
    expect(await auth.checkConfirmation({ ...link, headers: noCookies })).toEqual({ ...ready, needsPassword: true });
    expect(await readAccountTables(db)).toEqual(before);
    expect(await auth.confirm(link)).toMatchObject({ kind: "signed-in", returnTo: "/pricing" });
    expect(await auth.checkConfirmation(link)).toEqual({ kind: "used" });
  });

  test("refuses to sign in before the link was opened, just like with a wrong password", async () => {
    const { auth } = await openAuth(makeDb, engine);
    await auth.signUp(adaCredentials);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...adaCredentials, password: "tea with Mary", headers: noCookies })).toEqual({
      kind: "refused",
    });
  });

  test("with the address of an account changes nothing and notifies its owner", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const { pending } = await auth.signUp({ ...adaCredentials, password: "a stranger's word" });
    expect(pending).toEqual(expect.any(String));
    expect(mails).toEqual([{ kind: "known-address", to: adaCredentials.email }]);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signIn({ ...adaCredentials, password: "a stranger's word", headers: noCookies })).toEqual({
      kind: "refused",
    });
  });

  test("by a stranger never sets the stranger's password on the owner's account", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const stranger = { ...adaCredentials, password: "I was here first" };
    await auth.signUp(stranger);
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    await auth.signUp({ ...adaCredentials, password: "and again, after her" });
    expect(await auth.confirm({ headers, token: tokenOf(mails[1]), viewer: undefined })).toMatchObject({
      kind: "signed-in",
    });
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signIn({ ...stranger, headers: noCookies })).toEqual({ kind: "refused" });
    expect(await auth.confirm({ headers: noCookies, token: tokenOf(mails[2]), viewer: undefined })).toEqual({
      kind: "used",
    });
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("by a stranger gives the owner who opens the mail none of the stranger's passwords", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const stranger = { ...adaCredentials, password: "a stranger's word" };
    const cookies = cookieHeaders(await auth.signUp(stranger));
    const link = { token: tokenOf(mails[0]), viewer: undefined, headers: noCookies };
    const before = await readAccountTables(db);
    expect(await auth.confirm(link)).toEqual({ kind: "password-required" });
    // A cookie of another sign-up in the owner's browser doesn't count.
    const other = cookieHeaders(await auth.signUp({ ...adaCredentials, email: "other@example.com" }));
    expect(await auth.confirm({ ...link, headers: other })).toEqual({ kind: "password-required" });
    expect((await readAccountTables(db)).user).toEqual(expect.arrayContaining(before.user));
    const opened = await auth.confirm({ ...link, password: adaCredentials.password });
    expect((await auth.findViewer(cookieHeaders(opened))).viewer).toMatchObject({ isConfirmed: true });
    expect(await auth.signIn({ ...stranger, headers: cookies })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("by a stranger sets no password on an account that is used before its address is confirmed", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const session = await makeAccount(auth, mails);
    await sql`update "user" set "emailVerified" = false`.execute(db);
    const { viewer } = await auth.findViewer(session);
    const stranger = { ...adaCredentials, password: "a stranger's word" };
    await auth.signUp(stranger);
    const before = (await readAccountTables(db)).account;
    const link = { token: tokenOf(mails[0]), viewer, headers: noCookies };
    expect(await auth.checkConfirmation(link)).toMatchObject({ kind: "ready", isSignUp: true });
    expect(await auth.confirm(link)).toEqual({ kind: "confirmed", email: adaCredentials.email });
    expect((await readAccountTables(db)).account).toEqual(before);
    expect((await auth.findViewer(session)).viewer).toMatchObject({ isConfirmed: true });
    expect(await auth.signIn({ ...stranger, headers: noCookies })).toEqual({ kind: "refused" });
  });

  test("with one address in twenty concurrent requests creates one account", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    // Open the connections first: opening one needs the threads that hash passwords.
    await Promise.all(Array.from({ length: 20 }, () => countUsers(db)));
    await Promise.all(Array.from({ length: 20 }, () => auth.signUp(adaCredentials)));
    expect(mails).toHaveLength(20);
    expect(await countUsers(db)).toBe(1);
    const opener = { headers: noCookies, viewer: undefined, password: adaCredentials.password };
    const opened = await Promise.all(mails.map((mail) => auth.confirm({ ...opener, token: tokenOf(mail) })));
    expect(opened.some(({ kind }) => kind === "signed-in")).toBe(true);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("stores no password and no link in plain text", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await auth.signUp(adaCredentials);
    await auth.requestReset(adaCredentials.email);
    const stored = JSON.stringify(await readAccountTables(db));
    expect(stored).toContain(adaCredentials.email);
    for (const secret of [adaCredentials.password, ...mails.map(tokenOf)]) expect(stored).not.toContain(secret);
  });
});

describeOnEachDatabase("the link of a confirmation mail", (makeDb, engine) => {
  test("signs in once, even for concurrent requests", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    const confirm = () => auth.confirm({ headers, token: tokenOf(mails[0]), viewer: undefined });
    const kinds = (await Promise.all([confirm(), confirm(), confirm()])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["signed-in", "used", "used"]);
    expect(await confirm()).toEqual({ kind: "used" });
  });

  test("expires after a day and can be sent again", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    const late = tokenOf(mails.pop());
    advanceClock({ hours: 25 });
    expect(await auth.confirm({ headers: noCookies, token: late, viewer: undefined })).toEqual({ kind: "expired" });
    expect(auth.readPendingAddress(late)).toBe(adaCredentials.email);
    expect(await auth.resendConfirmation(late)).toBe("sent");
    expect(await auth.confirm({ headers, token: tokenOf(mails[0]), viewer: undefined })).toMatchObject({
      kind: "signed-in",
    });
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("keeps another user signed in", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const { viewer } = await auth.findViewer(await makeAccount(auth, mails));
    const bob = { email: "bob@example.com", password: "bob's own words" };
    const headers = cookieHeaders(await auth.signUp(bob));
    expect(await auth.confirm({ headers, token: tokenOf(mails[0]), viewer })).toEqual({
      kind: "confirmed",
      email: bob.email,
    });
    expect(await auth.signIn({ ...bob, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("is rejected when it was changed; a pending token isn't a link", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const { pending } = await auth.signUp(adaCredentials);
    const token = tokenOf(mails[0]);
    for (const forged of [pending, `${token}x`, token.slice(0, -4), "", ".", "a.b.c"]) {
      expect(await auth.confirm({ headers: noCookies, token: forged, viewer: undefined })).toEqual({ kind: "unknown" });
    }
  });
});

describeOnEachDatabase("sending the confirmation again", (makeDb, engine) => {
  test("gives the same result with and without an account", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const known = await auth.signUp(adaCredentials);
    const fresh = await auth.signUp({ ...adaCredentials, email: "new@example.com" });
    mails.length = 0;
    expect(await auth.resendConfirmation(known.pending)).toBe("sent");
    expect(await auth.resendConfirmation(fresh.pending)).toBe("sent");
    expect(mails.map(({ kind }) => kind)).toEqual(["known-address", "confirm"]);
  });

  test("is refused after a week, and for other tokens", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const { pending } = await auth.signUp(adaCredentials);
    advanceClock({ hours: 7 * 24 + 1 });
    mails.length = 0;
    expect(await auth.resendConfirmation(pending)).toBe("gone");
    expect(await auth.resendConfirmation("anything")).toBe("gone");
    expect(mails).toEqual([]);
  });
});
