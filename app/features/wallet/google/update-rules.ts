/** For the owner of a card. The operator finds the reason in the log. */
export const googleProblemTexts = {
  unavailable: "Google Wallet can't be reached. We keep trying.",
  unauthorized: "Google Wallet doesn't accept this site. Its operator has to check the settings.",
  refused: "Google Wallet doesn't accept this pass. The site's operator finds the reason in the log.",
} as const;

/** How long to wait before the next try, in milliseconds: 15 s, 30 s … an hour, or as long as Google asks. `tries` counts from 1. */
export function retryDelay(tries: number, retryAfterMs: number | undefined): number {
  const own = Math.min(leastMs * 2 ** Math.min(tries - 1, 20), longestMs);
  return Math.min(Math.max(own, retryAfterMs ?? 0), longestMs);
}

const leastMs = 15_000;
export const longestMs = 60 * 60_000;
