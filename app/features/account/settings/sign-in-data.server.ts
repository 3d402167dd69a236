import { findPasswordError } from "#app/features/account/data.server.ts";
import type { RateLimited } from "#app/features/account/data.server.ts";
import { limits } from "#app/features/account/rules.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

type AccountServices = Pick<Services, "auth" | "rateLimits" | "db" | "workers">;

/** The signed-in user and the network address of the request. */
type Requester = { userId: string; address: string };

export type PasswordRefusal = { kind: "wrong-password" } | RateLimited;

/** Asks for a new email: after the password, the limits on mail, so that a stolen session alone sends none. */
export async function requestEmailChange(
  { auth, rateLimits }: AccountServices,
  { userId, address, headers, ...change }: Requester & { email: string; current: string; headers: Headers },
): Promise<{ kind: "sent"; cookies: string[] } | PasswordRefusal> {
  const { email, current } = change;
  const checked = await limitProof(rateLimits, { userId, address }, () =>
    auth.checkPassword({ userId, password: current }),
  );
  if (checked.kind !== "right") return checked;
  const refused = await rateLimits.consume([
    { limit: limits.mailsFromNetwork, subject: networkOf(address) },
    { limit: limits.emailChangesOfAccount, subject: userId },
    { limit: limits.mailsToAddress, subject: email },
  ]);
  if (refused) return { kind: "rate-limited", ...refused };
  await auth.requestEmailChange({ userId, email });
  const origin = { headers, address };
  // Where two-step verification is on, the password alone doesn't count as a new proof.
  const proven = await auth.confirmIdentity({ userId, proof: { method: "password" }, origin });
  return { kind: "sent", cookies: proven.kind === "confirmed" ? proven.cookies : [] };
}

type PasswordChange = Requester & { email: string; current: string; password: string; headers: Headers };

/** The new password is checked last: how easy it is to guess takes work, which the limits bound. */
export async function changePassword(
  all: AccountServices,
  { userId, address, email, ...change }: PasswordChange,
): Promise<{ kind: "changed"; cookies: string[] } | { kind: "weak-password"; error: string } | PasswordRefusal> {
  const { auth, rateLimits } = all;
  const checked = await limitProof(rateLimits, { userId, address }, () =>
    auth.checkPassword({ userId, password: change.current }),
  );
  if (checked.kind !== "right") return checked;
  const error = await findPasswordError(all, { password: change.password, email, ownerId: userId });
  if (error !== undefined) return { kind: "weak-password", error };
  const refused = await rateLimits.consume([{ limit: limits.passwordChangesOfAccount, subject: userId }]);
  if (refused) return { kind: "rate-limited", ...refused };
  // Another request may have changed it in the meantime.
  const changed = await auth.changePassword({ userId, address, ...change });
  return changed ? { kind: "changed", ...changed } : { kind: "wrong-password" };
}

/**
 * Counts every attempt before `check`, of a password or a mailed code, so that parallel guesses get no further than sequential ones. A
 * right one is refunded.
 */
export async function limitProof(
  rateLimits: Services["rateLimits"],
  { userId, address }: Requester,
  check: () => Promise<boolean>,
): Promise<{ kind: "right" } | PasswordRefusal> {
  const network = { limit: limits.signInsFromNetwork, subject: networkOf(address) };
  // Not the limit of the login page: a stranger can use that up.
  const account = { limit: limits.passwordChecksOfAccount, subject: userId };
  const all = { limit: limits.allPasswordChecksOfAccount, subject: userId };
  const refused = await rateLimits.consume([network, account, all]);
  if (refused) return { kind: "rate-limited", ...refused };
  if (!(await check())) return { kind: "wrong-password" };
  await rateLimits.refund([network]);
  await rateLimits.reset([account]);
  return { kind: "right" };
}
