import { expect, test } from "vitest";

import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  countUsers,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const { email } = adaCredentials;
const firefox = new Headers({ "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:141.0) Gecko/20100101 Firefox/141.0" });

type Opened = Awaited<ReturnType<typeof openAuth>>;

/** Asks for an email; returns it with the headers of the browser that asked. */
async function ask({ auth, mails }: Pick<Opened, "auth" | "mails">, of: { email: string } = { email }) {
  const before = mails.length;
  const asked = await auth.requestEmailSignIn({ ...of, returnTo: undefined, headers: firefox });
  return { ...readMail(mails.slice(before)), headers: cookieHeaders({ kind: "sent", ...asked }) };
}

function readMail(mails: AccountMail[]) {
  const mail = mails.find(({ kind }) => kind === "sign-in");
  return mail?.kind === "sign-in" ? { token: mail.token, code: mail.code, mail } : { token: "", code: "" };
}

describeOnEachDatabase("an emailed sign-in", (makeDb, engine) => {
  test("works with the link, once, and uses up the code", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    await makeAccount(auth, mails);
    const { token, code, headers, mail } = await ask(opened);
    expect(mail).toEqual({
      kind: "sign-in",
      to: email,
      token: expect.stringMatching(/^[\w-]{32}$/),
      code: expect.stringMatching(/^\d{6}$/),
      browser: "Firefox on Windows",
      validMinutes: 10,
    });
    expect(await auth.findEmailLink({ token, headers })).toMatchObject({ email, isSameBrowser: true });
    const done = await auth.signInWithLink({ token, headers, isConfirmed: false });
    expect(done).toMatchObject({ kind: "signed-in" });
    expect((await auth.findViewer(cookieHeaders(done))).viewer).toMatchObject({ email, isConfirmed: true });
    expect(await auth.findEmailLink({ token, headers })).toBeUndefined();
    expect(await auth.signInWithLink({ token, headers, isConfirmed: true })).toEqual({ kind: "refused" });
    expect(await auth.signInWithCode({ code, headers })).toEqual({ kind: "refused" });
  });

  test("works with the code, once, and uses up the link", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    await makeAccount(auth, mails);
    const { token, code, headers } = await ask(opened);
    const wrong = code === "000000" ? "000001" : "000000";
    expect(await auth.signInWithCode({ code: wrong, headers })).toEqual({ kind: "refused" });
    expect(await auth.signInWithCode({ code, headers })).toMatchObject({ kind: "signed-in" });
    expect(await auth.signInWithCode({ code, headers })).toEqual({ kind: "refused" });
    expect(await auth.signInWithLink({ token, headers, isConfirmed: true })).toEqual({ kind: "refused" });
  });

  test("belongs to the browser that asked: another one needs a press, and can't use the code", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    await makeAccount(auth, mails);
    const { token, code } = await ask(opened);
    const { headers: other } = await ask(opened, { email: "other@example.com" });
    for (const headers of [noCookies, other]) {
      expect(await auth.signInWithCode({ code, headers })).toEqual({ kind: "refused" });
      expect(await auth.findEmailLink({ token, headers })).toMatchObject({ isSameBrowser: false });
      expect(await auth.signInWithLink({ token, headers, isConfirmed: false })).toEqual({ kind: "refused" });
    }
    expect(await auth.signInWithLink({ token, headers: noCookies, isConfirmed: true })).toMatchObject({
      kind: "signed-in",
    });
  });

  test("lets one of twenty sign-ins at once through", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db, mails } = opened;
    await makeAccount(auth, mails);
    const { token, code, headers } = await ask(opened);
    const before = (await readAccountTables(db)).session.length;
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2
          ? auth.signInWithCode({ code, headers })
          : auth.signInWithLink({ token, headers: noCookies, isConfirmed: true }),
      ),
    );
    expect(done.filter(({ kind }) => kind === "signed-in")).toHaveLength(1);
    expect((await readAccountTables(db)).session).toHaveLength(before + 1);
  });

  test("ends after ten minutes, and is refused for any other text", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db, mails } = opened;
    await makeAccount(auth, mails);
    const { token, code, headers } = await ask(opened);
    for (const other of ["", "x", "\0", "\0".repeat(32), token.slice(1), `${token}a`]) {
      expect(await auth.findEmailLink({ token: other, headers })).toBeUndefined();
      expect(await auth.signInWithCode({ code: other, headers })).toEqual({ kind: "refused" });
    }
    advanceClock({ hours: 10.1 / 60 });
    expect(auth.findEmailRequest(headers)).toBeUndefined();
    expect(await auth.findEmailLink({ token, headers })).toBeUndefined();
    expect(await auth.signInWithLink({ token, headers, isConfirmed: true })).toEqual({ kind: "refused" });
    expect(await auth.signInWithCode({ code, headers })).toEqual({ kind: "refused" });
    await auth.sweep();
    expect(await db.selectFrom("email_sign_in").selectAll().execute()).toEqual([]);
  });

  test("sends nothing to an address without an account, and creates none", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db, mails } = opened;
    const { headers } = await ask(opened, { email: "none@example.com" });
    expect(mails).toEqual([]);
    expect(await countUsers(db)).toBe(0);
    expect(await db.selectFrom("email_sign_in").selectAll().execute()).toEqual([]);
    expect(auth.findEmailRequest(headers)).toMatchObject({ email: "none@example.com" });
    expect(await auth.signInWithCode({ code: "000000", headers })).toEqual({ kind: "refused" });
  });

  test("stores neither the link, the code nor the browser's token as they are", async () => {
    const opened = await openAuth(makeDb, engine);
    await makeAccount(opened.auth, opened.mails);
    const { token, code, headers } = await ask(opened);
    const stored = JSON.stringify(await opened.db.selectFrom("email_sign_in").selectAll().execute());
    const [claim = ""] = headers.get("cookie")?.split("=")[1]?.split(".") ?? [];
    const [browserToken] = JSON.parse(Buffer.from(claim, "base64url").toString()) as string[];
    for (const secret of [token, `"${code}"`, browserToken ?? ""]) expect(stored).not.toContain(secret);
  });

  test("confirms an address, and drops the password that a stranger signed up with", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth } = opened;
    await auth.signUp({ ...adaCredentials, password: "a stranger's word" });
    const { token, headers } = await ask(opened);
    const done = await auth.signInWithLink({ token, headers, isConfirmed: false });
    expect((await auth.findViewer(cookieHeaders(done))).viewer).toMatchObject({ email, isConfirmed: true });
    const stranger = { email, password: "a stranger's word", headers: noCookies };
    expect(await auth.signIn(stranger)).toEqual({ kind: "refused" });
  });

  test("doesn't open an account in use whose address was never confirmed", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db, mails } = opened;
    await makeAccount(auth, mails);
    await db
      .updateTable("user" as "setting")
      .set({ emailVerified: engine === "sqlite" ? 0 : false } as never)
      .execute();
    await ask(opened);
    expect(mails).toEqual([]);
  });

  test("is void after a change of the password", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, mails } = opened;
    const session = await makeAccount(auth, mails);
    const { token, code, headers } = await ask(opened);
    const userId = (await auth.findUserId(email)) ?? "";
    const change = { userId, current: adaCredentials.password, password: "another long word", headers: session };
    expect(await auth.changePassword(change)).toBeDefined();
    expect(await auth.signInWithLink({ token, headers, isConfirmed: true })).toEqual({ kind: "refused" });
    expect(await auth.signInWithCode({ code, headers })).toEqual({ kind: "refused" });
  });

  test("asks an account with a second factor for it", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db, mails } = opened;
    await makeAccount(auth, mails);
    const owner_id = (await auth.findUserId(email)) ?? "";
    await db.insertInto("second_factor").values({ owner_id, enabled_at: Date.now(), totp_secret: null }).execute();
    const { token, headers } = await ask(opened);
    expect(await auth.signInWithLink({ token, headers, isConfirmed: false })).toMatchObject({ kind: "second-factor" });
    const second = await ask(opened);
    expect(await auth.signInWithCode({ code: second.code, headers: second.headers })).toMatchObject({
      kind: "second-factor",
    });
  });

  test("is refused for a blocked account", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, db, mails } = opened;
    await makeAccount(auth, mails);
    const { token, headers } = await ask(opened);
    const owner_id = (await auth.findUserId(email)) ?? "";
    await db.insertInto("account_block").values({ owner_id, reason: "spam", created_at: 1 }).execute();
    expect(await auth.signInWithLink({ token, headers, isConfirmed: false })).toMatchObject({ kind: "blocked" });
  });
});
