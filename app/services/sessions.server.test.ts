import { expect, test } from "vitest";

import { ada, browser, makeAccount, nobody, openAuth, readAll, tokenOf, wait } from "#tests/support/accounts.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";

import { hasSession } from "./auth.server.ts";

describeOnEachDatabase("a session", (makeDb, engine) => {
  test("lasts seven days after the last visit, and the cookie with it", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    expect(await auth.findViewer(ada)).toMatchObject({ viewer: expect.anything(), cookies: [] });
    wait({ hours: 6 * 24 });
    const { viewer, cookies } = await auth.findViewer(ada);
    expect(viewer).toBeDefined();
    expect(cookies).toEqual([
      expect.stringMatching(/^meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    wait({ hours: 6 * 24 });
    expect((await auth.findViewer(ada)).viewer).toBeDefined();
    wait({ hours: 7 * 24 + 1 });
    expect(await auth.findViewer(ada)).toEqual({ viewer: undefined, cookies: [cleared] });
  });

  test("is not looked up when there is no cookie of ours", async () => {
    const { auth, queries } = await openAuth(makeDb, engine);
    expect(hasSession(undefined)).toBe(false);
    expect(hasSession("meishi.toast=x; theme=dark")).toBe(false);
    expect(await auth.findViewer(nobody)).toEqual({ viewer: undefined, cookies: [] });
    expect(await auth.findViewer(new Headers({ cookie: "theme=dark" }))).toEqual({ viewer: undefined, cookies: [] });
    expect(queries.count).toBe(0);
  });

  const madeUp = ["", "x", "x.y", "%E0%A4%A", `${"a".repeat(32)}.${"b".repeat(43)}%3D`, "a".repeat(5000)];
  test.each(madeUp.map((value) => [value.slice(0, 40), value]))(
    "that was made up is no session, and its cookie goes: %s",
    async (_start, value) => {
      const { auth, queries } = await openAuth(makeDb, engine);
      const headers = new Headers({ cookie: `meishi.session_token=${value}` });
      expect(await auth.findViewer(headers)).toEqual({ viewer: undefined, cookies: [cleared] });
      expect(queries.count).toBe(0);
    },
  );

  test("ends with sign-out, everywhere that cookie went", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    expect((await auth.signOut(ada)).cookies).toEqual([expect.stringMatching(/^meishi\.session_token=; Max-Age=0; /)]);
    expect((await auth.findViewer(ada)).viewer).toBeUndefined();
    expect(await auth.signOut(nobody)).toEqual({ cookies: [] });
  });

  test("is a new one at each sign-in, and the one before in this browser ends", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const before = await makeAccount(auth, mails);
    const after = browser(await auth.signIn({ ...ada, headers: before }));
    expect(after.get("cookie")).not.toBe(before.get("cookie"));
    expect((await auth.findViewer(after)).viewer).toBeDefined();
    expect((await auth.findViewer(before)).viewer).toBeUndefined();
  });

  test("on https has a cookie that never goes over http", async () => {
    const { auth, mails } = await openAuth(makeDb, engine, { baseUrl: "https://cards.example.com" });
    await auth.signUp(ada);
    const opened = await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined });
    const cookie = opened.kind === "signed-in" ? opened.cookies[0] : "";
    expect(cookie).toMatch(
      /^__Secure-meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(hasSession(browser(opened).get("cookie") ?? undefined)).toBe(true);
    expect((await auth.findViewer(browser(opened))).viewer).toBeDefined();
  });

  test("keeps neither the address nor the browser's name", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const before = new Headers({ "x-forwarded-for": "203.0.113.7", "user-agent": "Netscape 4" });
    await auth.signIn({ ...ada, headers: before });
    expect(JSON.stringify(await readAll(db))).not.toMatch(/203\.0|Netscape/);
  });
});

const cleared = "meishi.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
