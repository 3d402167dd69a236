import type { Logger } from "pino";

import { checkNames } from "./rules.ts";
import type { CheckName, CheckState, Found } from "./rules.ts";
import { within } from "#app/services/time-limit.ts";

/** Resolves when all is well, or there is nothing to check ("unset"), and throws what is wrong. */
export type Check = () => Promise<"well" | "unset">;

type Options = {
  log: Logger;
  /** A check that takes longer is failing. */
  limitMs?: number;
  /** One that never ends is given up after so long, and a new one may begin. */
  giveUpAfterMs?: number;
  /** For measuring how long: in milliseconds, never backwards. */
  elapsed?: () => number;
};

/** Makes a function that runs all the checks at once and says what they found. It never throws. */
export function createLook(checks: Record<CheckName, Check>, options: Options): () => Promise<Found> {
  const looks = checkNames.map((name) => [name, createOneLook(name, checks[name], options)] as const);
  return async () => {
    const found: Found = { database: "failing", files: "failing", mail: "failing", jobs: "failing" };
    await Promise.all(
      looks.map(async ([name, look]) => {
        found[name] = await look();
      }),
    );
    return found;
  };
}

/** One at a time: while a check hangs, the next look counts it as failing and starts no second one beside it. */
function createOneLook(
  name: CheckName,
  check: Check,
  { log, limitMs = LIMIT_MS, giveUpAfterMs = GIVE_UP_AFTER_MS, elapsed = () => performance.now() }: Options,
): () => Promise<CheckState> {
  let underWay: { since: number } | undefined;
  let wasFailing = false;

  async function run() {
    if (underWay && elapsed() - underWay.since < giveUpAfterMs) throw new Error("it still hangs since an earlier look");
    const own = { since: elapsed() };
    underWay = own;
    const outcome = Promise.try(check).finally(() => {
      if (underWay === own) underWay = undefined;
    });
    return within(limitMs, outcome);
  }

  return async () => {
    try {
      const state = await run();
      if (wasFailing) log.info({ check: name }, `self-check: ${name} is well again`);
      wasFailing = false;
      return state;
    } catch (error) {
      log.error({ err: error, check: name }, `self-check: ${name} is failing`);
      wasFailing = true;
      return "failing";
    }
  };
}

const LIMIT_MS = 10_000;
const GIVE_UP_AFTER_MS = 5 * 60_000;
