import { sql } from "kysely";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { describeOnEachDatabase, isMissing, makeDatabase } from "#tests/support/databases.ts";
import type { TestDatabase } from "#tests/support/databases.ts";

import { createBus } from "./bus.server.ts";
import type { BusMessage } from "./bus.server.ts";

const ada: BusMessage = { kind: "owner-changed", ownerId: "ada" };
const soon = { timeout: 2000, interval: 5 };

describeOnEachDatabase("the bus", (_, engine) => {
  test("tells its own process at once, until the subscription is ended", async () => {
    const { bus, heard, end } = await open(await makeDatabase(engine));
    bus.publish(ada);
    expect(heard).toEqual([ada]);
    expect(bus.isLive()).toBe(true);
    end();
    bus.publish(ada);
    expect(heard).toHaveLength(1);
  });
});

describe.skipIf(isMissing("postgres"))("the bus between processes on one PostgreSQL", () => {
  test("tells the others within two seconds, and nobody twice", async () => {
    const database = await makeDatabase("postgres");
    const [here, there, third] = await Promise.all([open(database), open(database), open(database)]);
    here.bus.publish(ada);
    await vi.waitFor(() => expect([there.heard, third.heard]).toEqual([[ada], [ada]]), soon);
    there.bus.publish({ ...ada, ownerId: "名刺 'x'" });
    await vi.waitFor(() => expect(here.heard).toHaveLength(2), soon);
    expect(here.heard).toEqual([ada, { ...ada, ownerId: "名刺 'x'" }]);
    expect(there.heard).toHaveLength(2);
  });

  test("says when the connection is lost, comes back by itself, and says that something may have been missed", async () => {
    const database = await makeDatabase("postgres");
    const [here, there] = await Promise.all([open(database), open(database)]);
    // Each is back a moment after it was lost: nobody waits for one before looking at the other.
    const lost = [here, there].map(({ bus }) => vi.waitFor(() => expect(bus.isLive()).toBe(false), soon));
    await breakListeners(database);
    await lost[0];
    here.bus.publish(ada);
    expect(here.heard).toEqual([ada]);
    await lost[1];

    await vi.waitFor(() => expect([here.bus.isLive(), there.bus.isLive()]).toEqual([true, true]), soon);
    expect(here.heard).toContainEqual({ kind: "messages-missed" });
    await vi.waitFor(() => expect(there.heard).toContainEqual({ kind: "messages-missed" }), soon);
    here.bus.publish({ ...ada, ownerId: "bob" });
    await vi.waitFor(() => expect(there.heard).toContainEqual({ ...ada, ownerId: "bob" }), soon);
  });

  test("sends afterwards what it could not send while the connection was lost", async () => {
    const database = await makeDatabase("postgres");
    const here = await open(database);
    await breakListeners(database);
    await vi.waitFor(() => expect(here.bus.isLive()).toBe(false), soon);
    const there = await open(database);
    here.bus.publish(ada);
    await vi.waitFor(() => expect(there.heard).toContainEqual(ada), soon);
  });

  test("takes what it does not understand for anything that may have changed", async () => {
    const database = await makeDatabase("postgres");
    const { heard } = await open(database);
    const payload = `${"0".repeat(36)}{"kind":"from a newer version"}`;
    await sql`select pg_notify('meishi', ${payload})`.execute(database.db);
    await sql`select pg_notify('meishi', 'no message of ours at all, though long enough')`.execute(database.db);
    await vi.waitFor(() => expect(heard).toEqual([{ kind: "messages-missed" }, { kind: "messages-missed" }]), soon);
  });

  test("starts without being live when PostgreSQL does not answer, and can be closed", async () => {
    const { bus, heard } = await open({ engine: "postgres", databaseUrl: "postgres://nobody:x@127.0.0.1:1/none" });
    expect(bus.isLive()).toBe(false);
    bus.publish(ada);
    expect(heard).toEqual([ada]);
  });
});

async function open({ engine, databaseUrl }: Pick<TestDatabase, "engine" | "databaseUrl">) {
  const bus = await createBus({ engine, databaseUrl, log: pino({ level: "silent" }) });
  const heard: BusMessage[] = [];
  const end = bus.subscribe((message) => void heard.push(message));
  onTestFinished(bus.close);
  return { bus, heard, end };
}

async function breakListeners({ db }: TestDatabase) {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%notify%'`.execute(db);
}
