import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

export const minMessageLength = 10;
export const maxMessageLength = 5_000;
export const maxNameLength = 100;
/** RFC 5321 §4.5.3.1.3: a path is at most 256 octets, two of them angle brackets. */
export const maxEmailLength = 254;

/** A hidden field. People leave it empty because they don't see it; bots fill in every field. */
export const honeypotField = "website";

const hourMs = 3_600_000;

/** A network may be a whole office, so its limit is wide; the total protects the operator's mailbox. */
export const contactLimits = {
  perNetwork: { name: "contact messages from a network", max: 10, windowMs: hourMs },
  perSender: { name: "contact messages of a sender", max: 5, windowMs: hourMs },
  total: { name: "contact messages", max: 200, windowMs: hourMs },
} as const satisfies Record<string, RateLimit>;

/** In milliseconds. No person fills in the form faster; one that was open for longer must be submitted again. */
export const formAge = { min: 2_000, max: 24 * hourMs };
/** A message is sent once. */
export const repetitionLimit = { name: "contact message", max: 1, windowMs: 24 * hourMs, isExpected: true } as const;
/** How long the confirmation page can be reloaded. */
export const sentNoticeMs = hourMs;

export type FormAge = "valid" | "too-new" | "too-old";

/** Whether a form is old enough to come from a person and recent enough to accept. Both times in epoch milliseconds. */
export function classifyFormAge(madeAt: number, now: number): FormAge {
  if (now - madeAt > formAge.max) return "too-old";
  return now - madeAt < formAge.min ? "too-new" : "valid";
}
