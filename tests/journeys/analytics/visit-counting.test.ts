import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const baseUrl = "http://localhost:3000";
const mine = { id: "mine", label: "Mine", url: "https://a.example" };

/** All counts so far, without the days. */
async function counted({ counter, db }: TestApp["services"]) {
  await counter.flush();
  const rows = await db
    .selectFrom("hourly_count")
    .select(["subject", "kind", "source", "target"])
    .select(({ fn }) => fn.sum<number>("n").as("n"))
    .groupBy(["subject", "kind", "source", "target"])
    .execute();
  return rows.map(({ subject, kind, source, target, n }) => `${subject} ${kind} ${source || target} ${n}`).toSorted();
}

describe("a visit", () => {
  test("is counted with its source, whether the page comes from the cache or not", async () => {
    const { visitor, services } = await createTestApp({ env: { DEMO: "on" } });
    const letters = ["?q", "?q", "?q=", "?l", "?n", "?w", "?s", "?b", "?p", "?q=word", "?Q"];
    for (const path of ["", ...letters, "?utm_source=x", "?utm_source=x&q"])
      await visitor().get(`/card/demo-card${path}`);
    await visitor().get("/u/demo-user?q");
    expect(await counted(services)).toEqual([
      "card:demo-card visit  4",
      "card:demo-card visit background 1",
      "card:demo-card visit link 1",
      "card:demo-card visit nfc 1",
      "card:demo-card visit print 1",
      "card:demo-card visit qr 4",
      "card:demo-card visit signature 1",
      "card:demo-card visit wallet 1",
      "profile:demo-user visit qr 1",
    ]);
  });

  // Of pages: server/public-pages/page-middleware.test.ts. All kinds of bots: app/features/analytics/rules.test.ts.
  test("of a file by a bot, by a prefetch, or without a body is not counted, nor of an image, data or an unknown card", async () => {
    const { visitor, services } = await createTestApp({ env: { DEMO: "on" } });
    const file = "/card/demo-card/contact.vcf";
    for (const agent of ["curl/8.5.0", "WhatsApp/2.23.20.0", ""]) await visitor().get(file, { "user-agent": agent });
    await visitor().get(file, { "sec-purpose": "prefetch" });
    await visitor().request(file, { method: "HEAD" });
    for (const path of ["/card/demo-card.data", "/card/demo-card/qr.svg", "/card/unknown?q"]) await visitor().get(path);
    expect(await counted(services)).toEqual([]);
  });

  test("by the owner is not counted; by another signed-in user it is", async () => {
    const { ada, visitor, signedIn, services } = await createSignedInApp();
    const adaId = await userIdOf(ada);
    await ada.post("/profile", profileForm({ handle: "ada-l" }, [mine]));
    const cardId = await makeCard(ada);
    const eve = await signedIn("eve@example.com");
    const paths = [`/u/${adaId}?q`, "/u/ada-l?q", `/card/${cardId}?q`, `/card/${cardId}/contact.vcf?q`];
    for (let round = 0; round < 2; round++) for (const path of paths) await ada.get(path);
    await report(ada, { subject: `profile:${adaId}`, target: "mine" });
    expect(await counted(services)).toEqual([]);
    for (const path of paths) await eve.get(path);
    await report(eve, { subject: `profile:${adaId}`, target: "mine" });
    await visitor().get(`/u/${adaId}`);
    expect(await counted(services)).toEqual([
      `card:${cardId} save qr 1`,
      `card:${cardId} visit qr 1`,
      `profile:${adaId} click mine 1`,
      `profile:${adaId} visit  1`,
      `profile:${adaId} visit qr 2`,
    ]);
  });
});

test("a click is counted only for a link that is on the page", async () => {
  const { ada, visitor, signedIn, services } = await createSignedInApp();
  const userId = await userIdOf(ada);
  const links = [
    { id: "shown", label: "Shown", url: "https://a.example" },
    { id: "off", label: "Off", url: "https://b.example", on: false },
  ];
  await ada.post("/profile", profileForm({}, links));
  const cardId = await makeCard(ada, { "links.0.id": "on-card" });
  const eve = await signedIn("eve@example.com");
  const hiddenId = await makeCard(eve, { "links.0.id": "hidden", is_public: "" });
  const reports = [
    { subject: `profile:${userId}`, target: "shown" },
    { subject: `card:${cardId}`, target: "on-card" },
    { subject: `profile:${userId}`, target: "off" },
    { subject: `profile:${userId}`, target: "on-card" },
    { subject: `card:${cardId}`, target: "shown" },
    { subject: `card:${cardId}`, target: "gone" },
    { subject: `card:${hiddenId}`, target: "hidden" },
    { subject: "card:unknown", target: "shown" },
    { subject: `user:${userId}`, target: "shown" },
    { subject: `profile:${userId}:x`, target: "shown" },
    { subject: `profile:${userId}\u0000`, target: "shown" },
    { subject: userId, target: "shown" },
    { subject: `profile:${userId}`, target: "" },
    { subject: [`profile:${userId}`], target: "shown" },
    { target: "shown" },
  ];
  for (const click of reports) {
    // The response doesn't reveal which of these exist.
    const response = await report(visitor(), click);
    expect([response.status, await response.text()]).toEqual([204, ""]);
  }
  await report(visitor(), reports[0], { "user-agent": "curl/8.5.0" });
  expect(await counted(services)).toEqual([`card:${cardId} click on-card 1`, `profile:${userId} click shown 1`]);
});

