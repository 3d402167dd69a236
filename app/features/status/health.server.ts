import { randomUUID } from "node:crypto";

import type { Context, Handler } from "hono";
import { sql } from "kysely";

import { readSignedText } from "#app/services/base/signed-token.server.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";
import { programVersion } from "#app/services/config/version.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { createCheckRunner, createChecks, readReadiness } from "./checks.server.ts";
import type { Check } from "./checks.server.ts";
import { removeInstance, saveHeartbeats } from "./data.server.ts";
import type { Heartbeat } from "./data.server.ts";
import { msPerMinute } from "./rules.ts";
import type { CheckName } from "./rules.ts";

/** For a load balancer or a monitor: 200 while this process and its database respond. */
export function health(services: Services): Handler<AppEnv> {
  const { db, log } = services;
  return async (c) => {
    try {
      // A database that accepts connections but never answers would keep the monitor waiting.
      await withTimeout(databaseTimeoutMs, sql`select 1`.execute(db));
      return c.json({ status: "ok", database: "ok", ...describeRequest(c, services) });
    } catch (error) {
      log.error({ err: error, id: c.get("state").id }, "the database is not responding");
      return c.json({ status: "failing", database: "failing" }, 503);
    }
  };
}

/** The header with which `npm run doctor` proves that it has this installation's secret: the end of its validity, signed. */
export const doctorHeader = "x-meishi-doctor";
export const doctorPurpose = "doctor";

/** What only `npm run doctor` receives: the version, and where the request came from as the program sees it. */
export type SeenRequest = { version: string; address: string; forwardedFor: string | null; proto: string | null };

function describeRequest(c: Context<AppEnv>, { sign, clock }: Services): SeenRequest | undefined {
  const validUntil = readSignedText(sign, doctorPurpose, c.req.header(doctorHeader) ?? "");
  if (validUntil === undefined || Number(validUntil) < clock()) return undefined;
  const { headers } = c.req.raw;
  return {
    version: programVersion,
    address: c.get("state").address,
    forwardedFor: headers.get("x-forwarded-for"),
    proto: headers.get("x-forwarded-proto"),
  };
}

/** For a load balancer: 200 while this process can also write to its database and its storage. */
export function readiness(services: Services): Handler<AppEnv> {
  return async (c) => {
    const states = await readReadiness(services, services.clock());
    const isReady = !Object.values(states).includes("failing");
    return c.json({ status: isReady ? "ok" : "failing", ...states }, isReady ? 200 : 503);
  };
}

const databaseTimeoutMs = 3_000;

type HeartbeatOptions = {
  /** Replace the product's own checks. */
  checks?: Partial<Record<CheckName, Check>>;
  /** Timeout of a check and of a write, in milliseconds. */
  limitMs?: number;
};

/** Runs the checks of this process and records the results. */
export function createHeartbeat(services: Services, { checks = {}, limitMs = 10_000 }: HeartbeatOptions = {}) {
  const { db, log, clockCheck } = services;
  const clock = () => services.clock() - clockCheck.ahead();
  const self = { id: randomUUID(), startedAt: clock() };
  const runChecks = createCheckRunner({ ...createChecks(services, self), ...checks }, { log, limitMs });
  /** Heartbeats to write, oldest first: an outage of the database is recorded once it is back, instead of leaving a gap. */
  let pending: Heartbeat[] = [];

  async function beat(): Promise<void> {
    const checkedAt = clock();
    if (checkedAt < earliestPlausibleTime)
      return log.warn("The clock of this machine is years behind, so nothing is recorded for /status.");
    const results = await runChecks();
    pending = [...pending, { checkedAt, results }].slice(-maxPendingHeartbeats);
    // Writing would fail or hang as well.
    if (results.database === "failing") return;
    try {
      await withTimeout(limitMs, saveHeartbeats(db, self.id, pending));
      pending = [];
    } catch (error) {
      results.database = "failing";
      log.error({ err: error, pending: pending.length }, "self-checks cannot be written; they will be retried");
    }
  }

  /** Removes this process from the status page. */
  async function leave(): Promise<void> {
    await withTimeout(stopTimeoutMs, removeInstance(db, self.id)).catch((error: unknown) =>
      log.warn({ err: error }, "this process could not be removed from the status page; it will expire"),
    );
  }

  return { id: self.id, beat, leave };
}

/** Two days of minutes, about a hundred bytes each. */
const maxPendingHeartbeats = 2_880;
const stopTimeoutMs = 500;
/** A machine without a clock battery may start in 1970, which would become the first recorded minute. */
const earliestPlausibleTime = Date.UTC(2026, 0);

/** Checks at once and then every minute, at a random second so that processes don't check simultaneously. `stop` takes at most a second. */
export function startHeartbeat(services: Services): { stop: () => Promise<void> } {
  const { log, clock } = services;
  const { id, beat, leave } = createHeartbeat(services);
  const second = 1_000 + Math.random() * 9_000;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();

  function run() {
    running = beat()
      .catch((error: unknown) => log.error({ err: error }, "the self-check itself failed"))
      .finally(() => {
        if (!isStopped) timer = setTimeout(run, millisecondsUntilNext(clock(), second));
      });
  }

  async function stop() {
    isStopped = true;
    clearTimeout(timer);
    // A stuck check may still record this process afterwards; it then disappears from the page after a few minutes.
    await withTimeout(stopTimeoutMs, running).catch(() => log.warn("a self-check was still running at shutdown"));
    await leave();
  }

  log.info({ instance: id }, "this process checks itself every minute, see /status");
  run();
  return { stop };
}

/** Milliseconds until `second` (1,000 to 10,000 ms) of the next minute, far enough from its start for a timer that fires early. */
export function millisecondsUntilNext(now: number, second: number): number {
  const next = (Math.floor(now / msPerMinute) + 1) * msPerMinute + second;
  return next - now;
}
