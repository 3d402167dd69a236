/** How long somebody who dismissed the banner is left alone, in seconds: 7 days. */
const REST_S = 7 * 24 * 60 * 60;

const KEY = "meishi.banner-dismissed-until";

/** What is stored for a dismissal at `now` (epoch milliseconds): when it is over, in epoch seconds. */
export function dismissalAt(now: number): string {
  return String(Math.floor(now / 1000) + REST_S);
}

/**
 * Whether a stored dismissal still holds. A text that is no time holds nothing back, and neither does one further ahead than ours ever
 * are: somebody else wrote it, or a clock was wrong, and the banner would be gone for years.
 */
export function isDismissed(stored: string | null, now: number): boolean {
  if (stored === null || !/^\d{1,12}$/.test(stored)) return false;
  const left = Number(stored) - now / 1000;
  return left > 0 && left <= REST_S;
}

/** Null where nothing is stored, and where the browser refuses to say: then the banner can be dismissed for one page only. */
export function readDismissal(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch (error) {
    return refused(error, null);
  }
}

export function keepDismissal(now: number): void {
  try {
    localStorage.setItem(KEY, dismissalAt(now));
  } catch (error) {
    refused(error, undefined);
  }
}

/** SecurityError: storage is switched off. QuotaExceededError: it is full. Anything else is a fault of ours. */
function refused<Answer>(error: unknown, answer: Answer): Answer {
  if (error instanceof DOMException) return answer;
  throw error;
}
