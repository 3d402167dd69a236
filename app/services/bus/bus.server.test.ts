import { sql } from "kysely";
import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";

import { breakListeners, listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";

import { createBus } from "./bus.server.ts";
import type { BusMessage } from "./bus.server.ts";

const ada = { id: "1", kind: "profile.saved", ownerId: "ada" } as const;

test("the bus of a single process sends messages to no one", async () => {
  const { bus, received } = await open(await makeDatabase("sqlite"));
  expect([await bus.publish(ada), bus.isLive(), received]).toEqual([true, true, []]);
});

describe.runIf(listEngines().includes("postgres"))("the bus between processes on one PostgreSQL", () => {
  test("reaches the other processes once, and not its own", async () => {
    const database = await makeDatabase("postgres");
    const [here, there, third] = await Promise.all([open(database), open(database), open(database)]);
    await here.bus.publish(ada);
    await expect.poll(() => [there.received, third.received]).toEqual([[ada], [ada]]);
    await there.bus.publish({ ...ada, ownerId: "名刺 'x'" });
    await expect.poll(() => [here.received.length, third.received.length]).toEqual([1, 2]);
    expect(here.received).toEqual([{ ...ada, ownerId: "名刺 'x'" }]);
    expect(there.received).toEqual([ada]);
  });

  test("reports a lost connection, reconnects, and reports missed messages", async () => {
    const database = await makeDatabase("postgres");
    const [here, there] = await Promise.all([open(database), open(database)]);
    // Both reconnect within a moment, so wait for both losses at the same time.
    const lost = [here, there].map(async ({ bus }) => {
      await expect.poll(bus.isLive, { interval: 5 }).toBe(false);
    });
    await breakListeners(database);
    await lost[0];
    expect(await here.bus.publish(ada)).toBe(false);
    await lost[1];

    await expect.poll(() => [here.bus.isLive(), there.bus.isLive()]).toEqual([true, true]);
    expect(here.received).toContainEqual({ kind: "messages-missed" });
    await expect.poll(() => there.received).toContainEqual({ kind: "messages-missed" });
    expect(await here.bus.publish({ ...ada, ownerId: "bob" })).toBe(true);
    await expect.poll(() => there.received).toContainEqual({ ...ada, ownerId: "bob" });
  });

  test("treats an unknown message as missed messages", async () => {
    const database = await makeDatabase("postgres");
    const { received } = await open(database);
    const payload = `${"0".repeat(36)}{"kind":"from a newer version"}`;
    await sql`select pg_notify('meishi', ${payload})`.execute(database.db);
    await sql`select pg_notify('meishi', 'no message of ours, but long enough to be one')`.execute(database.db);
    await expect.poll(() => received).toEqual([{ kind: "messages-missed" }, { kind: "messages-missed" }]);
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
