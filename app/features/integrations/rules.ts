import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

import type { RemoteContact } from "./destination.ts";

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

/** What the other side is known to have of a contact. */
export type RemoteState = {
  /** Undefined: nothing that we know of. */
  contact?: RemoteContact | undefined;
  /** What `contact` has taken the place of, which is still to be deleted there. */
  replaced?: RemoteContact | undefined;
  /** The request that creates it was sent and got no answer yet: it may be there with an id that we don't know, and then it is ours. */
  isUnanswered: boolean;
};

/** The state as a column: "+17" for a contact of ours, "=17" for another one, "+18\n+17" for one that replaced another, "?" before all for `isUnanswered`. */
export function formatRemote({ contact, replaced, isUnanswered }: RemoteState): string {
  const lines = [contact ? formatContact(contact) : "", ...(replaced ? [formatContact(replaced)] : [])];
  return `${isUnanswered ? "?" : ""}${lines.join("\n")}`;
}

function formatContact({ id, isOurs }: RemoteContact): string {
  return `${isOurs ? "+" : "="}${id}`;
}

export function parseRemote(text: string): RemoteState {
  const [contact, replaced] = text.replace(/^\?/, "").split("\n").map(parseContact);
  return { contact, replaced, isUnanswered: text.startsWith("?") };
}

function parseContact(text: string): RemoteContact | undefined {
  return text === "" ? undefined : { id: text.slice(1), isOurs: text.startsWith("+") };
}
