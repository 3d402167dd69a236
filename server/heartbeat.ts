import { randomUUID } from "node:crypto";

import { createChecks } from "#app/features/status/checks.server.ts";
import { createLook } from "#app/features/status/look.server.ts";
import type { Check } from "#app/features/status/look.server.ts";
import { forgetLater, hideInstance, saveHeartbeats } from "#app/features/status/record.server.ts";
import type { Heartbeat } from "#app/features/status/record.server.ts";
import { MS_PER_MINUTE } from "#app/features/status/rules.ts";
import type { CheckName } from "#app/features/status/rules.ts";
import { within } from "#app/services/time-limit.ts";
import type { Services } from "#app/services/context.ts";

type Options = {
  /** In place of the product's own. */
  checks?: Partial<Record<CheckName, Check>>;
  /** How long a check and a write may take, in milliseconds. */
  limitMs?: number;
};

/** Looks at this process and what it leans on, and writes down what was found. */
export function createHeartbeat(services: Services, { checks = {}, limitMs = 10_000 }: Options = {}) {
  const { db, log, clock } = services;
  const self = { id: randomUUID(), startedAt: clock() };
  const look = createLook({ ...createChecks(services, self), ...checks }, { log, limitMs });
  /** Not written yet, the oldest first: so that a database that was away is on record as that, and not as a gap. */
  let waiting: Heartbeat[] = [];
  let lastLook = 0;

  async function beat(): Promise<void> {
    const lookedAt = clock();
    if (lookedAt < EARLIEST)
      return log.warn("The clock of this machine is years behind: nothing is recorded for /status.");
    const found = await look();
    const heartbeat = { instance: self.id, lookedAt, found };
    waiting = [...waiting.slice(-MOST_KEPT + 1), heartbeat];
    // It would hang, or fail again.
    if (found.database === "failing") return;
    try {
      if (lookedAt < lastLook) await takeBack(lookedAt);
      await writeAll();
      lastLook = lookedAt;
    } catch (error) {
      found.database = "failing";
      log.error({ err: error, waiting: waiting.length }, "self-checks can't be written; they are kept and tried again");
    }
  }

  async function writeAll() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      await within(limitMs, saveHeartbeats(db, batch));
      waiting = waiting.slice(batch.length);
    }
  }

  /** The clock was put back: what was said of minutes that are still to come was wrong. */
  async function takeBack(now: number) {
    log.warn({ milliseconds: lastLook - now }, "the clock went back; self-checks of later minutes are taken back");
    waiting = waiting.filter(({ lookedAt }) => lookedAt <= now);
    await within(limitMs, forgetLater(db, { instance: self.id, after: now }));
  }

  /** Takes this process off the page. */
  async function leave(): Promise<void> {
    await within(LEAVE_WITHIN_MS, hideInstance(db, self.id)).catch((error: unknown) =>
      log.warn({ err: error }, "this process could not be taken off the status page; it goes by itself"),
    );
  }

  return { id: self.id, beat, leave };
}

/** Two days of minutes, of some hundred bytes each. */
const MOST_KEPT = 2_880;
const BATCH = 100;
const LEAVE_WITHIN_MS = 500;
/** A machine without a battery for its clock may start in 1970; the first minute of all would then be that. */
const EARLIEST = Date.UTC(2026, 0);

/** Looks at once and then each minute, at a second of its own, so that many processes do not look all together. `stop` takes a second at most. */
export function keepHeartbeat(services: Services): { stop: () => Promise<void> } {
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
        if (!isStopped) timer = setTimeout(run, untilNext(clock(), second));
      });
  }

  async function stop() {
    isStopped = true;
    clearTimeout(timer);
    // One that is stuck may yet write this process down again; it then goes off the page by itself, after some minutes.
    await within(LEAVE_WITHIN_MS, running).catch(() => log.warn("a self-check still ran at the end"));
    await leave();
  }

  log.info({ instance: id }, "this process looks at itself each minute, see /status");
  run();
  return { stop };
}

/** Until the same second of the next minute; a timer that fires a moment early is still in the right one. */
export function untilNext(now: number, second: number): number {
  const next = (Math.floor(now / MS_PER_MINUTE) + 1) * MS_PER_MINUTE + second;
  return next - now;
}
