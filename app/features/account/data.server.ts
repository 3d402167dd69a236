import type { Services } from "#app/services/context.ts";
import type { Limit, Try } from "#app/services/limits.server.ts";
import { networkOf } from "#app/services/network.ts";
import { commonPasswords, isCommonPassword } from "#app/services/passwords.server.ts";
import type { SignInResult } from "#app/services/sessions.server.ts";

import { commonPassword, messages } from "./messages.ts";
import { findPasswordFault, limits as limit } from "./rules.ts";

/** Tried too often. `until` is when it may be tried again, in epoch milliseconds. */
export type TooOften = { kind: "too-often"; until: number };

/** Who asks: their network address, for limits alone. */
type From = { address: string };

type Credentials = { email: string; password: string };

/**
 * Every try is counted before the password is looked at, so fifty at once get no further than one after the other; what was
 * no guess is given back.
 */
export async function signIn(
  { auth, limits }: Services,
  { address, headers, ...form }: Credentials & From & { headers: Headers },
): Promise<SignInResult | TooOften> {
  const network = tryOf(limit.signInsFromNetwork, networkOf(address));
  const account = tryOf(limit.signInsOfAccount, form.email);
  const refused = await limits.take([network, account, tryOf(limit.sessionsOfAccount, form.email)]);
  if (refused) return { kind: "too-often", ...refused };
  const result = await auth.signIn({ ...form, headers });
  if (result.kind === "signed-in") {
    await limits.giveBack([network]);
    await limits.forget([account]);
  }
  return result;
}

/** Sends somebody who is signed in a link to confirm their own address. "confirmed": it is already. */
export async function confirmOwnAddress(
  { auth, limits }: Services,
  { person, address }: { person: { id: string; email: string } } & From,
): Promise<{ kind: "sent" | "confirmed" } | TooOften> {
  const refused = await limits.take(mailTries({ email: person.email, address }));
  if (refused) return { kind: "too-often", ...refused };
  return { kind: await auth.sendOwnConfirmation(person.id) };
}

/** Counted and answered alike whether the address has an account or not. */
export async function signUp(
  { auth, limits }: Services,
  { address, ...form }: Credentials & From,
): Promise<{ kind: "sent"; pending: string } | TooOften> {
  const refused = await limits.take([
    tryOf(limit.signUpsFromNetwork, networkOf(address)),
    ...mailTries({ email: form.email, address }),
  ]);
  if (refused) return { kind: "too-often", ...refused };
  const { pending } = await auth.signUp(form);
  return { kind: "sent", pending };
}

export async function resendConfirmation(
  { auth, limits }: Services,
  { pending, address }: { pending: string } & From,
): Promise<{ kind: "sent" | "gone"; email: string } | (TooOften & { email: string })> {
  const email = auth.readPending(pending);
  if (!email) return { kind: "gone", email: "" };
  const refused = await limits.take(mailTries({ email, address }));
  if (refused) return { kind: "too-often", email, ...refused };
  return { kind: await auth.resendConfirmation(pending), email };
}

export async function requestReset(
  { auth, limits }: Services,
  { email, address }: { email: string } & From,
): Promise<{ kind: "sent" } | TooOften> {
  const ofNetwork = tryOf(limit.mailsFromNetwork, networkOf(address));
  const refused = await limits.take([ofNetwork, tryOf(limit.resetsToAddress, email)]);
  if (refused) return { kind: "too-often", ...refused };
  await auth.requestReset(email);
  return { kind: "sent" };
}

/** Whoever has the mail box may sign in again at once, also when somebody else used up the tries. */
export async function resetPassword(
  { auth, limits }: Services,
  { email, ...form }: { token: string; password: string; email: string },
): Promise<boolean> {
  if (!(await auth.resetPassword(form))) return false;
  await limits.forget([tryOf(limit.signInsOfAccount, email), tryOf(limit.sessionsOfAccount, email)]);
  return true;
}

/** The sentence that refuses a new password, if it is to be refused. */
export function refusePassword(password: string, email: string): string | undefined {
  const fault = findPasswordFault(password, { email, isCommon: isCommonPassword(password) });
  if (fault === "too-short") return messages.passwordTooShort;
  if (fault === "too-long") return messages.passwordTooLong;
  if (fault === "is-email") return messages.passwordIsEmail;
  return fault && commonPassword(commonPasswords);
}

function mailTries({ email, address }: { email: string } & From): Try[] {
  return [tryOf(limit.mailsFromNetwork, networkOf(address)), tryOf(limit.mailsToAddress, email)];
}

function tryOf(limit: Limit, of: string): Try {
  return { limit, of };
}
