import { countCharacters } from "#app/services/base/plain-text.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

export const minPasswordLength = 6;
export const maxPasswordLength = 128;
/** RFC 5321 §4.5.3.1.3: a path is at most 256 octets, two of them angle brackets. */
export const maxEmailLength = 254;
export const maxPasskeyName = 60;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An account whose address isn't confirmed this long after the last sign-up is removed: its links are void by then. */
export const unconfirmedAccountMs = 7 * 24 * hourMs;

/** Rate limits: wide for a network address, which may serve a whole trade show, and narrow for an account or mailbox. */
export const limits = {
  /** From one network: strangers elsewhere don't use it up. A browser that signed in before has its own. */
  signInsOfAccount: { name: "sign-ins of an account", max: 10, windowMs: 15 * minuteMs },
  /** The same from a /24 or /48, inside which one attacker has many networks. */
  signInsOfAccountNearby: { name: "sign-ins of an account from nearby networks", max: 20, windowMs: 15 * minuteMs },
  signInsOfDevice: { name: "sign-ins of a known browser", max: 10, windowMs: 15 * minuteMs },
  /** Successful sign-ins count as well: each costs work and a session. */
  sessionsOfAccount: { name: "sessions of an account", max: 60, windowMs: hourMs },
  signInsFromNetwork: { name: "failed sign-ins from a network", max: 30, windowMs: 15 * minuteMs },
  signInsFromNearby: { name: "failed sign-ins from nearby networks", max: 120, windowMs: 15 * minuteMs },
  /** The first try from a network while sign-ins of the account are delayed. */
  firstDelayedSignIn: { name: "first delayed sign-in", max: 1, windowMs: 15 * minuteMs, isExpected: true },
  /** Of the current password, in the settings of a signed-in user. */
  passwordChecksOfAccount: { name: "password checks of an account", max: 10, windowMs: 15 * minuteMs },
  /** Correct ones count as well: each costs work, and a changed password sends an email. */
  allPasswordChecksOfAccount: { name: "all password checks of an account", max: 60, windowMs: hourMs },
  passwordChangesOfAccount: { name: "password changes of an account", max: 5, windowMs: hourMs },
  identityCodesOfAccount: { name: "identity codes of an account", max: 5, windowMs: hourMs },
  emailChangesOfAccount: { name: "email changes of an account", max: 5, windowMs: hourMs },
  /** A client refreshes five times an hour. Each leaves a row behind. */
  refreshesOfSession: { name: "refreshes of a session", max: 120, windowMs: hourMs },
  oauthStartsFromNetwork: { name: "OAuth requests from a network", max: 100, windowMs: 15 * minuteMs },
  callbacksFromNetwork: { name: "OAuth callbacks from a network", max: 60, windowMs: 15 * minuteMs },
  /** Each checks in a thread how easy the password is to guess, also when it is refused. */
  signUpFormsFromNetwork: { name: "sign-up forms from a network", max: 60, windowMs: 15 * minuteMs },
  signUpsFromNetwork: { name: "sign-ups from a network", max: 60, windowMs: hourMs },
  mailsToAddress: { name: "emails to an address", max: 5, windowMs: hourMs },
  /** Separate from other emails: a reset lets the owner in, even if a stranger used up the other limits. */
  resetsToAddress: { name: "password resets emailed to an address", max: 5, windowMs: hourMs },
  /** Separate from other emails as well. */
  signInMailsToAddress: { name: "sign-in emails to an address", max: 5, windowMs: hourMs },
  /** Of the six digits in one email: five in a million. */
  codesOfRequest: { name: "codes of a sign-in email", max: 5, windowMs: 15 * minuteMs },
  /** All that the emails of an hour allow, and as many for their owner. */
  codesOfAccount: { name: "codes of an account", max: 50, windowMs: hourMs },
  codesFromNetwork: { name: "wrong codes from a network", max: 30, windowMs: 15 * minuteMs },
  mailsFromNetwork: { name: "emails requested from a network", max: 100, windowMs: hourMs },
} as const satisfies Record<string, RateLimit>;

/** An account has three valid codes out of a million at a time: ten tries an hour find one of them in a year with one chance in four. */
export const factorLimits = {
  codesOfAccount: { name: "codes of an account", max: 10, windowMs: hourMs },
  /** From one browser or network, and apart from the codes of an app. */
  backupCodesOfAccount: { name: "backup codes of an account", max: 10, windowMs: hourMs },
  codesFromNetwork: { name: "codes from a network", max: 30, windowMs: 15 * minuteMs },
  /** Of a signed-in user who proves again who they are. */
  proofCodesOfAccount: { name: "codes of identity proofs", max: 10, windowMs: hourMs },
  /** Of an app that is being set up. */
  setupCodesOfAccount: { name: "setup codes of an account", max: 20, windowMs: 15 * minuteMs },
  /** The owner gets one mail per window about codes that were refused. */
  codeLimitMails: { name: "mails about refused codes", max: 1, windowMs: hourMs, isExpected: true },
  factorChangesOfAccount: { name: "factor changes of an account", max: 30, windowMs: hourMs },
  passkeyRequestsFromNetwork: { name: "passkey requests from a network", max: 200, windowMs: 15 * minuteMs },
  passkeysFromNetwork: { name: "refused passkeys from a network", max: 30, windowMs: 15 * minuteMs },
} as const satisfies Record<string, RateLimit>;

/**
 * The delays of sign-ins to one account from all browsers that it doesn't know: the more tries, the longer. Never longer than the last, after
 * which the next try from the same network is checked: strangers can't lock the owner out.
 */
export const signInDelays: readonly { limit: RateLimit; delayMs: number }[] = [
  { limit: { name: "sign-ins without a delay", max: 10, windowMs: 15 * minuteMs, isExpected: true }, delayMs: 0 },
  { limit: { name: "sign-ins with a short delay", max: 10, windowMs: hourMs, isExpected: true }, delayMs: 10_000 },
  { limit: { name: "sign-ins with a longer delay", max: 20, windowMs: hourMs, isExpected: true }, delayMs: 30_000 },
];
export const maxSignInDelayMs = minuteMs;

/** What is wrong with a new password. */
export type PasswordProblem = "too-short" | "too-long" | "is-email";

/** Counts Unicode code points: 😀 is one. */
export function findPasswordProblem(password: string, { email }: { email: string }): PasswordProblem | undefined {
  const length = countCharacters(password);
  if (length < minPasswordLength) return "too-short";
  if (length > maxPasswordLength) return "too-long";
  return password.trim().toLowerCase() === email.toLowerCase() ? "is-email" : undefined;
}

/** Whether a network address is this machine's loopback address. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}