test.each(["visit", "click", "save"])(
  "a %s is counted at most 300 times an hour for one network and page, whatever the browser",
  async (kind) => {
    const { ada, app, services, logLines } = await createSignedInApp();
    await makePremium(services, await userIdOf(ada));
    const [cardId, other] = [await makeCard(ada, { "links.0.id": "a" }), await makeCard(ada, { "links.0.id": "a" })];
    const send = (id: string, remoteAddress: string, n = 0) => {
      const headers = { origin: baseUrl, "user-agent": `Mozilla/5.0 (iPhone; ${n}) Safari/604.1` };
      const body = JSON.stringify({ subject: `card:${id}`, target: "a" });
      const url = { visit: `/card/${id}`, click: "/count", save: `/card/${id}/contact.vcf` }[kind];
      const options = kind === "click" ? { method: "POST", body, headers } : { headers };
      return app.request(`${baseUrl}${url}`, options, { incoming: { socket: { remoteAddress } } });
    };
    for (let n = 0; n < 305; n++) expect((await send(cardId, `2001:db8::${n}`, n)).ok).toBe(true);
    await send(cardId, "203.0.113.7");
    await send(other, "2001:db8::1");
    const target = kind === "click" ? "a" : "";
    const expected = [`card:${cardId} ${kind} ${target} 301`, `card:${other} ${kind} ${target} 1`];
    expect(await counted(services)).toEqual(expected.toSorted());
    expect(logLines.filter((line) => line["security"] === "limit-reached")).toHaveLength(1);
  },
);

describe("a visitor", () => {
  test("leaves no address, browser or cookie in the database or the log, and of another site only its host", async () => {
    const { ada, app, services, logLines, dataDir } = await createSignedInApp({ env: { TRUSTED_PROXY: "10.0.0.1" } });
    const userId = await userIdOf(ada);
    await ada.post("/profile", profileForm({ handle: "ada-l" }, [mine]));
    const cardId = await makeCard(ada);
    const marked = {
      "user-agent": "Mozilla/5.0 (MARKED-BROWSER) Safari/604.1",
      "x-forwarded-for": "203.0.113.77",
      "accept-language": "MARKED-LANGUAGE",
      referer: "https://user@www.news.example:8080/MARKED-PATH?q=MARKED-SEARCH#MARKED",
      cookie: "MARKED-COOKIE=1; meishi.toast=MARKED-TOAST; meishi.session_token=MARKED-SESSION.x",
      "sec-ch-ua": "MARKED-HINT",
      from: "MARKED-FROM@example.com",
    };
    const from = { incoming: { socket: { remoteAddress: "10.0.0.1" } } };
    const withoutCookie = { ...marked, cookie: "MARKED-COOKIE=1" };
    for (const headers of [marked, withoutCookie]) {
      const campaign = "utm_source=marked@example.com&utm_id=MARKED-ID&utm_campaign=123456";
      const visits = [`/u/${userId}?q&${campaign}&`, "/u/ADA-L?", `/card/${cardId}?q&`, `/card/${cardId}/contact.vcf?`];
      for (const path of [...visits, "/nowhere?", "/auth?"]) {
        const address = `${baseUrl}${path}x=MARKED-QUERY`;
        for (let round = 0; round < 2; round++) await app.request(address, { headers }, from);
      }
      const post = (path: string, body: string | URLSearchParams) =>
        app.request(baseUrl + path, { method: "POST", headers: { ...headers, origin: baseUrl }, body }, from);
      await post("/count", JSON.stringify({ subject: `profile:${userId}`, target: "mine", from: "MARKED-BODY" }));
      // A failed sign-in is counted for the rate limits, under a keyed hash.
      const guess = { intent: "log-in", email: "MARKED-GUESS@example.com", password: "MARKED-WORD" };
      await post("/auth", new URLSearchParams(guess));
    }
    expect((await counted(services)).length).toBeGreaterThan(3);

    const names = sql<{ name: string }>`select name from sqlite_master where type = 'table'`;
    const { rows: tables } = await names.execute(services.db);
    const dump: Record<string, unknown> = {};
    for (const { name } of tables) dump[name] = (await sql`select * from ${sql.table(name)}`.execute(services.db)).rows;
    expect(Object.keys(dump)).toEqual(
      expect.arrayContaining(["hourly_count", "attempt", "session", "verification", "user"]),
    );
    const secrets = /marked|203\.0\.113\.77|10\.0\.0\.1/i;
    expect(JSON.stringify(dump)).not.toMatch(secrets);
    expect(JSON.stringify(logLines)).not.toMatch(secrets);
    // Nor in the database files, which hold deleted and pending rows.
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of files)
      expect(readFileSync(join(file.parentPath, file.name), "latin1"), file.name).not.toMatch(secrets);
    const sessions = dump["session"] as { ipAddress: unknown; userAgent: unknown }[];
    for (const { ipAddress, userAgent } of sessions) expect([ipAddress ?? "", userAgent ?? ""]).toEqual(["", ""]);
  });

  test("gets no cookie from public pages", async () => {
    const { visitor } = await createTestApp({ env: { DEMO: "on" } });
    const person = visitor();
    for (const path of ["/u/demo-user", "/card/demo-card", "/card/demo-card/contact.vcf", "/card/demo-card/qr.svg"])
      for (let round = 0; round < 2; round++) expect((await person.get(path)).headers.getSetCookie()).toEqual([]);
  });
});

function report(
  person: Pick<ReturnType<TestApp["visitor"]>, "request">,
  click: unknown,
  headers: Record<string, string> = {},
) {
  const sent = { origin: baseUrl, "content-type": "text/plain;charset=UTF-8", ...headers };
  return person.request("/count", { method: "POST", headers: sent, body: JSON.stringify(click) });
}
