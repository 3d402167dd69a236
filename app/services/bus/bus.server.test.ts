import { sql } from "kysely";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { describeOnEachDatabase, listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";

import { createBus } from "./bus.server.ts";
import type { BusMessage } from "./bus.server.ts";

const ada = { id: "1", kind: "profile.saved", ownerId: "ada" } as const;
const soon = { timeout: 2000, interval: 5 };

describeOnEachDatabase("the bus", (_, engine) => {
  test("sends messages to other processes only", async () => {
    const { bus, received } = await open(await makeDatabase(engine));
    expect(await bus.publish(ada)).toBe(true);
    expect(bus.isLive()).toBe(true);
    expect(received).toEqual([]);
  });
});

describe.runIf(listEngines().includes("postgres"))("the bus between processes on one PostgreSQL", () => {
  test("reaches the other processes once, within two seconds", async () => {
    const database = await makeDatabase("postgres");
    const [here, there, third] = await Promise.all([open(database), open(database), open(database)]);
    await here.bus.publish(ada);
    await vi.waitFor(() => expect([there.received, third.received]).toEqual([[ada], [ada]]), soon);
    await there.bus.publish({ ...ada, ownerId: "名刺 'x'" });
    await vi.waitFor(() => expect([here.received.length, third.received.length]).toEqual([1, 2]), soon);
    expect(here.received).toEqual([{ ...ada, ownerId: "名刺 'x'" }]);
    expect(there.received).toEqual([ada]);
  });

  test("reports a lost connection, reconnects, and reports missed messages", async () => {
    const database = await makeDatabase("postgres");
    const [here, there] = await Promise.all([open(database), open(database)]);
    // Both reconnect within a moment, so wait for both losses at the same time.
    const lost = [here, there].map(({ bus }) => vi.waitFor(() => expect(bus.isLive()).toBe(false), soon));
    await breakListeners(database);
    await lost[0];
    expect(await here.bus.publish(ada)).toBe(false);
    await lost[1];

    await vi.waitFor(() => expect([here.bus.isLive(), there.bus.isLive()]).toEqual([true, true]), soon);
    expect(here.received).toContainEqual({ kind: "messages-missed" });
    await vi.waitFor(() => expect(there.received).toContainEqual({ kind: "messages-missed" }), soon);
    expect(await here.bus.publish({ ...ada, ownerId: "bob" })).toBe(true);
    await vi.waitFor(() => expect(there.received).toContainEqual({ ...ada, ownerId: "bob" }), soon);
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
    const { bus } = await open({ engine: "postgres", databaseUrl: "postgres://nobody:x@127.0.0.1:1/none" });
    expect(bus.isLive()).toBe(false);
    expect(await bus.publish(ada)).toBe(false);
  });
});

async function open({ engine, databaseUrl }: Pick<TestDatabase, "engine" | "databaseUrl">) {
  const bus = await createBus({ engine, databaseUrl, log: pino({ level: "silent" }) });
  const received: BusMessage[] = [];
  bus.subscribe((message) => void received.push(message));
  onTestFinished(bus.close);
  return { bus, received };
}

async function breakListeners({ db }: TestDatabase) {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%notify%'`.execute(db);
}
