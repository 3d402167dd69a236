import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import type { FactorChange } from "#app/services/auth/better-auth.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { endTrust, forgetDevices, readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import {
  endSessions,
  findSessionById,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "#app/services/auth/sessions/session-rows.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { replaceBackupCodes } from "./backup-codes.server.ts";

/** Whose factors a request changes. */
export type OwnChange = { userId: string; origin: RequestOrigin };

/** `codes`: the new backup codes, which are shown once. */
export type TurnedOn = { codes: string[] | undefined; cookies: string[] };

/** The row of an account's second factor. */
export function findSecondFactor(trx: Db | Trx, userId: string) {
  return trx.selectFrom("second_factor").selectAll().where("owner_id", "=", userId).executeTakeFirst();
}

/** Whether two-step verification of the account is on: a password alone proves nothing then. */
export async function hasSecondFactor(trx: Db | Trx, userId: string): Promise<boolean> {
  return Boolean((await findSecondFactor(trx, userId))?.enabled_at);
}

/** Ends the account's other sessions and all trust: someone else may have a session, and none of them passed the second step. */
export async function turnOnSecondFactor(deps: AuthDeps, trx: Trx, { userId, origin }: OwnChange): Promise<TurnedOn> {
  await trx.updateTable("second_factor").set({ enabled_at: Date.now() }).where("owner_id", "=", userId).execute();
  const codes = await replaceBackupCodes(deps, trx, userId);
  // A browser that signed in before has its own tries at a code; these signed in with less than that.
  await forgetDevices(trx, { userId, except: readDeviceId(deps, origin.headers) });
  await reportChange(deps, trx, { userId, change: "turned-on", origin });
  return { codes, cookies: await renewOwnSession(deps, trx, { origin, endOthersOf: userId }) };
}

type Change = {
  userId: string;
  change: FactorChange;
  /** Without one, the operator did it. */
  origin: RequestOrigin | undefined;
};

/** Removes the app, the backup codes, waiting sign-ins and the trust in browsers. */
export async function removeSecondFactor(deps: AuthDeps, trx: Trx, { userId, origin, change }: Change): Promise<void> {
  await trx.deleteFrom("second_factor").where("owner_id", "=", userId).execute();
  await trx.deleteFrom("backup_code").where("owner_id", "=", userId).execute();
  await trx.deleteFrom("sign_in_challenge").where("owner_id", "=", userId).execute();
  await endTrust(trx, { userId, except: undefined });
  await recordSecurityEvent(deps, trx, { ownerId: userId, event: "factor-removed", detail: change, origin });
  await reportChange(deps, trx, { userId, change, origin });
}

/** Mails the owner about a change of factors. */
export async function reportChange(
  { enqueueMail }: AuthDeps,
  trx: Trx,
  { userId, change, detail, origin }: Change & { detail?: string },
): Promise<void> {
  const user = await findAddress(trx, userId);
  if (!user) return;
  const browser = origin && browserName(origin.headers.get("user-agent"));
  await enqueueMail({ kind: "factor-changed", to: user.email, change, browser, ...(detail && { detail }) }, trx);
}

/** Gives the browser's session a new token; an app's session, whose token no one else has, stays as it is. `endOthersOf`: ends the others of this account. Returns the cookies to set. */
export async function renewOwnSession(
  deps: AuthDeps,
  trx: Trx,
  { origin, endOthersOf }: { origin: RequestOrigin; endOthersOf?: string },
): Promise<string[]> {
  const isApp = origin.appSessionId !== undefined;
  const before = isApp ? undefined : await readSessionToken(deps, origin.headers);
  const own = isApp ? (await findSessionById(trx, origin.appSessionId ?? ""))?.token : undefined;
  const token = before === undefined ? own : await renewSession(trx, before);
  if (endOthersOf !== undefined) await endSessions(trx, { userId: endOthersOf, keep: token });
  return token === undefined || isApp ? [] : [await sessionCookie(deps, token)];
}
