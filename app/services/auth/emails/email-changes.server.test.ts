import { expect, test } from "vitest";

import {
  acceptCookies,
  adaCredentials,
  advanceClock,
  cookieHeaders,
  countUsers,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
  tokenOf,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const to = "countess@example.com";

describeOnEachDatabase("changing the email", (makeDb, engine) => {
  /** Ada, signed in, and a change to `email` that she requested. */
  async function openChange({ email = to } = {}) {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    const headers = await makeAccount(auth, mails);
    const findAda = async () => {
      const { viewer } = await auth.findViewer(headers);
      if (!viewer) throw new Error("Ada is not signed in");
      return viewer;
    };
    const ada = await findAda();
    await auth.requestEmailChange({ userId: ada.id, email });
    const token = tokenOf(mails.find(({ kind }) => kind === "change-email"));
    const confirm = async (link = token) => {
      const result = await auth.confirmEmailChange({ token: link, viewer: await findAda(), headers });
      if (result.kind === "changed") acceptCookies(headers, result);
      return result;
    };
    return { ...opened, headers, findAda, ada, token, confirm };
  }

  test("waits for the link at the new address, and tells the current one", async () => {
    const { auth, mails, findAda, ada, token } = await openChange();
    expect(mails).toEqual([
      { kind: "email-change-requested", to: adaCredentials.email, newEmail: to },
      { kind: "change-email", to, token: expect.any(String), validHours: 24 },
    ]);
    expect(await auth.findEmailChange(ada.id)).toMatchObject({ email: to });
    expect(await auth.checkEmailChange({ token, viewer: ada })).toMatchObject({
      kind: "ready",
      from: adaCredentials.email,
      to,
    });
    expect((await findAda()).email).toBe(adaCredentials.email);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("changes the login, and ends the other sessions and mailed links", async () => {
    const { auth, mails, db, findAda, ada, confirm } = await openChange();
    const other = cookieHeaders(await auth.signIn({ ...adaCredentials, headers: noCookies }));
    await auth.requestReset(adaCredentials.email);
    expect(await confirm()).toMatchObject({ kind: "changed", to });
    expect(await findAda()).toMatchObject({ id: ada.id, email: to, isConfirmed: true });
    expect((await auth.findViewer(other)).viewer).toBeUndefined();
    const reset = mails.find(({ kind }) => kind === "reset");
    expect(tokenOf(reset)).not.toBe("");
    expect(await auth.findReset(tokenOf(reset))).toBeUndefined();
    expect(mails.at(-1)).toMatchObject({ kind: "email-changed", to: adaCredentials.email, newEmail: to });
    expect((await readAccountTables(db)).session).toHaveLength(1);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...adaCredentials, email: to, headers: noCookies })).toMatchObject({
      kind: "signed-in",
    });
  });

  test("leaves the previous mailbox no link to set a password, even one that is asked for at the same time", async () => {
    const { auth, mails, findAda, headers } = await openChange();
    for (let round = 0; round < 8; round++) {
      const { id, email } = await findAda();
      mails.length = 0;
      await auth.requestEmailChange({ userId: id, email: `ada-${round}@example.com` });
      const token = tokenOf(mails.find(({ kind }) => kind === "change-email"));
      const confirmed = auth.confirmEmailChange({ token, viewer: await findAda(), headers });
      await Promise.all([confirmed, auth.requestReset(email)]);
      expect(await confirmed).toMatchObject({ kind: "changed" });
      acceptCookies(headers, await confirmed);
      for (const mail of mails.filter(({ kind, to }) => kind === "reset" && to === email))
        expect(await auth.findReset(tokenOf(mail)), `round ${round}`).toBeUndefined();
    }
  });

  test("accepts a link once, even when it is opened twice at the same time", async () => {
    const { auth, findAda, ada, headers, token, confirm } = await openChange();
    const confirmAgain = () => auth.confirmEmailChange({ token, viewer: ada, headers });
    const results = await Promise.all([confirmAgain(), confirmAgain()]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["changed", "replaced"]);
    for (const result of results) if (result.kind === "changed") acceptCookies(headers, result);
    expect(await confirm()).toEqual({ kind: "used", to });
    expect((await findAda()).email).toBe(to);
  });

  test("accepts only the newer of two links", async () => {
    const { auth, mails, findAda, ada, token, confirm } = await openChange();
    await auth.requestEmailChange({ userId: ada.id, email: "lovelace@example.com" });
    expect(await confirm(token)).toEqual({ kind: "replaced" });
    const newer = tokenOf(mails.findLast(({ kind }) => kind === "change-email"));
    expect(await confirm(newer)).toMatchObject({ kind: "changed", to: "lovelace@example.com" });
    expect(await confirm(token)).toEqual({ kind: "replaced" });
    expect((await findAda()).email).toBe("lovelace@example.com");
  });

  test("works only in a browser that is signed in to the account", async () => {
    const { auth, findAda, ada, headers, token } = await openChange();
    const open = (viewer: typeof ada | undefined) => auth.confirmEmailChange({ token, viewer, headers });
    expect(await open(undefined)).toEqual({ kind: "sign-in-first" });
    expect(await open({ ...ada, id: "someone-else" })).toEqual({ kind: "other-account" });
    expect((await findAda()).email).toBe(adaCredentials.email);
  });

  test("ends when it is canceled, when a day is over, and when the password is reset or changed", async () => {
    const { auth, mails, ada, headers, confirm } = await openChange();
    const requestAgain = async () => {
      await auth.requestEmailChange({ userId: ada.id, email: to });
      return tokenOf(mails.findLast(({ kind }) => kind === "change-email"));
    };
    await auth.cancelEmailChange(ada.id);
    expect(await confirm()).toEqual({ kind: "replaced" });
    const late = await requestAgain();
    advanceClock({ hours: 25 });
    expect(await auth.findEmailChange(ada.id)).toBeUndefined();
    expect(await confirm(late)).toEqual({ kind: "expired" });
    const beforeChange = await requestAgain();
    const change = { userId: ada.id, current: adaCredentials.password, password: "coffee with Mary", headers };
    expect(await auth.changePassword(change)).toBeDefined();
    expect(await auth.checkEmailChange({ token: beforeChange, viewer: ada })).toEqual({ kind: "replaced" });
    const beforeReset = await requestAgain();
    await auth.requestReset(adaCredentials.email);
    await auth.resetPassword({ headers: noCookies, token: tokenOf(mails.at(-1)), password: "tea with Mary" });
    expect(await auth.checkEmailChange({ token: beforeReset, viewer: ada })).toEqual({ kind: "replaced" });
  });

  test("rejects a link that we did not sign", async () => {
    const { ada, token, confirm } = await openChange();
    const [payload = "", signature = ""] = token.split(".");
    const forged = Buffer.from(JSON.stringify([ada.id, "eve@example.com", "x", 9e15])).toString("base64url");
    for (const link of [payload, `${forged}.${signature}`, `${payload}.`, ""])
      expect(await confirm(link)).toEqual({ kind: "unknown" });
  });

  test("is deleted by the sweep once its link has expired", async () => {
    const { auth, db } = await openChange();
    const changes = () => db.selectFrom("email_change").selectAll().execute();
    await auth.sweep();
    expect(await changes()).toHaveLength(1);
    advanceClock({ hours: 25 });
    await auth.sweep();
    expect(await changes()).toEqual([]);
  });
});

