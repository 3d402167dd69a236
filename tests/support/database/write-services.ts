import { PostgresAdapter } from "kysely";
import pino from "pino";

import { createBus } from "#app/services/bus/bus.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { createEvents } from "#app/services/events/events.server.ts";
import { createRateLimits } from "#app/services/http/rate-limits.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

/** What the writes of data.server.ts files take, in a process without other processes; `clock` is the time of events and jobs. */
export async function makeWriteServices(
  db: Db,
  clock: () => number = Date.now,
): Promise<Pick<Services, "db" | "events" | "jobs" | "rateLimits">> {
  const engine = db.getExecutor().adapter instanceof PostgresAdapter ? "postgres" : "sqlite";
  const log = pino({ level: "silent" });
  const jobs = createJobs({ db, clock, log, handlers: {} });
  const bus = await createBus({ engine: "sqlite", databaseUrl: undefined, log });
  const events = createEvents({ db, engine, bus, jobs, clock, log });
  cleanUpAfterTest(events.stop);
  const rateLimits = createRateLimits({ db, log, secret: "s".repeat(32), clock });
  return { db, events, jobs, rateLimits };
}
