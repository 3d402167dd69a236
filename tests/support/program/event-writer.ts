import { sql } from "kysely";
import pino from "pino";

import { createBus } from "#app/services/bus/bus.server.ts";
import { afterCommit, openDatabase, transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { DomainEvent } from "#app/services/events/event.ts";
import { createEvents } from "#app/services/events/events.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";

/** Where a writer kills itself (kill -9). */
export type KillPoint = (typeof killPoints)[number];

export const killPoints = [
  "after the commit",
  "in a subscriber",
  "after the delivery",
  "in a once subscriber",
  "after a once subscriber",
] as const;

type NodeOptions = { dataDir: string; databaseUrl?: string | undefined; clock?: () => number };

/** One process of the product as far as events go. Its `once` subscriber counts each event in the table of the rate limits. */
export async function openNode({ dataDir, databaseUrl, clock = Date.now }: NodeOptions, killPoint?: KillPoint) {
  const log = pino({ level: "silent" });
  const { db, engine, close } = await openDatabase({ dataDir, databaseUrl });
  const jobs = createJobs({ db, clock, log, handlers: {} });
  const bus = await createBus({ engine, databaseUrl, log });
  const events = createEvents({ db, engine, bus, jobs, clock, log });
  events.subscribe({
    name: "count",
    kinds: "all",
    once: async (event, trx) => {
      await countEvent(event, trx);
      if (killPoint === "in a once subscriber") kill();
      if (killPoint === "after a once subscriber") afterCommit(trx, kill);
    },
  });
  async function stop() {
    await events.stop();
    await bus.close();
    await close();
  }
  return { db, jobs, events, stop };
}

async function countEvent({ id }: DomainEvent, trx: Trx) {
  await sql`insert into attempt (key, count, resets_at) values (${id}, 1, 0)
    on conflict (key) do update set count = attempt.count + 1`.execute(trx);
}

function kill() {
  process.kill(process.pid, "SIGKILL");
  // The signal arrives at once, but nothing may run in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Writes one event, with the number as its card, and ends by kill -9. */
async function writeAndDie(options: NodeOptions & { number: string; killPoint: KillPoint }) {
  const { number, killPoint } = options;
  const { db, jobs, events } = await openNode(options, killPoint);
  events.subscribe({
    name: "kill",
    kinds: "all",
    everywhere: (event) => {
      const isOwn = "cardId" in event && event.cardId === number;
      if (isOwn && killPoint === "in a subscriber") kill();
    },
    missed: () => undefined,
  });
  await transact(db, async (trx) => {
    if (killPoint === "after the commit") afterCommit(trx, kill);
    await trx.insertInto("setting").values({ name: number, value: "" }).execute();
    await events.record(trx, { kind: "card.saved", ownerId: "ada", cardId: number });
  });
  if (killPoint.endsWith("once subscriber")) await jobs.runDue();
  kill();
}

if (import.meta.main) await writeAndDie(JSON.parse(process.argv[2] ?? ""));