describeOnEachDatabase("changing the email to an address with an account", (makeDb, engine) => {
  async function openTwo() {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    const headers = await makeAccount(auth, mails);
    const { viewer: ada } = await auth.findViewer(headers);
    if (!ada) throw new Error("Ada is not signed in");
    const signUp = async (isConfirmed: boolean) => {
      const browser = cookieHeaders(await auth.signUp({ email: to, password: "another long word" }));
      if (isConfirmed) await auth.confirm({ headers: browser, token: tokenOf(mails.at(-1)), viewer: undefined });
      mails.length = 0;
    };
    const request = async () => {
      await auth.requestEmailChange({ userId: ada.id, email: to });
      return tokenOf(mails.find(({ kind }) => kind === "change-email"));
    };
    return { ...opened, headers, ada, signUp, request };
  }

  test("sends no link, tells that account's owner, and looks the same to the one who asked", async () => {
    const { auth, mails, ada, signUp, request } = await openTwo();
    await signUp(true);
    await request();
    expect(mails).toEqual([
      { kind: "email-change-requested", to: adaCredentials.email, newEmail: to },
      { kind: "change-to-known-address", to },
    ]);
    expect(await auth.findEmailChange(ada.id)).toMatchObject({ email: to });
  });

  test("is refused when the account was made after the link was sent", async () => {
    const { auth, headers, ada, signUp, request } = await openTwo();
    const token = await request();
    await signUp(true);
    expect(await auth.confirmEmailChange({ token, viewer: ada, headers })).toEqual({ kind: "taken", to });
    expect((await auth.findViewer(headers)).viewer?.email).toBe(adaCredentials.email);
  });

  test("replaces an account that was never confirmed and never used, once the mailbox confirms it", async () => {
    const { auth, db, headers, ada, signUp, request } = await openTwo();
    await signUp(false);
    const token = await request();
    expect(await countUsers(db)).toBe(2);
    const changed = await auth.confirmEmailChange({ token, viewer: ada, headers });
    expect(changed).toMatchObject({ kind: "changed", to });
    acceptCookies(headers, changed);
    expect(await countUsers(db)).toBe(1);
    expect((await auth.findViewer(headers)).viewer).toMatchObject({ id: ada.id, email: to });
  });
});

describeOnEachDatabase("changing an email that isn't confirmed", (makeDb, engine) => {
  test("tells nothing to its mailbox, which may be a stranger's, and confirms the new one", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const headers = await makeAccount(auth, mails);
    await db
      .updateTable("user" as "setting")
      .set({ emailVerified: engine === "sqlite" ? 0 : false } as never)
      .execute();
    const { viewer } = await auth.findViewer(headers);
    expect(viewer?.isConfirmed).toBe(false);
    await auth.requestEmailChange({ userId: viewer?.id ?? "", email: to });
    expect(mails).toMatchObject([{ kind: "change-email", to }]);
    acceptCookies(headers, await auth.confirmEmailChange({ token: tokenOf(mails[0]), viewer, headers }));
    expect((await auth.findViewer(headers)).viewer).toMatchObject({ email: to, isConfirmed: true });
  });
});
