import type { GoogleFailure } from "./google-request.server.ts";

/** After a failure Google isn't asked for so long, so that neither pages nor jobs wait for it one by one. */
const pauseMs = 10_000;
const longestPauseMs = 5 * 60_000;
/** So many passes that fail one after the other aren't at fault themselves. */
const fewestOfOutage = 3;

/** Decides when Google isn't asked: after an error about one pass for that pass only, otherwise for all. */
export function createGooglePauses(clock: () => number) {
  let allUntil = 0;
  /** Until when each pass that failed waits. */
  const failed = new Map<string, number>();
  /** The passes that failed since the last success. */
  const inRow = new Set<string>();

  return {
    /** Why this pass can't be sent now; undefined when it can. */
    find(id: string): GoogleFailure | undefined {
      const now = clock();
      const until = Math.max(allUntil, failed.get(id) ?? 0);
      if (until <= now) return undefined;
      const isOfPass = allUntil <= now;
      return { kind: "unavailable", reason: "paused after a failure", retryAfterMs: until - now, isOfPass };
    },
    noteSuccess(id: string) {
      inRow.clear();
      for (const [other, until] of failed) if (other === id || until <= clock()) failed.delete(other);
    },
    noteFailure(id: string, { kind, retryAfterMs = pauseMs, isOfPass = false }: GoogleFailure) {
      if (kind === "refused") return;
      const until = clock() + Math.min(retryAfterMs, longestPauseMs);
      failed.set(id, until);
      inRow.add(id);
      if (isOfPass && inRow.size < fewestOfOutage) return;
      allUntil = until;
      inRow.clear();
      failed.clear();
    },
  };
}
