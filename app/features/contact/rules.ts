import type { Limit } from "#app/services/limits.server.ts";

export const shortestMessage = 10;
export const longestMessage = 5_000;
export const longestName = 100;
/** RFC 5321 §4.5.3.1.3: a path is at most 256 octets, two of them angle brackets. */
export const longestEmail = 254;

/** A field of the form. People leave it empty because they don't see it; programs fill in whatever has a name. */
export const trapField = "website";

const HOUR = 3_600_000;

/** An address on the network may be a whole office; the operator's mail box has to bear what comes from everywhere. */
export const limits = {
  fromNetwork: { name: "contact messages from a network", max: 10, windowMs: HOUR },
  ofSender: { name: "contact messages of a sender", max: 5, windowMs: HOUR },
  inAll: { name: "contact messages", max: 200, windowMs: HOUR },
} as const satisfies Record<string, Limit>;

/** Nobody reads the page and writes ten signs in less; a form that lay open for longer is asked again. */
export const formAge = { least: 2_000, most: 24 * HOUR };
/** So long a message is known, so that it is not sent twice. */
export const knownFor = 24 * HOUR;
/** So long "sent" may be read again by reloading the page. */
export const sentFor = HOUR;

export type FormAge = "right" | "too-new" | "too-old";

/** Both in epoch milliseconds. */
export function formAgeOf(madeAt: number, now: number): FormAge {
  if (now - madeAt > formAge.most) return "too-old";
  return now - madeAt < formAge.least ? "too-new" : "right";
}

/** "in 12 minutes", "in one minute"; never too early, so it is rounded up. */
export function inMinutes(until: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  return minutes === 1 ? "in one minute" : `in ${minutes} minutes`;
}
