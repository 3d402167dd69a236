import { sql } from "kysely";
import pino from "pino";
import { describe, expect, test } from "vitest";

import { createBus } from "#app/services/bus/bus.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import {
  breakListeners,
  describeOnEachDatabase,
  listEngines,
  makeDatabase,
} from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";

import type { DomainEvent, NewEvent } from "./event.ts";
import { createEvents } from "./events.server.ts";

const saved: NewEvent = { kind: "card.saved", ownerId: "ada", cardId: "c-1" };
const minute = 60_000;

describeOnEachDatabase("an event", (_, engine) => {
  test("is delivered in this process before the write returns, and deleted afterwards", async () => {
    const { db, record, received, rows } = await open(await makeDatabase(engine));
    await transact(db, async (trx) => {
      await record(trx, saved);
      expect(received).toEqual([]);
    });
    expect(received).toMatchObject([saved]);
    expect(await rows()).toHaveLength(1);
    await expect.poll(rows, { interval: 5 }).toEqual([]);
  });

  test("changes the version of the owner's pages, and only of the owner's", async () => {
    const { db, write, received } = await open(await makeDatabase(engine));
    for (const owner of ["ada", "eve"]) await insertProfile(db, owner);
    await write(saved);
    const versions = () => db.selectFrom("profile").select(["owner_id", "pages_version"]).orderBy("owner_id").execute();
    const first = await versions();
    expect(first).toEqual([
      { owner_id: "ada", pages_version: received[0]?.id },
      { owner_id: "eve", pages_version: "" },
    ]);
    await write(saved);
    expect((await versions())[0]?.pages_version).toBe(received[1]?.id);
    expect(new Set(received.map(({ id }) => id)).size).toBe(2);
  });

  test("of a write that is rolled back is not delivered, to no kind of subscriber, and changes nothing", async () => {
    const { db, record, received, rows, events, jobs } = await open(await makeDatabase(engine));
    events.subscribe({ name: "count", kinds: "all", once: addToSetting });
    await insertProfile(db);
    const write = transact(db, async (trx) => {
      await record(trx, saved);
      throw new Error("changed my mind");
    });
    await expect(write).rejects.toThrow("changed my mind");
    await events.deliverWaiting();
    await jobs.runDue();
    expect([received, await rows(), await readSetting(db)]).toEqual([[], [], undefined]);
    const { pages_version } = await db.selectFrom("profile").select("pages_version").executeTakeFirstOrThrow();
    expect(pages_version).toBe("");
  });

  test("of a transaction that the database retried is delivered once", async () => {
    const { db, record, received } = await open(await makeDatabase(engine));
    let tries = 0;
    await transact(db, async (trx) => {
      await record(trx, saved);
      if (++tries < 3) throw Object.assign(new Error("could not serialize"), { code: "40001" });
    });
    expect([tries, received.length]).toEqual([3, 1]);
  });

  test("reaches only subscribers of its kind, and all of them when one fails", async () => {
    const { events, write, logged, received } = await open(await makeDatabase(engine));
    const kinds: string[] = [];
    const subscribe = (name: string, everywhere: (event: DomainEvent) => void) =>
      events.subscribe({ name, kinds: ["card.deleted", "plan.changed"], everywhere, missed: () => undefined });
    subscribe("broken", () => {
      throw new Error("no memory");
    });
    subscribe("picky", ({ kind }) => void kinds.push(kind));
    await write({ kind: "plan.changed", ownerId: "ada" });
    await write(saved);
    expect(kinds).toEqual(["plan.changed"]);
    expect(received).toHaveLength(2);
    expect(logged.filter(({ level }) => level === 50)).toMatchObject([
      { subscriber: "broken", err: { message: "no memory" } },
    ]);
  });

  test("of a killed process is delivered by another one, once", async () => {
    const database = await makeDatabase(engine);
    const here = await open(database);
    const there = await open(database);
    await leaveBehind(here, { ...saved, id: "left" });
    await Promise.all([here, there].map(({ events }) => events.deliverWaiting()));
    expect([here.received, there.received].flat()).toEqual([]);
    for (const { time } of [here, there]) time.now += minute;
    await Promise.all([here, there].map(({ events }) => events.deliverWaiting()));
    await expect.poll(here.rows, { interval: 5 }).toEqual([]);
    const received = [...here.received, ...there.received];
    if (engine === "sqlite") expect(received).toEqual([{ ...saved, id: "left" }]);
    else expect(new Set(received.map(({ id }) => id))).toEqual(new Set(["left"]));
  });

  test("of a process that was killed while it delivered is delivered after the lease", async () => {
    const here = await open(await makeDatabase(engine));
    const { events, db, time, received } = here;
    await leaveBehind(here, { ...saved, id: "left" });
    time.now += minute;
    const leased_until = time.now + 5_000;
    await db.updateTable("event").set({ leased_until }).execute();
    await events.deliverWaiting();
    expect(received).toEqual([]);
    time.now += 5_000;
    await events.deliverWaiting();
    expect(received).toHaveLength(1);
  });

  test("of a newer version is left to a process that knows it, for a day; one that can't be read counts as missed", async () => {
    const { events, db, time, received, missed, rows } = await open(await makeDatabase(engine));
    const row = { owner_id: "ada", kind: "card.framed", payload: "{}" };
    const old = { ...row, id: "old", created_at: time.now - 25 * 60 * minute };
    const newer = { ...row, id: "newer", created_at: time.now - 23 * 60 * minute };
    const broken = { ...newer, id: "broken", kind: "card.saved", payload: '{"kind":"card.saved"}' };
    await db.insertInto("event").values([old, newer, broken]).execute();
    missed.count = 0;
    await events.deliverWaiting();
    await expect.poll(rows, { interval: 5 }).toMatchObject([{ id: "newer" }]);
    expect([received, missed.count]).toEqual([[], 1]);
  });
});

