import { withTimeout } from "#app/services/base/time-limit.ts";

/** One line of `npm run doctor`. */
export type Finding = { name: string; state: "ok" | "warning" | "error"; text: string; fix?: string };

/** What a check found: a text when all is well; it throws what is broken. */
type Outcome = string | { warning: string; fix: string } | { error: string; fix: string };

/** `fix`: what to do when it throws. */
export type Check = { name: string; fix: string; run: () => Outcome | Promise<Outcome> };

/** Runs checks one after the other. None of them can stop the others. */
export async function* runChecks(checks: readonly Check[]): AsyncGenerator<Finding> {
  for (const { name, fix, run } of checks) {
    try {
      const outcome = await withTimeout(limitMs, Promise.try(run));
      if (typeof outcome === "string") yield { name, state: "ok", text: outcome };
      else if ("warning" in outcome) yield { name, state: "warning", text: outcome.warning, fix: outcome.fix };
      else yield { name, state: "error", text: outcome.error, fix: outcome.fix };
    } catch (error) {
      yield { name, state: "error", text: error instanceof Error ? error.message : String(error), fix };
    }
  }
}

const limitMs = 5 * 60_000;
