import { describe, expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, openAccount, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase, listEngines } from "#tests/support/database/databases.ts";
import { openThroughProxy } from "#tests/support/database/faulty-proxy.ts";

import { hasSession } from "./session-rows.server.ts";

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const cleared = "meishi.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
const ended = { viewer: undefined, cookies: [cleared] };
const valid = { viewer: expect.objectContaining({ email: adaCredentials.email }), cookies: [] };

describeOnEachDatabase("a session", (makeDb, engine) => {
  const open = () => openAccount(makeDb, engine);

  test("lasts seven days after the last visit, like its cookie", async () => {
    const { auth, headers } = await open();
    expect(await auth.findViewer(headers)).toEqual(valid);
    advanceClock({ hours: 6 * 24 });
    const { viewer, cookies } = await auth.findViewer(headers);
    expect(viewer).toBeDefined();
    expect(cookies).toEqual([
      expect.stringMatching(/^meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    advanceClock({ hours: 6 * 24 });
    expect((await auth.findViewer(headers)).viewer).toBeDefined();
    advanceClock({ hours: 7 * 24 + 1 });
    expect(await auth.findViewer(headers)).toEqual(ended);
  });

  test("ends 90 days after the sign-in, however often it is used, and is found with one query", async () => {
    const { auth, headers, queries } = await open();
    const before = queries.count;
    for (let day = 6; day < 90; day += 6) {
      advanceClock({ hours: 6 * 24 });
      expect((await auth.findViewer(headers)).viewer, `day ${day}`).toBeDefined();
    }
    await auth.findViewer(headers);
    // Extended once for each of the 14 visits.
    expect(queries.count - before).toBe(2 * 14 + 1);
    advanceClock({ hours: 6 * 24 + 1 });
    expect(await auth.findViewer(headers)).toEqual(ended);
  });

  test("is not looked up without a session cookie, nor with a forged one, which is deleted", async () => {
    const { auth, queries } = await openAuth(makeDb, engine);
    for (const cookie of ["", "meishi.toast=x; theme=dark"]) {
      expect(hasSession(cookie)).toBe(false);
      expect(await auth.findViewer(new Headers({ cookie }))).toEqual({ viewer: undefined, cookies: [] });
    }
    expect(hasSession(undefined)).toBe(false);
    for (const value of ["", "x", "x.y", "%E0%A4%A", `${"a".repeat(32)}.${"b".repeat(43)}%3D`, "a".repeat(5000)])
      expect(await auth.findViewer(new Headers({ cookie: `meishi.session_token=${value}` })), value).toEqual(ended);
    expect(queries.count).toBe(0);
  });

  test("is not read from a cookie whose name only resembles ours", async () => {
    const { auth, headers: ada, queries } = await open();
    const before = queries.count;
    for (const prefix of ["\u00a0", "\t", "x"]) {
      const headers = new Headers({ cookie: `theme=dark; ${prefix}${ada.get("cookie")}` });
      expect((await auth.findViewer(headers)).viewer, JSON.stringify(prefix)).toBeUndefined();
    }
    expect(queries.count).toBe(before);
  });

  test("ends with sign-out, even for copies of the cookie", async () => {
    const { auth, headers } = await open();
    expect((await auth.signOut(headers)).cookies).toEqual([
      expect.stringMatching(/^meishi\.session_token=; Max-Age=0; /),
    ]);
    expect((await auth.findViewer(headers)).viewer).toBeUndefined();
    expect(await auth.signOut(new Headers())).toEqual({ cookies: [] });
  });

  test("is new at each sign-in, and ends the previous one of the browser", async () => {
    const { auth, headers: before, signIn } = await open();
    const after = cookieHeaders(await signIn({ headers: before }));
    expect(after.get("cookie")).not.toBe(before.get("cookie"));
    expect((await auth.findViewer(after)).viewer).toBeDefined();
    expect((await auth.findViewer(before)).viewer).toBeUndefined();
  });

  test("has a token of at least 128 random bits, and none repeats", async () => {
    const { signIn } = await open();
    const tokens = new Set<string>();
    for (let count = 0; count < 20; count++) {
      const cookie = /session_token=([^;]+)/.exec(cookieHeaders(await signIn()).get("cookie") ?? "")?.[1] ?? "";
      const token = decodeURIComponent(cookie).split(".")[0] ?? "";
      // Six bits a character; random text of this length has more than ten different characters.
      expect(token).toMatch(/^[\w-]{22,}$/);
      expect(new Set(token).size).toBeGreaterThan(10);
      tokens.add(token);
    }
    expect(tokens.size).toBe(20);
  });

  test("has a Secure __Host- cookie over HTTPS", async () => {
    const { auth, headers, signIn } = await openAccount(makeDb, engine, { baseUrl: "https://cards.example.com" });
    expect(hasSession(headers.get("cookie") ?? undefined)).toBe(true);
    const signedIn = await signIn();
    expect("cookies" in signedIn && signedIn.cookies[0]).toMatch(
      /^__Host-meishi\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await auth.findViewer(cookieHeaders(signedIn))).viewer).toBeDefined();
  });

  test("stores the kind of browser, but neither the network address nor the user agent", async () => {
    const { db, readTables, signIn } = await open();
    const headers = new Headers({ "x-forwarded-for": "203.0.113.7", "user-agent": firefox });
    await signIn({ headers, address: "203.0.113.7" });
    const stored = [await readTables(), await db.selectFrom("security_event").selectAll().execute()];
    expect(JSON.stringify(stored)).toContain("Firefox on Windows");
    expect(JSON.stringify(stored)).not.toMatch(/203\.0|Gecko|rv:140/);
  });

  test("ends when the operator blocks the account, and none can be started", async () => {
    const { auth, db, headers, userId, signIn } = await open();
    await db.insertInto("account_block").values({ owner_id: userId, reason: "spam", created_at: 1 }).execute();
    expect((await auth.findViewer(headers)).viewer).toBeUndefined();
    expect(await signIn()).toEqual({ kind: "blocked" });
    expect(await signIn({ password: "wrong" })).toEqual({ kind: "refused" });
  });

  test("from a browser that was not used before causes one notice to the owner", async () => {
    const { mails, headers, signIn } = await open();
    await signIn({ headers });
    expect(mails).toEqual([]);
    const signedIn = cookieHeaders(await signIn({ headers: new Headers({ "user-agent": firefox }) }));
    const told = { kind: "new-device", to: adaCredentials.email, browser: "Firefox on Windows", at: Date.now() };
    expect(mails).toEqual([{ ...told, locale: "", timeZone: "" }]);
    await signIn({ headers: signedIn });
    expect(mails).toHaveLength(1);
  });

  test("waits for the second factor of an account that has one, unless the browser is trusted", async () => {
    const { auth, db, headers, userId, signIn } = await open();
    await db.insertInto("second_factor").values({ owner_id: userId, enabled_at: Date.now() }).execute();
    const waiting = await signIn();
    expect(waiting).toMatchObject({ kind: "second-factor", cookies: [expect.stringMatching(/^meishi\.challenge=/)] });
    expect((await auth.findViewer(cookieHeaders(waiting))).viewer).toBeUndefined();
    expect(await signIn({ headers })).toMatchObject({ kind: "second-factor" });
    const trusted_until = Date.now() + 1000;
    await db.updateTable("known_device").set({ trusted_until }).execute();
    expect(await signIn({ headers })).toMatchObject({ kind: "signed-in" });
  });
});

describe.runIf(listEngines().includes("postgres"))("a session, when connections to PostgreSQL are lost", () => {
  test("is found when its renewal is lost, and renewed at the next visit", async () => {
    for (const isForwarded of [false, true]) {
      const { auth, headers, proxy } = await openAccountThroughProxy();
      advanceClock({ hours: 25 });
      proxy.breakAt({ pattern: /update "session"/, isForwarded });
      expect(await auth.findViewer(headers)).toEqual(valid);
      expect(proxy.countSeen()).toBe(1);
      advanceClock({ hours: 25 });
      const renewed = await auth.findViewer(headers);
      expect(renewed).toEqual({ ...valid, cookies: [expect.stringMatching(/Max-Age=604800/)] });
    }
  });

  test("is not ended when it can't be read at all", async () => {
    const { auth, headers, proxy } = await openAccountThroughProxy();
    proxy.breakAt({ pattern: /from "session"/, times: 100 });
    await expect(auth.findViewer(headers)).rejects.toThrow(/connection/i);
    proxy.breakAt({ pattern: /nothing/ });
    expect(await auth.findViewer(headers)).toEqual(valid);
  });
});

async function openAccountThroughProxy() {
  const { db, proxy } = await openThroughProxy();
  return { ...(await openAccount(async () => db, "postgres")), proxy };
}