describeOnEachDatabase("a subscriber that runs once", (_, engine) => {
  test("handles each event in one process, in a transaction that also finishes the job", async () => {
    const database = await makeDatabase(engine);
    const nodes = await Promise.all([open(database), open(database)]);
    for (const { events } of nodes) events.subscribe({ name: "count", kinds: ["card.saved"], once: addToSetting });
    for (const { write } of nodes) for (let n = 0; n < 10; n++) await write(saved);
    await nodes[0]?.write({ kind: "profile.saved", ownerId: "ada" });
    await Promise.all(nodes.map(({ jobs }) => jobs.runDue()));
    expect(await readSetting(database.db)).toBe("20");
    expect(await database.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });

  test("is tried again when it fails, and what it wrote is rolled back", async () => {
    const { db, events, jobs, write, time } = await open(await makeDatabase(engine));
    let tries = 0;
    events.subscribe({
      name: "count",
      kinds: "all",
      once: async (event, trx) => {
        await addToSetting(event, trx);
        if (++tries < 3) throw new Error("not now");
      },
    });
    await write(saved);
    for (let n = 0; n < 5; n++) {
      await jobs.runDue();
      time.now += 10 * minute;
    }
    expect([tries, await readSetting(db)]).toEqual([3, "1"]);
  });
});

describe.runIf(listEngines().includes("postgres"))("events between processes on one PostgreSQL", () => {
  test("are delivered by a live process while the one that wrote is cut off from the others", async () => {
    const database = await makeDatabase("postgres");
    const unreachable = new URL(database.databaseUrl ?? "");
    unreachable.port = "1";
    const [cutOff, there, third] = [
      await open({ ...database, databaseUrl: unreachable.href }),
      await open(database),
      await open(database),
    ];
    await cutOff.write(saved);
    expect(cutOff.received).toHaveLength(1);
    cutOff.time.now += minute;
    await cutOff.events.deliverWaiting();
    expect(await cutOff.rows()).toHaveLength(1);
    there.time.now += minute;
    await there.events.deliverWaiting();
    expect(there.received).toEqual(cutOff.received);
    await expect.poll(() => third.received, { interval: 5 }).toEqual(cutOff.received);
    await expect.poll(there.rows, { interval: 5 }).toEqual([]);
  });

  test("are delivered later that were recorded while the connection was lost", async () => {
    const database = await makeDatabase("postgres");
    const here = await open(database);
    await breakListeners(database);
    await expect.poll(here.bus.isLive, { interval: 5 }).toBe(false);
    const there = await open(database);
    await here.write(saved);
    for (const { time } of [here, there]) time.now += minute;
    await expect
      .poll(async () => {
        await here.events.deliverWaiting();
        return there.received;
      })
      .toMatchObject([saved]);
  });

  test("count as missed in a process whose connection was lost", async () => {
    const database = await makeDatabase("postgres");
    const { bus, missed } = await open(database);
    expect(missed.count).toBe(0);
    await breakListeners(database);
    await expect.poll(bus.isLive, { interval: 5 }).toBe(false);
    await expect.poll(() => missed.count, { interval: 5 }).toBe(1);
  });
});

/** One process; its clock moves only when a test changes `time`. */
async function open(database: Pick<TestDatabase, "db" | "engine" | "databaseUrl">) {
  const { db, engine } = database;
  const time = { now: 1_800_000_000_000 };
  const clock = () => time.now;
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const jobs = createJobs({ db, clock, log, handlers: {} });
  const bus = await createBus({ ...database, log });
  cleanUpAfterTest(bus.close);
  const events = createEvents({ db, engine, bus, jobs, clock, log });
  cleanUpAfterTest(events.stop);
  const received: DomainEvent[] = [];
  const missed = { count: 0 };
  events.subscribe({
    name: "test",
    kinds: "all",
    everywhere: (event) => void received.push(event),
    missed: () => void missed.count++,
  });
  const { record } = events;
  const write = (event: NewEvent) => transact(db, (trx) => record(trx, event));
  const rows = () => db.selectFrom("event").selectAll().execute();
  return { db, bus, events, jobs, time, logged, received, missed, record, write, rows };
}

/** What a process leaves that is killed between the commit and the delivery. */
async function leaveBehind({ db, time }: { db: Db; time: { now: number } }, event: DomainEvent) {
  const { id, kind, ownerId } = event;
  const row = { id, kind, owner_id: ownerId, payload: JSON.stringify(event), created_at: time.now };
  await db.insertInto("event").values(row).execute();
}

async function addToSetting(_: DomainEvent, trx: Parameters<Parameters<typeof transact>[1]>[0]) {
  await sql`insert into setting (name, value) values ('count', '1')
    on conflict (name) do update set value = cast(cast(setting.value as integer) + 1 as text)`.execute(trx);
}

async function readSetting(db: Db) {
  return (await db.selectFrom("setting").select("value").where("name", "=", "count").executeTakeFirst())?.value;
}
