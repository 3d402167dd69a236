import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

import type { CountEvent } from "#app/services/http/context.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";

import { createCounter } from "./counter.server.ts";
import { addCounts } from "#app/features/analytics/data.server.ts";
import { noOrigin } from "./visit-rules.ts";

const visit: CountEvent = { ownerId: "ada", subject: "card:1", kind: "visit", source: "qr", target: "" };
const log = pino({ level: "silent" });
const hour = 480_000;
const baseUrl = "https://meishi.example";

describeOnEachDatabase("counting", (_makeDb, engine) => {
  /** A counter whose clock the test moves. */
  async function open(countryHeader?: string) {
    const { db } = await makeDatabase(engine);
    const time = { now: hour * 3_600_000 + 1 };
    const counter = createCounter({ db, engine, log, clock: () => time.now, config: { baseUrl, countryHeader } });
    return { db, time, counter };
  }

  test("adds up counts by subject, kind, hour, source and link", async () => {
    const { db, counter } = await open();
    for (let n = 0; n < 1_000; n++) counter.count(visit);
    counter.count({ ...visit, source: "" });
    await counter.flush();
    counter.count(visit);
    counter.count({ ...visit, kind: "click", source: "", target: "linkedin" });
    await counter.stop();
    const columns = ["owner_id", "subject", "kind", "hour", "source", "target", "n"] as const;
    const rows = await db.selectFrom("hourly_count").select(columns).orderBy("kind").orderBy("source").execute();
    const card = { owner_id: "ada", subject: "card:1", hour };
    expect(rows).toEqual([
      { ...card, kind: "click", source: "", target: "linkedin", n: 1 },
      { ...card, kind: "visit", source: "", target: "", n: 1 },
      { ...card, kind: "visit", source: "qr", target: "", n: 1_001 },
    ]);
  });

  test("adds up visits of a page that are equal in every detail, in whatever order they come", async () => {
    const { db, time, counter } = await open("cf-ipcountry");
    const plain = { headers: { "user-agent": "Firefox" }, search: "" };
    const details = [
      plain,
      { ...plain, headers: { "user-agent": "Mobile" } },
      { ...plain, headers: { ...plain.headers, "cf-ipcountry": "JP" } },
      { ...plain, headers: { ...plain.headers, referer: "https://news.example/" } },
      { ...plain, search: "?utm_source=fair" },
      { ...plain, search: "?q" },
    ];
    for (let round = 0; round < 3; round++)
      for (const request of details) for (let n = 0; n < 2; n++) counter.count({ ...visit, source: "" }, request);
    time.now += 3_600_000;
    counter.count({ ...visit, source: "" }, plain);
    await counter.stop();
    const columns = ["hour", "source", "device", "country", "referrer", "campaign", "n"] as const;
    const rows = await db.selectFrom("hourly_count").select(columns).execute();
    const row = { hour, source: "", device: "desktop", country: "", referrer: "", campaign: "", n: 6 };
    const expected = [
      row,
      { ...row, device: "phone" },
      { ...row, country: "JP" },
      { ...row, referrer: "news.example" },
      { ...row, campaign: "fair" },
      { ...row, source: "qr" },
      { ...row, hour: hour + 1, n: 1 },
    ];
    expect(rows).toHaveLength(expected.length);
    expect(rows).toEqual(expect.arrayContaining(expected));
  });

  test("writes to the database within a second", async () => {
    const { db, counter } = await open();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    counter.count(visit);
    // The other half of the second is for the write.
    vi.advanceTimersByTime(500);
    vi.useRealTimers();
    await expect.poll(() => db.selectFrom("hourly_count").select("n").execute()).toEqual([{ n: 1 }]);
    await counter.stop();
  });

  test("loses nothing when two processes count the same subjects at once", async () => {
    const database = await makeDatabase(engine);
    const other = engine === "postgres" ? await database.open() : database;
    const counters = [database, other].map(({ db }) =>
      createCounter({ db, engine, log, clock: Date.now, config: { baseUrl, countryHeader: undefined } }),
    );
    for (let round = 0; round < 20; round++) {
      for (const counter of counters)
        for (let card = 0; card < 10; card++) counter.count({ ...visit, subject: `card:${(card * 7 + round) % 10}` });
      await Promise.all(counters.map((counter) => counter.flush()));
    }
    const { n } = await database.db
      .selectFrom("hourly_count")
      .select((row) => row.fn.sum<number>("n").as("n"))
      .executeTakeFirstOrThrow();
    expect(n).toBe(400);
  });

  test("counts a batch once, however often it is written, and in the hour in which it happened", async () => {
    const { db, time, counter } = await open();
    const batch = { id: "batch", counts: [{ ...visit, ...noOrigin, hour, source: "qr", n: 3, firsts: 1 }] };
    await Promise.all([addCounts({ db, engine }, batch, time.now), addCounts({ db, engine }, batch, time.now)]);
    await addCounts({ db, engine }, batch, time.now);
    await db.schema.alterTable("hourly_count").renameTo("away").execute();
    counter.count(visit);
    await counter.flush();
    await db.schema.alterTable("away").renameTo("hourly_count").execute();
    time.now += 5 * 3_600_000;
    counter.count(visit);
    await counter.stop();
    const rows = await db.selectFrom("hourly_count").select(["hour", "n", "firsts"]).orderBy("hour").execute();
    expect(rows).toEqual([
      { hour, n: 4, firsts: 1 },
      { hour: hour + 5, n: 1, firsts: 0 },
    ]);
  });

  test("counts the first visit of a visitor to an owner's pages on a day", async () => {
    const { db, time, counter } = await open();
    const from = (address: string, agent = "Firefox") => ({ headers: { "user-agent": agent }, search: "", address });
    for (const request of [from("192.0.2.1"), from("192.0.2.1"), from("192.0.2.2"), from("192.0.2.1", "Safari")])
      counter.count(visit, request);
    counter.count({ ...visit, subject: "profile:ada" }, from("192.0.2.1"));
    counter.count({ ...visit, ownerId: "eve", subject: "card:2" }, from("192.0.2.1"));
    counter.count({ ...visit, kind: "save" }, from("192.0.2.9"));
    time.now += 86_400_000;
    counter.count(visit, from("192.0.2.1"));
    await counter.stop();
    const sums = await db
      .selectFrom("hourly_count")
      .select(["owner_id", "hour"])
      .select(({ fn }) => [fn.sum<number>("n").as("n"), fn.sum<number>("firsts").as("firsts")])
      .where("kind", "=", "visit")
      .groupBy(["owner_id", "hour"])
      .orderBy("owner_id")
      .orderBy("hour")
      .execute();
    expect(sums.map((row) => ({ ...row }))).toEqual([
      { owner_id: "ada", hour, n: 5, firsts: 3 },
      { owner_id: "ada", hour: hour + 24, n: 1, firsts: 1 },
      { owner_id: "eve", hour, n: 1, firsts: 1 },
    ]);
  });

  test("stores a bounded number of rows per owner and hour, whatever anyone makes up, and each count", async () => {
    const { db, time, counter } = await open("country");
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const countries = [...letters].flatMap((first) => [...letters].map((second) => first + second)).slice(0, 600);
    const countAll = () => {
      for (const agent of ["Firefox", "iPhone Mobile", "iPad", "Tablet"])
        for (const subject of ["card:1", "profile:ada"])
          for (const country of countries)
            counter.count({ ...visit, subject }, { headers: { "user-agent": agent, country }, search: "" });
    };
    countAll();
    counter.count({ ...visit, ownerId: "eve", subject: "card:2" }, { headers: { country: "DE" }, search: "" });
    time.now += 3_600_000;
    counter.count(visit, { headers: { country: "DE" }, search: "" });
    await counter.stop();
    const rows = await db.selectFrom("hourly_count").select(["owner_id", "hour", "country", "n"]).execute();
    const early = rows.filter((row) => row.owner_id === "ada" && row.hour === hour);
    expect(early.length).toBeLessThanOrEqual(2_002);
    expect(early.reduce((sum, { n }) => sum + n, 0)).toBe(4_800);
    expect(rows.filter((row) => !early.includes(row)).map(({ country }) => country)).toEqual(["DE", "DE"]);
  });

  test("stores a bounded number of referrers that anyone can make up", async () => {
    const { db, counter } = await open();
    const from = (referer: string) => ({ headers: { "user-agent": "Firefox", referer }, search: "" });
    for (let n = 0; n < 1_000; n++) counter.count(visit, from(`https://${n}.made-up.example/`));
    await counter.stop();
    const rows = await db.selectFrom("hourly_count").select(["referrer", "n"]).execute();
    expect([rows.length, rows.find(({ referrer }) => referrer === "")?.n]).toEqual([201, 800]);
  });
});
