import type { Logger } from "pino";

import { checkNames } from "#app/features/status/rules.ts";
import type { CheckName, CheckState, CheckResults } from "#app/features/status/rules.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";

/** Resolves to "well", or "unset" when there is nothing to check; throws the failure. */
export type Check = () => Promise<"well" | "unset">;

type CheckRunnerOptions = {
  log: Logger;
  /** A check that takes longer is failing. */
  limitMs?: number;
  /** After this time a check that never ends is given up, and a new one may start. */
  giveUpAfterMs?: number;
  /** A monotonic clock in milliseconds. */
  elapsed?: () => number;
};

/** Returns a function that runs all checks at once and never throws. */
export function createCheckRunner(
  checks: Record<CheckName, Check>,
  options: CheckRunnerOptions,
): () => Promise<CheckResults> {
  const runners = checkNames.map((name) => [name, createOneCheckRunner(name, checks[name], options)] as const);
  return async () => {
    const results: CheckResults = { database: "failing", files: "failing", mail: "failing", jobs: "failing" };
    await Promise.all(
      runners.map(async ([name, runCheck]) => {
        results[name] = await runCheck();
      }),
    );
    return results;
  };
}

/** Runs one check at a time: while it hangs, the next run counts it as failing and doesn't start a second one. */
function createOneCheckRunner(
  name: CheckName,
  check: Check,
  {
    log,
    limitMs = defaultLimitMs,
    giveUpAfterMs = defaultGiveUpAfterMs,
    elapsed = () => performance.now(),
  }: CheckRunnerOptions,
): () => Promise<CheckState> {
  let running: { since: number } | undefined;
  let wasFailing = false;

  async function run() {
    if (running && elapsed() - running.since < giveUpAfterMs) throw new Error("an earlier run is still hanging");
    const current = { since: elapsed() };
    running = current;
    const outcome = Promise.try(check).finally(() => {
      if (running === current) running = undefined;
    });
    return withTimeout(limitMs, outcome);
  }

  return async () => {
    try {
      const state = await run();
      if (wasFailing) log.info({ check: name }, `self-check: ${name} is working again`);
      wasFailing = false;
      return state;
    } catch (error) {
      log.error({ err: error, check: name }, `self-check: ${name} is failing`);
      wasFailing = true;
      return "failing";
    }
  };
}

const defaultLimitMs = 10_000;
const defaultGiveUpAfterMs = 5 * 60_000;
