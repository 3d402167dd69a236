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

import { hasSession } from "./session-rows.server.ts";

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
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    const opened = await auth.confirm({ headers, token: tokenOf(mails[0]), viewer: undefined });
    const cookie = opened.kind === "signed-in" ? opened.cookies[0] : "";
    expect(cookie).toMatch(
      /^__Host-meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(hasSession(cookieHeaders(opened).get("cookie") ?? undefined)).toBe(true);
    expect((await auth.findViewer(cookieHeaders(opened))).viewer).toBeDefined();
  });

  test("stores the kind of browser, but neither the network address nor the user agent", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const before = new Headers({ "x-forwarded-for": "203.0.113.7", "user-agent": firefox });
    await auth.signIn({ ...adaCredentials, headers: before, address: "203.0.113.7" });
    const stored = [await readAccountTables(db), await db.selectFrom("security_event").selectAll().execute()];
    expect(JSON.stringify(stored)).toContain("Firefox on Windows");
    expect(JSON.stringify(stored)).not.toMatch(/203\.0|Gecko|rv:140/);
  });

  test("is found with one query", async () => {
    const { auth, mails, queries } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    const before = queries.count;
    expect((await auth.findViewer(ada)).viewer).toBeDefined();
    expect(queries.count - before).toBe(1);
  });

  test("ends 90 days after the sign-in, however often it is used", async () => {
    const { auth, mails, queries } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    const before = queries.count;
    for (let day = 6; day < 90; day += 6) {
      advanceClock({ hours: 6 * 24 });
      expect((await auth.findViewer(ada)).viewer, `day ${day}`).toBeDefined();
    }
    await auth.findViewer(ada);
    // Extended once for each of the 14 visits.
    expect(queries.count - before).toBe(2 * 14 + 1);
    advanceClock({ hours: 6 * 24 + 1 });
    expect(await auth.findViewer(ada)).toEqual({ viewer: undefined, cookies: [cleared] });
  });

  test("ends when the operator blocks the account, and none can be started", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    const { viewer } = await auth.findViewer(ada);
    const block = { owner_id: viewer?.id ?? "", reason: "spam", created_at: Date.now() };
    await db.insertInto("account_block").values(block).execute();
    expect((await auth.findViewer(ada)).viewer).toBeUndefined();
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toEqual({ kind: "blocked" });
    expect(await auth.signIn({ ...adaCredentials, password: "wrong", headers: noCookies })).toEqual({
      kind: "refused",
    });
  });

  test("from a browser that was not used before is told to the owner, once", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    expect(mails).toEqual([]);
    await auth.signIn({ ...adaCredentials, headers: ada });
    expect(mails).toEqual([]);
    const stranger = new Headers({ "user-agent": firefox });
    const signedIn = cookieHeaders(await auth.signIn({ ...adaCredentials, headers: stranger }));
    const told = { kind: "new-device", to: adaCredentials.email, browser: "Firefox on Windows", at: Date.now() };
    expect(mails).toEqual([{ ...told, locale: "", timeZone: "" }]);
    await auth.signIn({ ...adaCredentials, headers: signedIn });
    expect(mails).toHaveLength(1);
  });

  test("waits for the second factor of an account that has one, unless the browser is trusted", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const ada = await makeAccount(auth, mails);
    const { viewer } = await auth.findViewer(ada);
    const factor = { owner_id: viewer?.id ?? "", totp_secret: null, enabled_at: Date.now() };
    await db.insertInto("second_factor").values(factor).execute();
    const waiting = await auth.signIn({ ...adaCredentials, headers: noCookies });
    expect(waiting).toMatchObject({ kind: "second-factor", cookies: [expect.stringMatching(/^meishi\.challenge=/)] });
    expect((await auth.findViewer(cookieHeaders(waiting))).viewer).toBeUndefined();
    expect(await auth.signIn({ ...adaCredentials, headers: ada })).toMatchObject({ kind: "second-factor" });
    await db
      .updateTable("known_device")
      .set({ trusted_until: Date.now() + 1000 })
      .execute();
    expect(await auth.signIn({ ...adaCredentials, headers: ada })).toMatchObject({ kind: "signed-in" });
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
    await expect(auth.findViewer(ada)).rejects.toThrow(/connection/i);
    proxy.breakAt({ pattern: /nothing/ });
    expect(await auth.findViewer(ada)).toMatchObject({ viewer: expect.anything(), cookies: [] });
  });

  test("ends on the server when the first try is lost", async () => {
    const { auth, ada, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /delete from "session"/ });
    expect((await auth.signOut(ada)).cookies).toEqual([expect.stringMatching(/Max-Age=0/)]);
    expect(await auth.findViewer(ada)).toEqual({ viewer: undefined, cookies: [cleared] });
  });

  test("that may not have been made is reported as that", async () => {
    const { auth, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /insert into "session"[^]*commit/, isForwarded: true });
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

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const cleared = "meishi.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
