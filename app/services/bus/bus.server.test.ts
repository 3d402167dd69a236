import { sql } from "kysely";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { describeOnEachDatabase, listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";

import { createBus } from "./bus.server.ts";
import type { BusMessage } from "./bus.server.ts";

const ada: BusMessage = { kind: "owner-changed", ownerId: "ada" };
const soon = { timeout: 2000, interval: 5 };

describeOnEachDatabase("the bus", (_, engine) => {
  test("calls local subscribers immediately, until they unsubscribe", async () => {
    const { bus, received, unsubscribe } = await open(await makeDatabase(engine));
    bus.publish(ada);
    expect(received).toEqual([ada]);
    expect(bus.isLive()).toBe(true);
    unsubscribe();
    bus.publish(ada);
    expect(received).toHaveLength(1);
  });
});

describe.runIf(listEngines().includes("postgres"))("the bus between processes on one PostgreSQL", () => {
  test("reaches the other processes once, within two seconds", async () => {
    const database = await makeDatabase("postgres");
    const [here, there, third] = await Promise.all([open(database), open(database), open(database)]);
    here.bus.publish(ada);
    await vi.waitFor(() => expect([there.received, third.received]).toEqual([[ada], [ada]]), soon);
    there.bus.publish({ ...ada, ownerId: "名刺 'x'" });
    await vi.waitFor(() => expect(here.received).toHaveLength(2), soon);
    expect(here.received).toEqual([ada, { ...ada, ownerId: "名刺 'x'" }]);
    expect(there.received).toHaveLength(2);
  });

  test("reports a lost connection, reconnects, and reports missed messages", async () => {
    const database = await makeDatabase("postgres");
    const [here, there] = await Promise.all([open(database), open(database)]);
    // Both reconnect within a moment, so wait for both losses at the same time.
    const lost = [here, there].map(({ bus }) => vi.waitFor(() => expect(bus.isLive()).toBe(false), soon));
    await breakListeners(database);
    await lost[0];
    here.bus.publish(ada);
    expect(here.received).toEqual([ada]);
    await lost[1];

    await vi.waitFor(() => expect([here.bus.isLive(), there.bus.isLive()]).toEqual([true, true]), soon);
    expect(here.received).toContainEqual({ kind: "messages-missed" });
    await vi.waitFor(() => expect(there.received).toContainEqual({ kind: "messages-missed" }), soon);
    here.bus.publish({ ...ada, ownerId: "bob" });
    await vi.waitFor(() => expect(there.received).toContainEqual({ ...ada, ownerId: "bob" }), soon);
  });

  test("sends messages later that were published while the connection was lost", async () => {
    const database = await makeDatabase("postgres");
    const here = await open(database);
    await breakListeners(database);
    await vi.waitFor(() => expect(here.bus.isLive()).toBe(false), soon);
    const there = await open(database);
    here.bus.publish(ada);
    await vi.waitFor(() => expect(there.received).toContainEqual(ada), soon);
  });

  test("treats an unknown message as missed messages", async () => {
    const database = await makeDatabase("postgres");
    const { received } = await open(database);
    const payload = `${"0".repeat(36)}{"kind":"from a newer version"}`;
    await sql`select pg_notify('meishi', ${payload})`.execute(database.db);
    await sql`select pg_notify('meishi', 'no message of ours, but long enough to be one')`.execute(database.db);
    await vi.waitFor(() => expect(received).toEqual([{ kind: "messages-missed" }, { kind: "messages-missed" }]), soon);
  });

  test("starts when PostgreSQL does not answer, and can be closed", async () => {
    const { bus, received } = await open({ engine: "postgres", databaseUrl: "postgres://nobody:x@127.0.0.1:1/none" });
    expect(bus.isLive()).toBe(false);
    bus.publish(ada);
    expect(received).toEqual([ada]);
  });
});

async function open({ engine, databaseUrl }: Pick<TestDatabase, "engine" | "databaseUrl">) {
  const bus = await createBus({ engine, databaseUrl, log: pino({ level: "silent" }) });
  const received: BusMessage[] = [];
  const unsubscribe = bus.subscribe((message) => void received.push(message));
  onTestFinished(bus.close);
  return { bus, received, unsubscribe };
}

async function breakListeners({ db }: TestDatabase) {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%notify%'`.execute(db);
}
