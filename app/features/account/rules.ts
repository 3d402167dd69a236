import type { Limit } from "#app/services/limits.server.ts";

export const minPasswordLength = 6;
export const maxPasswordLength = 128;
/** RFC 5321 §4.5.3.1.3: a path is at most 256 octets, two of them angle brackets. */
export const maxEmailLength = 254;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * How often what may be tried. An address on the network may be a whole trade fair, so its limits are wide; what a single
 * account or mail box has to bear is narrow.
 */
export const limits = {
  signInsOfAccount: { name: "sign-ins of an account", max: 10, windowMs: 15 * MINUTE },
  /** The right password too: each sign-in costs work and a session. */
  sessionsOfAccount: { name: "sessions of an account", max: 60, windowMs: HOUR },
  signInsFromNetwork: { name: "failed sign-ins from a network", max: 30, windowMs: 15 * MINUTE },
  signUpsFromNetwork: { name: "sign-ups from a network", max: 60, windowMs: HOUR },
  mailsToAddress: { name: "mails to an address", max: 5, windowMs: HOUR },
  /** Apart from the other mails: each opens the account again to its owner, whoever used up the tries. */
  resetsToAddress: { name: "resets mailed to an address", max: 5, windowMs: HOUR },
  mailsFromNetwork: { name: "mails asked for from a network", max: 100, windowMs: HOUR },
} as const satisfies Record<string, Limit>;

/** What is wrong with a new password. */
export type PasswordFault = "too-short" | "too-long" | "is-email" | "common";

/** Signs are counted as people do: 😀 is one. `isCommon` says whether it is in the lists of leaked passwords. */
export function findPasswordFault(
  password: string,
  { email, isCommon }: { email: string; isCommon: boolean },
): PasswordFault | undefined {
  const length = [...password].length;
  if (length < minPasswordLength) return "too-short";
  if (length > maxPasswordLength) return "too-long";
  if (password.trim().toLowerCase() === email.toLowerCase()) return "is-email";
  return isCommon ? "common" : undefined;
}

/** "in 12 minutes", "in one minute"; never too early, so it is rounded up. */
export function inMinutes(until: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / MINUTE));
  return minutes === 1 ? "in one minute" : `in ${minutes} minutes`;
}

/** "21 November 2026", by the day in UTC. */
export function dayWords(time: number): string {
  return day.format(time);
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** Whether an address is that of this machine: nobody else sees the local mail box. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}
