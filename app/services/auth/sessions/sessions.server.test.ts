import { describe, expect, test } from "vitest";

import {
  adaCredentials,
  cookieHeaders,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
  tokenOf,
  advanceClock,
} from "#tests/support/app/auth.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { describeOnEachDatabase, listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openFaultyProxy } from "#tests/support/database/faulty-proxy.ts";
import { isConnectionLost, isOutcomeUnknown } from "#app/services/base/errors.ts";
import { openDatabase } from "#app/services/database/database.server.ts";

import { hasSession } from "./sessions.server.ts";

describeOnEachDatabase("a session", (makeDb, engine) => {
  test("lasts seven days after the last visit, like its cookie", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    expect(await auth.findViewer(ada)).toMatchObject({ viewer: expect.anything(), cookies: [] });
    advanceClock({ hours: 6 * 24 });
    const { viewer, cookies } = await auth.findViewer(ada);
    expect(viewer).toBeDefined();
    expect(cookies).toEqual([
      expect.stringMatching(/^meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    advanceClock({ hours: 6 * 24 });
    expect((await auth.findViewer(ada)).viewer).toBeDefined();
    advanceClock({ hours: 7 * 24 + 1 });
    expect(await auth.findViewer(ada)).toEqual({ viewer: undefined, cookies: [cleared] });
  });

  test("is not looked up without a session cookie", async () => {
    const { auth, queries } = await openAuth(makeDb, engine);
    expect(hasSession(undefined)).toBe(false);
    expect(hasSession("meishi.toast=x; theme=dark")).toBe(false);
    expect(await auth.findViewer(noCookies)).toEqual({ viewer: undefined, cookies: [] });
    expect(await auth.findViewer(new Headers({ cookie: "theme=dark" }))).toEqual({ viewer: undefined, cookies: [] });
    expect(queries.count).toBe(0);
  });

  const forgedCookies = ["", "x", "x.y", "%E0%A4%A", `${"a".repeat(32)}.${"b".repeat(43)}%3D`, "a".repeat(5000)];
  test.each(forgedCookies.map((value) => [value.slice(0, 40), value]))(
    "is not found by a forged cookie, which is deleted without a query: %s",
    async (_start, value) => {
      const { auth, queries } = await openAuth(makeDb, engine);
      const headers = new Headers({ cookie: `meishi.session_token=${value}` });
      expect(await auth.findViewer(headers)).toEqual({ viewer: undefined, cookies: [cleared] });
      expect(queries.count).toBe(0);
    },
  );

  test("is not read from a cookie whose name only resembles ours", async () => {
    const { auth, mails, queries } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    const before = queries.count;
    for (const prefix of ["\u00a0", "\t", "x"]) {
      const headers = new Headers({ cookie: `theme=dark; ${prefix}${ada.get("cookie")}` });
      expect((await auth.findViewer(headers)).viewer, JSON.stringify(prefix)).toBeUndefined();
    }
    expect(queries.count).toBe(before);
  });

  test("ends with sign-out, even for copies of the cookie", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    expect((await auth.signOut(ada)).cookies).toEqual([expect.stringMatching(/^meishi\.session_token=; Max-Age=0; /)]);
    expect((await auth.findViewer(ada)).viewer).toBeUndefined();
    expect(await auth.signOut(noCookies)).toEqual({ cookies: [] });
  });

  test("is new at each sign-in, and ends the previous one of the browser", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const before = await makeAccount(auth, mails);
    const after = cookieHeaders(await auth.signIn({ ...adaCredentials, headers: before }));
    expect(after.get("cookie")).not.toBe(before.get("cookie"));
    expect((await auth.findViewer(after)).viewer).toBeDefined();
    expect((await auth.findViewer(before)).viewer).toBeUndefined();
  });

  test("has a Secure __Host- cookie over HTTPS", async () => {
    const { auth, mails } = await openAuth(makeDb, engine, { baseUrl: "https://cards.example.com" });
    await auth.signUp(adaCredentials);
    const opened = await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined });
    const cookie = opened.kind === "signed-in" ? opened.cookies[0] : "";
    expect(cookie).toMatch(
      /^__Host-meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(hasSession(cookieHeaders(opened).get("cookie") ?? undefined)).toBe(true);
    expect((await auth.findViewer(cookieHeaders(opened))).viewer).toBeDefined();
  });

  test("stores neither the network address nor the user agent", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const before = new Headers({ "x-forwarded-for": "203.0.113.7", "user-agent": "Netscape 4" });
    await auth.signIn({ ...adaCredentials, headers: before });
    expect(JSON.stringify(await readAccountTables(db))).not.toMatch(/203\.0|Netscape/);
  });
});

describe.runIf(listEngines().includes("postgres"))("a session, when connections to PostgreSQL are lost", () => {
  test("is found, and its cookie stays", async () => {
    const { auth, ada, proxy } = await openThroughProxy();
    const valid = { viewer: expect.objectContaining({ email: adaCredentials.email }), cookies: [] };
    proxy.breakOpenConnections();
    expect(await auth.findViewer(ada)).toEqual(valid);
    proxy.breakAt({ pattern: /from "session"/, isForwarded: true });
    expect(await auth.findViewer(ada)).toEqual(valid);
    expect(proxy.countSeen()).toBe(2);
  });

  test("is found when its renewal is lost, and renewed at the next visit", async () => {
    for (const isForwarded of [false, true]) {
      const { auth, ada, proxy } = await openThroughProxy();
      advanceClock({ hours: 25 });
      proxy.breakAt({ pattern: /update "session"/, isForwarded });
      expect(await auth.findViewer(ada)).toEqual({ viewer: expect.anything(), cookies: [] });
      expect(proxy.countSeen()).toBe(1);
      advanceClock({ hours: 25 });
      expect(await auth.findViewer(ada)).toEqual({
        viewer: expect.anything(),
        cookies: [expect.stringMatching(/Max-Age=604800/)],
      });
    }
  });

  test("is not ended when it can't be read at all", async () => {
    const { auth, ada, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /from "session"/, times: 100 });
    await expect(auth.findViewer(ada)).rejects.toThrow(/Failed to get session/i);
    proxy.breakAt({ pattern: /nothing/ });
    expect(await auth.findViewer(ada)).toMatchObject({ viewer: expect.anything(), cookies: [] });
  });

  test("ends on the server when the first try is lost", async () => {
    const { auth, ada, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /delete from "session"/ });
    expect((await auth.signOut(ada)).cookies).toEqual([expect.stringMatching(/Max-Age=0/)]);
    expect(await auth.findViewer(ada)).toEqual({ viewer: undefined, cookies: [cleared] });
  });

  test("that may not have been made is reported as that, whatever better-auth throws", async () => {
    const { auth, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /insert into "session"/, isForwarded: true });
    const error: unknown = await auth
      .signIn({ ...adaCredentials, headers: noCookies })
      .catch((thrown: unknown) => thrown);
    expect([isOutcomeUnknown(error), isConnectionLost(error)]).toEqual([true, false]);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });
});

async function openThroughProxy() {
  const { databaseUrl = "", dataDir } = await makeDatabase("postgres");
  const proxy = await openFaultyProxy(databaseUrl);
  const { db, close } = await openDatabase({ dataDir, databaseUrl: proxy.url });
  cleanUpAfterTest(close);
  const { auth, mails } = await openAuth(async () => db, "postgres");
  return { auth, proxy, ada: await makeAccount(auth, mails) };
}

const cleared = "meishi.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
