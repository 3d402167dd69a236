import type { SignInMethod } from "#app/services/auth/sessions/session-rows.server.ts";

import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import type { DateChoice } from "#app/services/preferences/owner-time.ts";

export const sessionMessages = {
  lead: "Every browser where you’re signed in. Don’t recognize one? Sign it out, then change your password.",
  ended: "Signed out",
  endedOthers: "Your other browsers are signed out",
  noOthers: "You’re not signed in anywhere else.",
  endedAll: { title: "You’re signed out everywhere.", text: "Sign in again to continue." },
  gone: "That browser was already signed out.",
} as const;

const methodNames: Record<SignInMethod, string> = {
  password: "Password",
  "email-link": "Emailed link",
  "email-code": "Emailed code",
  passkey: "Passkey",
  google: "Google",
  apple: "Apple",
  sso: "Single sign-on",
  wallet: "Ethereum wallet",
  "sign-up": "Sign-up link",
};

export function methodName(method: SignInMethod): string;
/** How someone signed in: "Password". Undefined for a text that is no such method. */
export function methodName(text: string): string | undefined;
export function methodName(text: string): string | undefined {
  return new Map<string, string>(Object.entries(methodNames)).get(text);
}

const dayMs = 24 * 60 * 60 * 1000;

/** When a session was last used, which is known to the day: "Active in the last 24 hours". Times are epoch milliseconds. */
export function lastActive({ seenAt, now, choice }: { seenAt: number; now: number; choice: DateChoice }): string {
  return now - seenAt < dayMs ? "Active in the last 24 hours" : `Last active around ${formatOwnDate(seenAt, choice)}`;
}
