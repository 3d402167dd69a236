import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

import type { CountEvent } from "#app/services/http/context.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";

import { createCounter } from "./counter.server.ts";

const visit: CountEvent = { subject: "card:1", kind: "visit", source: "qr", target: "" };
const log = pino({ level: "silent" });
const day = 20_000;
const clock = () => day * 86_400_000 + 1;

describeOnEachDatabase("counting", (_makeDb, engine) => {
  test("adds up counts by subject, kind, day, source and link", async () => {
    const { db } = await makeDatabase(engine);
    const counter = createCounter({ db, engine, log, clock });
    for (let n = 0; n < 1_000; n++) counter.count(visit);
    counter.count({ ...visit, source: "" });
    await counter.flush();
    counter.count(visit);
    counter.count({ subject: "card:1", kind: "click", source: "", target: "linkedin" });
    await counter.stop();
    const rows = await db.selectFrom("tally").selectAll().orderBy("kind").orderBy("source").execute();
    expect(rows).toEqual([
      { subject: "card:1", kind: "click", day, source: "", target: "linkedin", n: 1 },
      { ...visit, day, source: "", n: 1 },
      { ...visit, day, n: 1_001 },
    ]);
  });

  test("writes to the database within a second", async () => {
    const { db } = await makeDatabase(engine);
    const counter = createCounter({ db, engine, log, clock });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    counter.count(visit);
    // The other half of the second is for the write.
    vi.advanceTimersByTime(500);
    vi.useRealTimers();
    await expect.poll(() => db.selectFrom("tally").select("n").execute()).toEqual([{ n: 1 }]);
    await counter.stop();
  });

  test("loses nothing when two processes count the same subjects at once", async () => {
    const database = await makeDatabase(engine);
    const other = engine === "postgres" ? await database.open() : database;
    const counters = [database, other].map(({ db }) => createCounter({ db, engine, log, clock }));
    for (let round = 0; round < 20; round++) {
      for (const counter of counters) {
        for (let card = 0; card < 10; card++) counter.count({ ...visit, subject: `card:${(card * 7 + round) % 10}` });
      }
      await Promise.all(counters.map((counter) => counter.flush()));
    }
    const { n } = await database.db
      .selectFrom("tally")
      .select((row) => row.fn.sum<number>("n").as("n"))
      .executeTakeFirstOrThrow();
    expect(n).toBe(400);
  });

  test("writes counts later when the database refuses them now", async () => {
    const { db } = await makeDatabase(engine);
    const counter = createCounter({ db, engine, log, clock });
    await db.schema.alterTable("tally").renameTo("away").execute();
    counter.count(visit);
    await counter.flush();
    await db.schema.alterTable("away").renameTo("tally").execute();
    await counter.stop();
    expect(await db.selectFrom("tally").select("n").execute()).toEqual([{ n: 1 }]);
  });
});
