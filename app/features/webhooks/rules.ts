import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import type { SendResult } from "#app/services/http/public/public-sender.server.ts";

/** The events that an endpoint can get, with what they mean to an owner. */
export const webhookKinds = [
  "lead.created",
  "consent.withdrawn",
  "card.saved",
  "contact.saved",
  "plan.changed",
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

export function isWebhookKind(kind: string): kind is WebhookKind {
  return webhookKinds.some((known) => known === kind);
}

export const maxEndpoints = 5;
export const maxUrlLength = 500;
/** How long the secret before a rotation also signs. */
export const oldSecretMs = 24 * 3_600_000;
/** An endpoint whose attempts have all failed for so long is switched off. */
export const maxFailingMs = 5 * 24 * 3_600_000;
/** From so many attempts in a row without an answer on, an endpoint gets one message at a time, with a pause before each. */
export const maxUnanswered = 3;
/** How many deliveries may wait for an endpoint. Others are left out, and counted. */
export const maxWaiting = 1_000;
/** How long deliveries stay in the log. */
export const logMs = 30 * 24 * 3_600_000;
/** Contacts that are saved on a card within this time are one event. */
export const collectMs = 60_000;
/** How much of an answer is stored, in UTF-16 code units; above the limit of long answers, how much of each. */
export const maxStoredAnswer = 4_000;
export const shortAnswer = 200;

/** An endpoint that takes longer shares a part of the connections with others like it. */
export const slowMs = 5_000;

/** For owners who press buttons that send something. */
export const webhookLimits = {
  tests: { name: "webhook tests", max: 30, windowMs: 3_600_000 },
  redeliveries: { name: "webhook redeliveries", max: 60, windowMs: 3_600_000 },
  /** An owner decides what answers, and how often something is sent: without a limit they could fill the disk. */
  longAnswers: { name: "long answers to webhooks", max: 300, windowMs: 3_600_000, isExpected: true },
  changes: { name: "webhook changes", max: 60, windowMs: 3_600_000 },
} as const satisfies Record<string, RateLimit>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long after each failed attempt the next one starts: the example of Standard Webhooks, as far as it fits into a day. */
export const retryDelays = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
] as const;
/** The last attempt is at most so long after the first. */
export const retryWindowMs = 24 * hourMs;
const jitter = 0.2;

/** Until when an endpoint gets nothing: a minute after `maxUnanswered` attempts without an answer, twice as long after each further one, at most an hour. */
export function pauseEnd(unanswered: number, now: number): number {
  return unanswered < maxUnanswered ? 0 : now + Math.min(minuteMs * 2 ** (unanswered - maxUnanswered), hourMs);
}

type FailedAttempt = {
  /** How many attempts there were, this one included. */
  attempts: number;
  firstAttemptAt: number;
  now: number;
  /** As the answer's header has it. */
  retryAfter: string | undefined;
  status: number | undefined;
  /** From 0 to 1. */
  random: number;
};

/** When a delivery is attempted again after a failure, in epoch milliseconds; undefined when it is given up. */
export function nextAttemptTime({
  attempts,
  firstAttemptAt,
  now,
  random,
  ...answer
}: FailedAttempt): number | undefined {
  const last = firstAttemptAt + retryWindowMs;
  const delay = retryDelays[attempts - 1];
  if (delay === undefined || now >= last) return undefined;
  const spread = delay * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.min(now + Math.max(spread, requestedDelay(answer, now)), last));
}

/** What `Retry-After` requests (RFC 9110 §10.2.3): seconds or a date. It counts with the two statuses that are about too many requests. */
function requestedDelay(
  { status, retryAfter = "" }: Pick<FailedAttempt, "status" | "retryAfter">,
  now: number,
): number {
  if (status !== 429 && status !== 503) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

/** What came of an attempt. "unreadable": nothing was sent, because the address or the secret can't be decrypted. */
export type AttemptResult = SendResult | { problem: "unreadable"; durationMs: number };

/** Standard Webhooks: any other status than 2xx is a failure, redirects included. */
export function isSuccess(result: AttemptResult): boolean {
  return "status" in result && result.status >= 200 && result.status < 300;
}
