/** Why devices haven't been told yet: Apple can't take it now, refuses this site's pushes, or the certificate has expired. */
export type PushProblem = "unavailable" | "refused" | "expired";

/** For the owner. The operator finds the reason in the log. */
export const pushProblemTexts: Record<PushProblem, string> = {
  unavailable: "Apple’s push service can’t be reached. We keep trying.",
  refused: "Apple refuses updates from this site. Its operator has to check the certificate for passes.",
  expired: "The certificate for passes has expired. The site’s operator has to renew it.",
};

/**
 * How long to wait before the next try, in milliseconds. `tries` counts the tries so far, from 1. Apple requests a quarter of an hour
 * after a 5xx ("Handling notification responses from APNs") unless it says otherwise; a connection that fails is tried sooner at first.
 */
export function retryDelay({ tries, retryAfterMs }: { tries: number; retryAfterMs: number | undefined }): number {
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, leastMs), maxRetryAfterMs);
  return Math.min(leastMs * 2 ** (tries - 1), longestMs);
}

/** The same for devices that Apple takes no more for: at least a minute, if it doesn't say how long. */
export function deviceRetryDelay({ tries, retryAfterMs }: { tries: number; retryAfterMs: number | undefined }): number {
  return retryDelay({ tries: retryAfterMs === undefined ? tries + 2 : tries, retryAfterMs });
}

const leastMs = 15_000;
const longestMs = 15 * 60_000;
const maxRetryAfterMs = 6 * 60 * 60_000;

/** An update that Apple couldn't take for so long is given up. The next save starts another one. */
export const giveUpAfterMs = 3 * 24 * 60 * 60_000;
