import { expect, test } from "vitest";

import {
  ada,
  browser,
  countUsers,
  makeAccount,
  nobody,
  openAuth,
  readAll,
  tokenOf,
  wait,
} from "#tests/support/accounts.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";

describeOnEachDatabase("sign-up", (makeDb, engine) => {
  test("sends a link, and the link signs in", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await auth.signUp(ada);
    expect(mails).toMatchObject([{ kind: "confirm", to: ada.email, validHours: 24 }]);
    const opened = await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined });
    const { viewer } = await auth.findViewer(browser(opened));
    expect(viewer).toMatchObject({ email: ada.email, name: "ada", isConfirmed: true });
  });

  test("does not sign in before the link was opened, and does not tell that from a wrong password", async () => {
    const { auth } = await openAuth(makeDb, engine);
    await auth.signUp(ada);
    expect(await auth.signIn({ ...ada, headers: nobody })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...ada, password: "tea with Mary", headers: nobody })).toEqual({ kind: "refused" });
  });

  test("with an address that has an account changes nothing and tells its owner", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const { pending } = await auth.signUp({ ...ada, password: "a stranger's word" });
    expect(pending).toEqual(expect.any(String));
    expect(mails).toEqual([{ kind: "known-address", to: ada.email }]);
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signIn({ ...ada, password: "a stranger's word", headers: nobody })).toEqual({ kind: "refused" });
  });

  test("by a stranger does not leave the stranger's password on the owner's account", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const stranger = { ...ada, password: "I was here first" };
    await auth.signUp(stranger);
    await auth.signUp(ada);
    await auth.signUp({ ...ada, password: "and again, after her" });
    expect(await auth.confirm({ token: tokenOf(mails[1]), viewer: undefined })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signIn({ ...stranger, headers: nobody })).toEqual({ kind: "refused" });
    expect(await auth.confirm({ token: tokenOf(mails[2]), viewer: undefined })).toEqual({ kind: "used" });
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
  });

  test("of one address twenty times at once makes one account", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    // Connections are there before: opening one takes the threads that the passwords keep busy.
    await Promise.all(Array.from({ length: 20 }, () => countUsers(db)));
    await Promise.all(Array.from({ length: 20 }, () => auth.signUp(ada)));
    expect(mails).toHaveLength(20);
    expect(await countUsers(db)).toBe(1);
    const opened = await Promise.all(mails.map((mail) => auth.confirm({ token: tokenOf(mail), viewer: undefined })));
    expect(opened.some(({ kind }) => kind === "signed-in")).toBe(true);
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
  });

  test("stores no password and no link as they are", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await auth.signUp(ada);
    await auth.requestReset(ada.email);
    const stored = JSON.stringify(await readAll(db));
    expect(stored).toContain(ada.email);
    for (const secret of [ada.password, ...mails.map(tokenOf)]) expect(stored).not.toContain(secret);
  });
});

describeOnEachDatabase("the link of a confirmation mail", (makeDb, engine) => {
  test("signs in once, also when two open it at the same moment", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await auth.signUp(ada);
    const open2 = () => auth.confirm({ token: tokenOf(mails[0]), viewer: undefined });
    const kinds = (await Promise.all([open2(), open2(), open2()])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["signed-in", "used", "used"]);
    expect(await open2()).toEqual({ kind: "used" });
  });

  test("is over after a day, and another can be had", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await auth.signUp(ada);
    const late = tokenOf(mails.pop());
    wait({ hours: 25 });
    expect(await auth.confirm({ token: late, viewer: undefined })).toEqual({ kind: "expired" });
    expect(auth.readPending(late)).toBe(ada.email);
    expect(await auth.resendConfirmation(late)).toBe("sent");
    expect(await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
  });

  test("leaves whoever is signed in as somebody else signed in", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const { viewer } = await auth.findViewer(await makeAccount(auth, mails));
    const bob = { email: "bob@example.com", password: "bob's own words" };
    await auth.signUp(bob);
    expect(await auth.confirm({ token: tokenOf(mails[0]), viewer })).toEqual({ kind: "confirmed", email: bob.email });
    expect(await auth.signIn({ ...bob, headers: nobody })).toMatchObject({ kind: "signed-in" });
  });

  test("is nothing when it was changed, and what the page knows is no link", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const { pending } = await auth.signUp(ada);
    const token = tokenOf(mails[0]);
    for (const forged of [pending, `${token}x`, token.slice(0, -4), "", ".", "a.b.c"]) {
      expect(await auth.confirm({ token: forged, viewer: undefined })).toEqual({ kind: "unknown" });
    }
  });
});

describeOnEachDatabase("sending the confirmation again", (makeDb, engine) => {
  test("answers alike whether the address has an account or not", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const known = await auth.signUp(ada);
    const fresh = await auth.signUp({ ...ada, email: "new@example.com" });
    mails.length = 0;
    expect(await auth.resendConfirmation(known.pending)).toBe("sent");
    expect(await auth.resendConfirmation(fresh.pending)).toBe("sent");
    expect(mails.map(({ kind }) => kind)).toEqual(["known-address", "confirm"]);
  });

  test("is over after a week, or when the text is not ours", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const { pending } = await auth.signUp(ada);
    wait({ hours: 7 * 24 + 1 });
    mails.length = 0;
    expect(await auth.resendConfirmation(pending)).toBe("gone");
    expect(await auth.resendConfirmation("anything")).toBe("gone");
    expect(mails).toEqual([]);
  });
});
