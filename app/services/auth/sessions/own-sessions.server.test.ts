import { expect, test } from "vitest";

import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  makeAccount,
  noCookies,
  openAuth,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

describeOnEachDatabase("the sessions of an account", (makeDb, engine) => {
  /** Ada, signed in in two browsers. */
  async function openTwo() {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    const first = await makeAccount(auth, mails);
    const userId = (await auth.findViewer(first)).viewer?.id ?? "";
    advanceClock({ hours: 1 });
    const second = cookieHeaders(
      await auth.signIn({ ...adaCredentials, headers: new Headers({ "user-agent": firefox }) }),
    );
    return { ...opened, userId, first, second };
  }

  test("are listed, the one that asks first, with their browser and how they began", async () => {
    const { auth, userId, first, second } = await openTwo();
    const ofSecond = { browser: "Firefox on Windows", method: "password", startedAt: Date.now() };
    expect(await auth.listSessions({ userId, headers: second })).toMatchObject([
      { ...ofSecond, isCurrent: true },
      { method: "sign-up", startedAt: Date.now() - 3_600_000, isCurrent: false },
    ]);
    expect((await auth.listSessions({ userId, headers: first })).map(({ isCurrent }) => isCurrent)).toEqual([
      true,
      false,
    ]);
    expect(await auth.listSessions({ userId: "someone-else", headers: first })).toEqual([]);
  });

  test("end one by one, only for their owner", async () => {
    const { auth, userId, first, second } = await openTwo();
    const [own] = await auth.listSessions({ userId, headers: second });
    const ended = { sessionId: own?.id ?? "", origin: { headers: first } };
    expect(await auth.endOwnSession({ ...ended, userId: "someone-else" })).toBeUndefined();
    expect((await auth.findViewer(second)).viewer).toBeDefined();
    expect(await auth.endOwnSession({ ...ended, userId })).toBe("Firefox on Windows");
    expect((await auth.findViewer(second)).viewer).toBeUndefined();
    expect((await auth.findViewer(first)).viewer).toBeDefined();
  });

  test("end all but the one that asks, or all", async () => {
    const { auth, userId, first, second } = await openTwo();
    expect(await auth.endOtherSessions({ userId, origin: { headers: second } })).toBe(1);
    expect((await auth.findViewer(first)).viewer).toBeUndefined();
    expect((await auth.findViewer(second)).viewer).toBeDefined();
    await auth.endAllSessions({ userId, origin: { headers: second } });
    expect((await auth.findViewer(second)).viewer).toBeUndefined();
  });

  test("are proved again with a mailed code, once, and get a new token", async () => {
    const { auth, mails, userId, first } = await openTwo();
    mails.length = 0;
    await auth.sendIdentityCode(userId);
    const [mail] = mails;
    const code = mail?.kind === "identity-code" ? mail.code : "";
    const prove = (given: string) =>
      auth.confirmIdentity({ userId, proof: { method: "email-code", code: given }, origin: { headers: first } });
    expect(await prove(code === "000000" ? "111111" : "000000")).toEqual({ kind: "refused" });
    const { viewer } = await auth.findViewer(cookieHeaders(await prove(code)));
    expect(viewer?.verifiedAt).toBe(Date.now());
    // The requests that were under way keep the session, without the proof.
    expect((await auth.findViewer(first)).viewer).toMatchObject({ id: userId, verifiedAt: 0 });
    expect(await prove(code)).toEqual({ kind: "refused" });
    await auth.sendIdentityCode(userId);
    advanceClock({ hours: 1 });
    expect(await auth.findIdentityCode(userId)).toBeUndefined();
  });

  test("come from browsers that are remembered, of which none stays trusted when that is taken back", async () => {
    const { auth, db, userId } = await openTwo();
    const signedIn = await auth.signIn({ ...adaCredentials, headers: noCookies });
    const device = cookieHeaders(signedIn);
    expect(await auth.findKnownDevice({ email: adaCredentials.email, headers: device })).toEqual(expect.any(String));
    expect(await auth.findKnownDevice({ email: "other@example.com", headers: device })).toBeUndefined();
    await db
      .updateTable("known_device")
      .set({ trusted_until: Date.now() + 1000 })
      .execute();
    const trusted = await auth.listTrustedBrowsers(userId);
    expect(trusted).toHaveLength(3);
    await auth.untrustBrowsers({ userId, id: trusted[0]?.id ?? "" });
    expect(await auth.listTrustedBrowsers(userId)).toHaveLength(2);
    await auth.untrustBrowsers({ userId });
    expect(await auth.listTrustedBrowsers(userId)).toEqual([]);
  });
});
