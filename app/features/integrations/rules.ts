import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

export const maxIntegrations = 5;
/** Of a field of its form, in UTF-16 code units. */
export const maxFieldLength = 500;
/** How long a finished copy stays in the log. */
export const logMs = 30 * 24 * 3_600_000;
/** How much of an answer is stored, in UTF-16 code units. */
export const maxStoredAnswer = 500;

export const integrationLimits = {
  changes: { name: "integration changes", max: 60, windowMs: 3_600_000 },
  tests: { name: "integration tests", max: 30, windowMs: 3_600_000 },
} as const satisfies Record<string, RateLimit>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long after each failed attempt the next one starts. */
const retryDelays = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs];
const giveUpMs = 24 * hourMs;

/** When to try again what has failed so often; undefined once that has gone on for a day. */
export function nextAttemptTime({
  attempts,
  firstAttemptAt,
  now,
}: {
  attempts: number;
  firstAttemptAt: number;
  now: number;
}): number | undefined {
  const next = now + (retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minuteMs);
  return next - firstAttemptAt > giveUpMs ? undefined : next;
}

/** When to go on after a "Retry-After" (RFC 9110 §10.2.3): in seconds or a date; at least after a minute, at most after an hour. */
export function pauseEnd(retryAfter: string | undefined, now: number): number {
  const text = retryAfter?.trim() ?? "";
  const wanted = /^\d+$/.test(text) ? now + Number(text) * 1_000 : Date.parse(text);
  return Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, now + minuteMs), now + hourMs);
}
