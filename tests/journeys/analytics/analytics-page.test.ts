import { describe, expect, test } from "vitest";

import { noOrigin } from "#app/features/analytics/counting/visit-rules.ts";
import { visitSources } from "#app/features/sharing/source-marks.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { countQueries } from "#tests/support/database/count-queries.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

import { msPerDay, openAnalytics as open } from "./owner.ts";

describe("/analytics", () => {
  test("shows what visitors did, at once and after the roll-up alike", async () => {
    const env = { COUNTRY_HEADER: "CF-IPCountry", TRUSTED_PROXY: "127.0.0.1" };
    const { ada, visitor, services, read, rollUp } = await open({ env });
    const card = await makeCard(ada, { card_name: "Engines" });
    const phone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
    const headers = { "user-agent": phone, "cf-ipcountry": "JP" };
    await visitor().get(`/card/${card}?q`, headers);
    await visitor().get(`/card/${card}?utm_source=fair`, { ...headers, referer: "https://news.example/path" });
    await visitor().get(`/card/${card}/contact.vcf?q`, headers);
    await services.counter.flush();
    for (let round = 0; round < 2; round++) {
      const text = await read("/analytics");
      for (const shown of [
        /Visits 2 /,
        /Visitors 1 /,
        /Saves 1 50% of visits/,
        /Engines 50% 2 /,
        /QR code 100% 1 /,
        /news\.example/,
        /Phone 2 /,
        /Japan 2 /,
        /fair 0% 1 /,
        /Most visits: Monday, 12:00 to 13:00/,
      ])
        expect(text).toMatch(shown);
      await rollUp();
    }
  });

  test("compares with the period before, and refuses impossible dates without losing them", async () => {
    const { ada, read, count, rollUp, advance } = await open();
    await count(4);
    advance(8 * msPerDay);
    await count(5);
    const week = await read("/analytics?range=7");
    expect(week).toMatch(/Visits compared with the period before: \+25% 5 /);
    expect(week).toMatch(/Visits before .*Tue, Dec 1, 2026 5 0 0 0 0 0 .*Mon, Nov 30, 2026 0 0 0 0 0 4 /);
    expect(week).toContain("Nov 25 – Dec 1, 2026, compared with Nov 18 – 24, 2026");
    const links = readElements(await (await ada.get("/analytics?range=30&show=saves")).text());
    const hrefs = links.map(({ attributes }) => attributes["href"]);
    for (const query of ["range=7&show=saves", "range=30&show=visits"]) expect(hrefs).toContain(`/analytics?${query}`);
    expect(await read("/analytics?range=own&from=2026-11-23&to=2026-11-23")).toMatch(/Visits 4 /);
    await rollUp();
    const all = await read("/analytics?range=all");
    expect(all).toMatch(/Visits 9 /);
    // Only where the first visit was in the middle of the period before.
    expect(await read("/analytics?range=7")).toContain(
      "compared with Nov 18 – 24, 2026. Counting started on Nov 23, 2026.",
    );
    for (const text of [all, await read("/analytics?range=own&from=2026-11-24&to=2026-11-24")])
      expect(text).not.toContain("Counting started");
    const reversed = await (await ada.get("/analytics?range=own&from=2026-12-01&to=2026-11-23")).text();
    for (const text of ["The first day is after the last one.", 'value="2026-12-01"']) expect(reversed).toContain(text);
    const long = "range=own&from=0001-01-01&to=9999-12-31";
    expect(await read(`/analytics?${long}`)).toContain("Choose at most 20 years.");
    const refused = await ada.get(`/analytics/export?format=json&${long}`);
    expect(refused.headers.get("location")).toContain(`/analytics?format=json&${long}`);
    for (const query of ["range=own", "range=own&from=x&to=2026-02-31", "range=99&show=__proto__"])
      expect((await ada.get(`/analytics?${query}`)).status, query).toBe(200);
  });

  test("adds up the visits from all codes, at once and after the roll-up alike", async () => {
    const { ada, id, visitor, services, advance, rollUp, ...app } = await open();
    const card = await makeCard(ada, { card_name: "Engines" });
    await visitor().get(`/card/${card}?q`);
    await services.counter.flush();
    advance(7 * msPerDay);
    for (const mark of ["q", "p", "w", "b", "l", "n", "s"]) await visitor().get(`/card/${card}?${mark}`);
    await visitor().get(`/u/${id}?q`);
    await services.counter.flush();
    const read = (query: string) => app.read(`/analytics?range=7${query}`);
    for (let round = 0; round < 2; round++) {
      const page = await read("&show=scans");
      expect(page).toMatch(/QR scans compared with the period before: \+400% 5 .*Mon, Nov 30, 2026 8 1 5 0 0 /);
      expect(page).toContain("Mon, Nov 30, 2026: 5");
      expect(await read(`&card=${card}`)).toMatch(/QR scans compared with the period before: \+300% 4 /);
      // All of them, or none.
      for (const filter of ["&source=print&show=scans", "&link=mine"])
        expect(await read(filter)).not.toContain("QR scans");
      await rollUp();
    }
  });

  test("shows a future period and 25 months, in the owner's time zone", async () => {
    const { id, services, chooseTimeZone, rollUp, ...app } = await open();
    await chooseTimeZone("Europe/Berlin");
    const row = { owner_id: id, subject: `profile:${id}`, kind: "visit", target: "", ...noOrigin, n: 1 };
    const times = ["2026-10-24T22:00Z", "2026-10-25T22:00Z"];
    await insertRows(services, { hourly_count: times.map((time) => ({ ...row, hour: Date.parse(time) / 3_600_000 })) });
    await rollUp();
    const read = (range: string) => app.read(`/analytics?range=${range}`);
    expect(await read("own&from=2026-10-25&to=2026-10-25")).toMatch(/Visits 2 /);
    expect(await read("own&from=2027-01-01&to=2027-01-31")).toMatch(/Visits 0 /);
    const merged = "Before Oct 1, 2024, only months are stored. Each counts on its first day.";
    // In the second one, days of the period before.
    for (const range of ["own&from=2024-09-10&to=2024-09-20", "own&from=2024-10-10&to=2024-10-25"])
      expect(await read(range)).toContain(merged);
    for (const range of ["own&from=2026-10-10&to=2026-10-25", "12m"])
      expect(await read(range)).not.toContain("only months");
    expect(await read("30")).toMatch(/When people visit Europe\/Berlin Change time zone /);
    expect(await read("own&from=2024-11-01&to=2026-11-30")).toMatch(/Visits 2 .*October 2026 2 .*November 2024 0 /);
  });

  test("says how many people opened a page in the last five minutes", async () => {
    const { ada, id, visitor, advance, read } = await open();
    expect(await read("/analytics")).not.toContain("on your pages now");
    for (let n = 0; n < 2; n++) await visitor().get(`/u/${id}`);
    expect(await read("/analytics")).toContain("1 person on your pages now");
    await visitor().get(`/u/${id}`, { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" });
    await ada.get(`/u/${id}`);
    await visitor().get(`/u/${id}`, { "user-agent": "Googlebot/2.1" });
    expect(await read("/analytics")).toContain("2 people on your pages now");
    advance(300_000);
    expect(await read("/analytics")).not.toContain("on your pages now");
  });

  test("shows the totals of a week and a labeled sample on Free, and how to get a first visit without one", async () => {
    const { ada, advance, read, count } = await open({ isFree: true });
    const empty = await read("/analytics?range=all");
    for (const text of ["No visits yet", "Show my QR code"]) expect(empty).toContain(text);
    await count(1, { source: "qr" });
    const text = await read("/analytics?range=all&show=clicks");
    expect(text).toMatch(/Nov 17 – 23, 2026 .*Visits 1 Times.*Sample data/);
    // Premium isn't sold here.
    expect(text).not.toMatch(/only months|Choose dates|See Premium/);
    advance(7 * msPerDay);
    await count(1, { source: "qr" });
    expect(await read("/analytics")).toMatch(/Visits 1 Times/);
    expect((await ada.get("/analytics/export?range=7")).headers.get("location")).toBe("/analytics");
  });
});

test("the export has the numbers of the page as CSV and JSON, and no formula from a visitor", async () => {
  const { ada, visitor, services } = await open();
  const card = await makeCard(ada, { card_name: "=1+1" });
  await visitor().get(`/card/${card}?q&utm_source=-2`);
  await services.counter.flush();
  const csv = await ada.get("/analytics/export?range=7&format=csv");
  expect(csv.headers.get("content-disposition")).toContain(
    'attachment; filename="analytics 2026-11-17 to 2026-11-23.csv"',
  );
  const lines = (await csv.text()).split("\r\n");
  expect(lines[0]).toBe("by,value,name,visits,visitors,saves,clicks,wallets,leads,scans");
  for (const line of [
    "day,2026-11-23,,1,1,0,0,0,0,1",
    `page,card:${card},"'=1+1",1,1,0,0,0,0,`,
    `campaign,"'-2","'-2",1,1,0,0,0,0,`,
    // Of an hour, only the visits are known.
    `hour of the week,12,"Monday, 12:00",1,,,,,,`,
  ])
    expect(lines).toContain(line);
  const json: unknown = await (await ada.get("/analytics/export?range=7&format=json")).json();
  const rows: unknown = expect.arrayContaining([
    expect.objectContaining({ by: "source", value: "qr", name: "QR code", visits: 1 }),
    { by: "hour of the week", value: "12", name: "Monday, 12:00", visits: 1 },
  ]);
  expect(json).toMatchObject({ from: "2026-11-17", to: "2026-11-23", timeZone: "UTC", rows });
});

test("the editor shows short metrics of the last 30 days with Premium, in one query for all of them", async () => {
  const { ada, id, visitor, services, advance, read, count, rollUp, chooseTimeZone } = await open({ isFree: true });
  const card = await makeCard(ada, { card_name: "Engines" });
  await visitor().get(`/card/${card}`);
  await visitor().get(`/card/${card}/contact.vcf`);
  await count(1, { kind: "click", target: "mine" });
  await rollUp();
  expect(await read("/profile")).not.toContain("in 30 days");
  await makePremium(services, id);
  const queries = countQueries(services, (node) => node.includes('"daily_count"'));
  const text = await read("/profile");
  for (const shown of ["1 visit, 1 save in 30 days", "1 click in 30 days"]) expect(text).toContain(shown);
  expect(queries.count).toBe(1);
  // 23 November is the first of the last 30 days in UTC, and no longer one of them in Apia.
  advance(29 * msPerDay + msPerDay / 2 - 1);
  expect(await read("/profile")).toContain("in 30 days");
  await chooseTimeZone("Pacific/Apia");
  expect(await read("/profile")).not.toContain("in 30 days");
  expect(await read("/analytics")).toContain("Visits compared with the period before: −100% 0 ");
});

test.each(listEngines())("/analytics costs at most six queries, whatever was counted, on %s", async (engine) => {
  const { databaseUrl } = await makeDatabase(engine);
  const { ada, services, count } = await open({ env: databaseUrl ? { DATABASE_URL: databaseUrl } : {} });
  for (let n = 0; n < 5; n++) await makeCard(ada, { card_name: `Card ${n}` });
  await count(1);
  const queries = countQueries(services);
  for (const filter of ["", "&card=profile", "&link=mine&source=qr"]) {
    queries.count = 0;
    await ada.get(`/analytics?range=90${filter}`);
    // The session is one more, which the sign-in library reads.
    expect(queries.count).toBeLessThanOrEqual(5);
    expect(queries.count).toBeGreaterThan(2);
  }
});

test("the privacy notice names each way to a page that is counted, and says that the hour stays with the counts per day", async () => {
  const page = await (await open()).read("/privacy");
  const names = ["QR code", "link", "NFC tag", "email signature", "wallet pass", "print", "video call background"];
  expect(names).toHaveLength(visitSources.length);
  for (const name of names) expect(page).toMatch(new RegExp(`a letter in the URL shows [^)]*${name}`));
  expect(page).toContain("per day, added up by hour, and by one or two of these properties");
  expect(page).toContain("then per month and hour of the week");
});
