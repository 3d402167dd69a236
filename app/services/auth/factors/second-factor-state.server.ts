import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { FactorChange } from "#app/services/auth/better-auth.server.ts";
import { forgetDevices, readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { renewOwnSession, reportChange } from "./factor-deps.server.ts";
import type { FactorDeps } from "./factor-deps.server.ts";

/** Whose factors a request changes. */
export type OwnChange = { userId: string; origin: RequestOrigin };

/** `codes`: the new backup codes, which are shown once. */
export type TurnedOn = { codes: string[] | undefined; cookies: string[] };

/** The row of an account's second factor. */
export function findSecondFactor(trx: Db | Trx, userId: string) {
  return trx.selectFrom("second_factor").selectAll().where("owner_id", "=", userId).executeTakeFirst();
}

/** Ends the account's other sessions and all trust: someone else may have a session, and none of them passed the second step. */
export async function turnOnSecondFactor(deps: FactorDeps, trx: Trx, { userId, origin }: OwnChange): Promise<TurnedOn> {
  await trx.updateTable("second_factor").set({ enabled_at: Date.now() }).where("owner_id", "=", userId).execute();
  const codes = await deps.backupCodes.replace(trx, userId);
  // A browser that signed in before has its own tries at a code; these signed in with less than that.
  await forgetDevices(trx, { userId, except: await readDeviceId(deps.auth, origin.headers) });
  await reportChange(deps, trx, { userId, change: "turned-on", origin });
  return { codes, cookies: await renewOwnSession({ auth: deps.auth, trx }, origin, userId) };
}

type Removed = { userId: string; origin: RequestOrigin | undefined; change: FactorChange };

/** Removes the app, the backup codes, waiting sign-ins and the trust in browsers. */
export async function removeSecondFactor(
  deps: FactorDeps,
  trx: Trx,
  { userId, origin, change }: Removed,
): Promise<void> {
  await trx.deleteFrom("second_factor").where("owner_id", "=", userId).execute();
  await trx.deleteFrom("backup_code").where("owner_id", "=", userId).execute();
  await trx.deleteFrom("sign_in_challenge").where("owner_id", "=", userId).execute();
  await trx.updateTable("known_device").set({ trusted_until: 0 }).where("owner_id", "=", userId).execute();
  await deps.securityEvents.record(trx, { ownerId: userId, event: "factor-removed", detail: change, origin });
  await reportChange(deps, trx, { userId, change, origin });
}
