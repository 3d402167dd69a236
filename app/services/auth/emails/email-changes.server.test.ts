import { expect, test } from "vitest";

import { acceptCookies, adaCredentials, advanceClock, cookieHeaders, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const to = "countess@example.com";

describeOnEachDatabase("changing the email", (makeDb, engine) => {
  /** Ada, signed in. `request` returns the token of the mailed link, `confirm` opens one. */
  async function open() {
    const opened = await openAccount(makeDb, engine);
    const { auth, headers, userId, lastToken } = opened;
    const findAda = async () => (await auth.findViewer(headers)).viewer ?? opened.viewer;
    const request = async (email = to) => {
      await auth.requestEmailChange({ userId, email });
      return lastToken("change-email");
    };
    const confirm = async (token: string) => {
      const result = await auth.confirmEmailChange({ token, viewer: await findAda(), headers });
      if (result.kind === "changed") acceptCookies(headers, result);
      return result;
    };
    return { ...opened, findAda, request, confirm };
  }

  test("leaves the previous mailbox no link to set a password, even one that is requested at the same time", async () => {
    const { auth, mails, findAda, request, confirm } = await open();
    for (let round = 0; round < 8; round++) {
      const { email } = await findAda();
      mails.length = 0;
      const token = await request(`ada-${round}@example.com`);
      const [changed] = await Promise.all([confirm(token), auth.requestReset(email)]);
      expect(changed).toMatchObject({ kind: "changed" });
      for (const mail of mails)
        if (mail.kind === "reset" && mail.to === email)
          expect(await auth.findReset(mail.token), `round ${round}`).toBeUndefined();
    }
  });

  test("accepts a link once, even when it is opened twice at the same time, and only the newer of two", async () => {
    const { auth, findAda, viewer, headers, request, confirm } = await open();
    const [older, token] = [await request("lovelace@example.com"), await request()];
    expect(await confirm(older)).toEqual({ kind: "replaced" });
    const press = () => auth.confirmEmailChange({ token, viewer, headers });
    expect(await auth.confirmEmailChange({ token, viewer: undefined, headers })).toEqual({ kind: "sign-in-first" });
    const results = await Promise.all([press(), press()]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["changed", "replaced"]);
    for (const result of results) if (result.kind === "changed") acceptCookies(headers, result);
    expect(await confirm(token)).toEqual({ kind: "used", to });
    expect(await confirm(older)).toEqual({ kind: "replaced" });
    expect((await findAda()).email).toBe(to);
  });

  test("ends when it is canceled, when a day is over, and when the password is reset or changed", async () => {
    const { auth, viewer, userId, headers, request, confirm, lastToken } = await open();
    const canceled = await request();
    await auth.cancelEmailChange(userId);
    expect(await confirm(canceled)).toEqual({ kind: "replaced" });
    const late = await request();
    advanceClock({ hours: 25 });
    expect(await auth.findEmailChange(userId)).toBeUndefined();
    expect(await confirm(late)).toEqual({ kind: "expired" });
    const beforeChange = await request();
    const change = { userId, current: adaCredentials.password, password: "coffee with Mary", headers };
    expect(await auth.changePassword(change)).toBeDefined();
    expect(await auth.checkEmailChange({ token: beforeChange, viewer })).toEqual({ kind: "replaced" });
    const beforeReset = await request();
    await auth.requestReset(adaCredentials.email);
    await auth.resetPassword({ headers: new Headers(), token: lastToken("reset"), password: "tea with Mary" });
    expect(await auth.checkEmailChange({ token: beforeReset, viewer })).toEqual({ kind: "replaced" });
  });

  test("is deleted by the sweep once its link has expired", async () => {
    const { auth, db, request } = await open();
    await request();
    const changes = () => db.selectFrom("email_change").selectAll().execute();
    await auth.sweep();
    expect(await changes()).toHaveLength(1);
    advanceClock({ hours: 25 });
    await auth.sweep();
    expect(await changes()).toEqual([]);
  });

  test("to an address with an account sends no link, tells its owner, and looks the same to the one who asked", async () => {
    const { auth, mails, userId, request, confirm, lastToken } = await open();
    const early = await request();
    const headers = cookieHeaders(await auth.signUp({ email: to, password: "another long word" }));
    await auth.confirm({ headers, token: lastToken("confirm"), viewer: undefined });
    mails.length = 0;
    expect(await confirm(early)).toEqual({ kind: "taken", to });
    await request();
    expect(mails).toEqual([
      { kind: "email-change-requested", to: adaCredentials.email, newEmail: to },
      { kind: "change-to-known-address", to },
    ]);
    expect(await auth.findEmailChange(userId)).toMatchObject({ email: to });
  });

  test("replaces an account that was never confirmed and never used, once the mailbox confirms it", async () => {
    const { auth, countUsers, userId, findAda, request, confirm } = await open();
    await auth.signUp({ email: to, password: "another long word" });
    const token = await request();
    expect(await countUsers()).toBe(2);
    expect(await confirm(token)).toMatchObject({ kind: "changed", to });
    expect(await countUsers()).toBe(1);
    expect(await findAda()).toMatchObject({ id: userId, email: to });
  });

  test("that isn't confirmed tells nothing to its mailbox, which may be a stranger's, and confirms the new one", async () => {
    const { mails, markUnconfirmed, findAda, request, confirm } = await open();
    await markUnconfirmed();
    expect((await findAda()).isConfirmed).toBe(false);
    const token = await request();
    expect(mails).toMatchObject([{ kind: "change-email", to }]);
    await confirm(token);
    expect(await findAda()).toMatchObject({ email: to, isConfirmed: true });
  });
});
