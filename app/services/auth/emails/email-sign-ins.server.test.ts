import { expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, openAccount, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const { email } = adaCredentials;
const firefox = new Headers({ "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:141.0) Gecko/20100101 Firefox/141.0" });
const refused = { kind: "refused" };

/** Requests an email; returns it with the headers of the browser that requested it. */
async function ask({ auth, mails }: Pick<Awaited<ReturnType<typeof openAuth>>, "auth" | "mails">, to = email) {
  mails.length = 0;
  const asked = await auth.requestEmailSignIn({ email: to, returnTo: undefined, headers: firefox });
  const [mail] = mails;
  const { token, code } = mail?.kind === "sign-in" ? mail : { token: "", code: "" };
  return { token, code, mail, headers: cookieHeaders({ kind: "sent", ...asked }) };
}

describeOnEachDatabase("an emailed sign-in", (makeDb, engine) => {
  async function openAsked() {
    const opened = await openAccount(makeDb, engine);
    const asked = await ask(opened);
    const viaLink = (headers = asked.headers, isConfirmed = true) =>
      opened.auth.signInWithLink({ token: asked.token, headers, isConfirmed });
    const viaCode = (code = asked.code, headers = asked.headers) => opened.auth.signInWithCode({ code, headers });
    return { ...opened, ...asked, session: opened.headers, viaLink, viaCode };
  }

  test("belongs to the browser that asked: another one needs a press, and can't use the code", async () => {
    const { auth, token, code, viaLink, viaCode, ...opened } = await openAsked();
    const { headers: other } = await ask({ ...opened, auth }, "other@example.com");
    for (const headers of [new Headers(), other]) {
      expect(await viaCode(code, headers)).toEqual(refused);
      expect(await auth.findEmailLink({ token, headers })).toMatchObject({ isSameBrowser: false });
      expect(await viaLink(headers, false)).toEqual(refused);
    }
    const wrong = code === "000000" ? "000001" : "000000";
    expect([await viaCode(wrong), (await viaLink(new Headers())).kind]).toEqual([refused, "signed-in"]);
  });

  test("lets one of twenty sign-ins at once through, with the link or the code, and none later", async () => {
    const { auth, readTables, mail, viaLink, viaCode } = await openAsked();
    expect(mail).toMatchObject({ to: email, browser: "Firefox on Windows", validMinutes: 10 });
    const before = (await readTables()).session.length;
    const done = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (n % 2 ? viaCode() : viaLink(new Headers()))),
    );
    const [signedIn = { kind: "none" }, ...more] = done.filter(({ kind }) => kind === "signed-in");
    expect((await auth.findViewer(cookieHeaders(signedIn))).viewer).toMatchObject({ email, isConfirmed: true });
    expect([more, await viaLink(), await viaCode()]).toEqual([[], refused, refused]);
    expect((await readTables()).session).toHaveLength(before + 1);
  });

  test("ends after ten minutes, and is refused for any other text", async () => {
    const { auth, db, token, headers, viaLink, viaCode } = await openAsked();
    for (const other of ["", "x", "\0", "\0".repeat(32), token.slice(1), `${token}a`]) {
      expect(await auth.findEmailLink({ token: other, headers })).toBeUndefined();
      expect(await viaCode(other)).toEqual(refused);
    }
    advanceClock({ hours: 10.1 / 60 });
    expect(auth.findEmailRequest(headers)).toBeUndefined();
    expect(await auth.findEmailLink({ token, headers })).toBeUndefined();
    expect([await viaLink(), await viaCode()]).toEqual([refused, refused]);
    await auth.sweep();
    expect(await db.selectFrom("email_sign_in").selectAll().execute()).toEqual([]);
  });

  test("sends nothing to an address without an account, nor to one in use that was never confirmed", async () => {
    const opened = await openAccount(makeDb, engine);
    const { auth, db, countUsers, markUnconfirmed, mails } = opened;
    const { mail, headers } = await ask(opened, "none@example.com");
    expect(mail).toBeUndefined();
    expect(auth.findEmailRequest(headers)).toMatchObject({ email: "none@example.com" });
    expect(await auth.signInWithCode({ code: "000000", headers })).toEqual(refused);
    await markUnconfirmed();
    await ask(opened);
    expect([mails, await countUsers()]).toEqual([[], 1]);
    expect(await db.selectFrom("email_sign_in").selectAll().execute()).toEqual([]);
  });

  test("stores neither the link, the code nor the browser's token as they are", async () => {
    const { db, token, code, headers } = await openAsked();
    const stored = JSON.stringify(await db.selectFrom("email_sign_in").selectAll().execute());
    const [claim = ""] = headers.get("cookie")?.split("=")[1]?.split(".") ?? [];
    const [browserToken] = JSON.parse(Buffer.from(claim, "base64url").toString()) as string[];
    for (const secret of [token, `"${code}"`, browserToken ?? ""]) expect(stored).not.toContain(secret);
  });

  test("confirms an address, and drops the password that a stranger signed up with", async () => {
    const opened = await openAuth(makeDb, engine);
    const { auth, signIn } = opened;
    await auth.signUp({ ...adaCredentials, password: "a stranger's word" });
    const { token, headers } = await ask(opened);
    const done = await auth.signInWithLink({ token, headers, isConfirmed: false });
    expect((await auth.findViewer(cookieHeaders(done))).viewer).toMatchObject({ email, isConfirmed: true });
    expect(await signIn({ password: "a stranger's word" })).toEqual(refused);
  });

  test("is void after a change of the password, and for a blocked account", async () => {
    const { auth, db, userId, session, viaLink, viaCode, ...opened } = await openAsked();
    const change = { userId, current: adaCredentials.password, password: "another long word", headers: session };
    expect(await auth.changePassword(change)).toBeDefined();
    expect([await viaLink(), await viaCode()]).toEqual([refused, refused]);
    const { token, headers } = await ask({ ...opened, auth });
    await db.insertInto("account_block").values({ owner_id: userId, reason: "spam", created_at: 1 }).execute();
    expect(await auth.signInWithLink({ token, headers, isConfirmed: false })).toMatchObject({ kind: "blocked" });
  });
});
