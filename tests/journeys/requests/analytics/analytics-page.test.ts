import { describe, expect, test } from "vitest";

import { feature } from "#app/features/analytics/feature.server.ts";
import { noOrigin } from "#app/features/analytics/counting/visit-rules.ts";
import { visitSources } from "#app/features/sharing/source-marks.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

import { msPerDay, openAnalytics as open, textOf } from "./owner.ts";

describe("/analytics", () => {
  test("shows what visitors did, at once and after the roll-up alike", async () => {
    const { ada, id, visitor, services } = await open({ COUNTRY_HEADER: "CF-IPCountry", TRUSTED_PROXY: "127.0.0.1" });
    await makePremium(services, id);
    const card = await makeCard(ada, { card_name: "Engines" });
    const phone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
    const headers = { "user-agent": phone, "cf-ipcountry": "JP" };
    await visitor().get(`/card/${card}?q`, headers);
    await visitor().get(`/card/${card}?utm_source=fair`, { ...headers, referer: "https://news.example/path" });
    await visitor().get(`/card/${card}/contact.vcf?q`, headers);
    await services.counter.flush();
    for (let round = 0; round < 2; round++) {
      const text = textOf(await (await ada.get("/analytics")).text());
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
      await runMaintenance([feature], services);
    }
  });

  test("compares with the period before, and refuses impossible dates without losing them", async () => {
    const { ada, id, services, advance } = await open();
    await makePremium(services, id);
    const count = (n: number) => {
      const visit = { ownerId: id, subject: `profile:${id}`, kind: "visit", source: "", target: "" } as const;
      for (let at = 0; at < n; at++) services.counter.count(visit);
    };
    count(4);
    advance(8 * msPerDay);
    count(5);
    await services.counter.flush();
    const week = textOf(await (await ada.get("/analytics?range=7")).text());
    expect(week).toMatch(/Visits compared with the period before: \+25% 5 /);
    expect(week).toMatch(/Visits before .*Tue, Dec 1, 2026 5 0 0 0 0 0 .*Mon, Nov 30, 2026 0 0 0 0 0 4 /);
    expect(week).toContain("Nov 25 – Dec 1, 2026, compared with Nov 18 – 24, 2026");
    expect(textOf(await (await ada.get("/analytics?range=own&from=2026-11-23&to=2026-11-23")).text())).toMatch(
      /Visits 4 /,
    );
    await runMaintenance([feature], services);
    const all = textOf(await (await ada.get("/analytics?range=all")).text());
    expect(all).toMatch(/Visits 9 /);
    expect(all).not.toContain("Counting started");
    // The first visit was in the middle of the period before.
    expect(textOf(await (await ada.get("/analytics?range=7")).text())).toContain(
      "compared with Nov 18 – 24, 2026. Counting started on Nov 23, 2026.",
    );
    expect(textOf(await (await ada.get("/analytics?range=own&from=2026-11-24&to=2026-11-24")).text())).not.toContain(
      "Counting started",
    );
    const reversed = await (await ada.get("/analytics?range=own&from=2026-12-01&to=2026-11-23")).text();
    expect(reversed).toContain("The first day is after the last one.");
    expect(reversed).toMatch(/value="2026-12-01"/);
    const long = "range=own&from=0001-01-01&to=9999-12-31";
    expect(await (await ada.get(`/analytics?${long}`)).text()).toContain("Choose at most 20 years.");
    const refused = await ada.get(`/analytics/export?format=json&${long}`);
    expect(refused.headers.get("location")).toContain(`/analytics?format=json&${long}`);
    for (const query of [
      "range=own",
      "range=own&from=x&to=2026-02-31",
      "range=99&show=__proto__",
      "range=own&from=-1&to=1",
    ])
      expect((await ada.get(`/analytics?${query}`)).status, query).toBe(200);
  });

  test("adds up the visits from all codes, at once and after the roll-up alike", async () => {
    const { ada, id, visitor, services, advance } = await open();
    await makePremium(services, id);
    const card = await makeCard(ada, { card_name: "Engines" });
    await visitor().get(`/card/${card}?q`);
    await services.counter.flush();
    advance(7 * msPerDay);
    for (const mark of ["q", "p", "w", "b", "l", "n", "s"]) await visitor().get(`/card/${card}?${mark}`);
    await visitor().get(`/u/${id}?q`);
    await services.counter.flush();
    const read = async (query: string) => textOf(await (await ada.get(`/analytics?range=7${query}`)).text());
    for (let round = 0; round < 2; round++) {
      const page = await read("&show=scans");
      expect(page).toMatch(/QR scans compared with the period before: \+400% 5 .*Mon, Nov 30, 2026 8 1 5 0 0 /);
      expect(page).toContain("Mon, Nov 30, 2026: 5");
      expect(await read(`&card=${card}`)).toMatch(/QR scans compared with the period before: \+300% 4 /);
      // All of them, or none.
      expect(await read("&source=print&show=scans")).not.toContain("QR scans");
      expect(await read("&link=mine")).not.toContain("QR scans");
      await runMaintenance([feature], services);
    }
  });

  test("shows a future period, 25 months and the days on which clocks change", async () => {
    const { ada, id, services } = await open();
    await makePremium(services, id);
    await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Europe/Berlin" });
    const row = { owner_id: id, subject: `profile:${id}`, kind: "visit", target: "", ...noOrigin, n: 1 };
    // The first and the last hour of the day with 23 hours, and of that with 25.
    const times = ["2026-03-28T23:00Z", "2026-03-29T21:00Z", "2026-10-24T22:00Z", "2026-10-25T22:00Z"];
    for (const time of times)
      await services.db
        .insertInto("hourly_count")
        .values({ ...row, hour: Date.parse(time) / 3_600_000 })
        .execute();
    await runMaintenance([feature], services);
    const read = async (range: string) => textOf(await (await ada.get(`/analytics?range=${range}`)).text());
    for (const day of ["2026-03-29", "2026-10-25"])
      expect(await read(`own&from=${day}&to=${day}`)).toMatch(/Visits 2 /);
    expect(await read("own&from=2026-03-28&to=2026-03-30")).toMatch(/Mon, Mar 30, 2026 0 .*Sun, Mar 29, 2026 2 /);
    expect(await read("own&from=2027-01-01&to=2027-01-31")).toMatch(/Visits 0 /);
    const merged = "Before Oct 1, 2024, only months are stored. Each counts on its first day.";
    expect(await read("own&from=2024-09-10&to=2024-09-20")).toContain(merged);
    // Days of the period before.
    expect(await read("own&from=2024-10-10&to=2024-10-25")).toContain(merged);
    expect(await read("own&from=2026-10-10&to=2026-10-25")).not.toContain("only months");
    expect(await read("12m")).not.toContain("only months");
    expect(await read("30")).toMatch(/When people visit Europe\/Berlin Change time zone /);
    expect(await read("own&from=2024-11-01&to=2026-11-30")).toMatch(/Visits 4 .*October 2026 2 .*November 2024 0 /);
  });

  test("says how many people opened a page in the last five minutes", async () => {
    const { ada, id, visitor, services, advance } = await open();
    await makePremium(services, id);
    const read = async () => textOf(await (await ada.get("/analytics")).text());
    expect(await read()).not.toContain("looking now");
    await visitor().get(`/u/${id}`);
    await visitor().get(`/u/${id}`);
    expect(await read()).toContain("1 person is looking now");
    await visitor().get(`/u/${id}`, { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" });
    await ada.get(`/u/${id}`);
    await visitor().get(`/u/${id}`, { "user-agent": "Googlebot/2.1" });
    expect(await read()).toContain("2 people are looking now");
    advance(300_000);
    expect(await read()).not.toContain("looking now");
  });

  test("shows the totals of a week and a labeled sample on Free, and how to get a first visit without one", async () => {
    const { ada, id, visitor, services, advance } = await open();
    const empty = textOf(await (await ada.get("/analytics?range=all")).text());
    expect(empty).toContain("No visits yet");
    expect(empty).toContain("Show my QR code");
    await visitor().get(`/u/${id}?q`);
    await services.counter.flush();
    const text = textOf(await (await ada.get("/analytics?range=all&show=clicks")).text());
    expect(text).toMatch(/Nov 17 – 23, 2026 .*Visits 1 Times/);
    expect(text).not.toContain("only months");
    expect(text).toContain("Sample data");
    expect(text).not.toContain("Choose dates");
    // Premium isn't sold here.
    expect(text).not.toContain("See Premium");
    advance(7 * msPerDay);
    await visitor().get(`/u/${id}?q`);
    await services.counter.flush();
    expect(textOf(await (await ada.get("/analytics")).text())).toMatch(/Visits 1 Times/);
  });
});

describe("/analytics/export", () => {
  test("has the numbers of the page as CSV and JSON, and no formula from a visitor", async () => {
    const { ada, id, visitor, services } = await open();
    await makePremium(services, id);
    const card = await makeCard(ada, { card_name: "=1+1" });
    await visitor().get(`/card/${card}?q&utm_source=-2`);
    await services.counter.flush();
    const csv = await ada.get("/analytics/export?range=7&format=csv");
    expect(csv.headers.get("content-disposition")).toContain(
      'attachment; filename="analytics 2026-11-17 to 2026-11-23.csv"',
    );
    const lines = (await csv.text()).split("\r\n");
    expect(lines[0]).toBe("by,value,name,visits,visitors,saves,clicks,wallets,leads,scans");
    expect(lines).toContain("day,2026-11-23,,1,1,0,0,0,0,1");
    expect(lines).toContain(`page,card:${card},"'=1+1",1,1,0,0,0,0,`);
    expect(lines).toContain(`campaign,"'-2","'-2",1,1,0,0,0,0,`);
    // Of an hour, only the visits are known.
    expect(lines).toContain(`hour of the week,12,"Monday, 12:00",1,,,,,,`);
    const json: unknown = await (await ada.get("/analytics/export?range=7&format=json")).json();
    expect(json).toMatchObject({ from: "2026-11-17", to: "2026-11-23", timeZone: "UTC" });
    expect(json).toHaveProperty(
      "rows",
      expect.arrayContaining([
        expect.objectContaining({ by: "source", value: "qr", name: "QR code", visits: 1 }),
        { by: "hour of the week", value: "12", name: "Monday, 12:00", visits: 1 },
      ]),
    );
  });

  test("is part of Premium", async () => {
    const { ada } = await open();
    expect((await ada.get("/analytics/export?range=7")).headers.get("location")).toBe("/analytics");
  });
});

test("the editor shows short figures of the last 30 days with Premium, in one query for all of them", async () => {
  const { ada, id, visitor, services, advance } = await open();
  const card = await makeCard(ada, { card_name: "Engines" });
  await visitor().get(`/card/${card}`);
  await visitor().get(`/card/${card}/contact.vcf`);
  services.counter.count({ ownerId: id, subject: `profile:${id}`, kind: "click", source: "", target: "mine" });
  await services.counter.flush();
  await runMaintenance([feature], services);
  expect(textOf(await (await ada.get("/profile")).text())).not.toContain("in 30 days");
  await makePremium(services, id);
  const queries: string[] = [];
  services.db = services.db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('"daily_count"')) queries.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const text = textOf(await (await ada.get("/profile")).text());
  expect(text).toContain("1 visit, 1 save in 30 days");
  expect(text).toContain("1 click in 30 days");
  expect(queries).toHaveLength(1);
  // 23 November is the first of the last 30 days in UTC, and no longer one of them in Apia.
  advance(29 * msPerDay + msPerDay / 2 - 1);
  expect(textOf(await (await ada.get("/profile")).text())).toContain("in 30 days");
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Pacific/Apia" });
  expect(textOf(await (await ada.get("/profile")).text())).not.toContain("in 30 days");
  expect(textOf(await (await ada.get("/analytics")).text())).toContain(
    "Visits compared with the period before: −100% 0 ",
  );
});

describe("the cost of /analytics", () => {
  test.each(listEngines())("is at most six queries, whatever was counted, on %s", async (engine) => {
    const { databaseUrl } = await makeDatabase(engine);
    const { ada, id, services } = await open(databaseUrl ? { DATABASE_URL: databaseUrl } : {});
    await makePremium(services, id);
    for (let n = 0; n < 5; n++) await makeCard(ada, { card_name: `Card ${n}` });
    services.counter.count({ ownerId: id, subject: `profile:${id}`, kind: "visit", source: "", target: "" });
    await services.counter.flush();
    let queries = 0;
    services.db = services.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        queries += 1;
        return result;
      },
    });
    for (const filter of ["", "&card=profile", "&link=mine&source=qr"]) {
      queries = 0;
      await ada.get(`/analytics?range=90${filter}`);
      // The session is one more, which the sign-in library reads.
      expect(queries).toBeLessThanOrEqual(5);
      expect(queries).toBeGreaterThan(2);
    }
  });
});

test("the privacy notice names each way to a page that is counted, and says that the hour stays with the counts per day", async () => {
  const page = await (await (await open()).visitor().get("/privacy")).text();
  const names = ["QR code", "link", "NFC tag", "email signature", "wallet pass", "print", "video call background"];
  expect(names).toHaveLength(visitSources.length);
  for (const name of names) expect(page).toMatch(new RegExp(`a letter in the URL shows [^)]*${name}`));
  expect(page).toContain("per day, added up by hour, and by one or two of these properties");
  expect(page).toContain("then per month and hour of the week");
});
