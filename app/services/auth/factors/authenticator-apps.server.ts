import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { endTrust, readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import { findSecondFactor, renewOwnSession, reportChange, turnOnSecondFactor } from "./second-factor-state.server.ts";
import type { OwnChange, TurnedOn } from "./second-factor-state.server.ts";
import { findTotpStep, newTotpSecret, totpUri } from "./totp.server.ts";

/** Makes the key of an authenticator app that is to be set up. */
export async function startApp({ db, secretBox }: AuthDeps, userId: string): Promise<void> {
  const pending_secret = secretBox.encrypt(newTotpSecret(), userId);
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, userId))) return;
    await trx
      .insertInto("second_factor")
      .values({ owner_id: userId, pending_secret })
      .onConflict((conflict) => conflict.column("owner_id").doUpdateSet({ pending_secret }))
      .execute();
  });
}

/** The key that was made, as text and for a QR code. */
export async function findPendingApp(
  { db, secretBox, baseUrl }: AuthDeps,
  { id, email }: { id: string; email: string },
): Promise<{ secret: string; uri: string } | undefined> {
  const stored = (await findSecondFactor(db, id))?.pending_secret;
  if (!stored) return undefined;
  const secret = secretBox.decrypt(stored, id);
  return { secret, uri: totpUri({ secret, email, host: new URL(baseUrl).host }) };
}

/**
 * Turns on two-step verification, or replaces the app, once the app shows the right code; undefined for a wrong one. The caller counts
 * attempts first.
 */
export function confirmApp(
  deps: AuthDeps,
  { userId, code, origin }: OwnChange & { code: string },
): Promise<TurnedOn | undefined> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId))) return undefined;
    const row = await findSecondFactor(trx, userId);
    if (!row?.pending_secret) return undefined;
    const step = findTotpStep({ secret: deps.secretBox.decrypt(row.pending_secret, userId), code, after: 0 });
    if (step === undefined) return undefined;
    await trx
      .updateTable("second_factor")
      .set({ totp_secret: row.pending_secret, pending_secret: null, totp_step: step })
      .where("owner_id", "=", userId)
      .execute();
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "factor-added", detail: "app", origin });
    return (row.enabled_at ? replaceApp : turnOnSecondFactor)(deps, trx, { userId, origin });
  });
}

async function replaceApp(deps: AuthDeps, trx: Trx, { userId, origin }: OwnChange): Promise<TurnedOn> {
  await reportChange(deps, trx, { userId, change: "app-replaced", origin });
  // The old app may be on a lost phone, whose browser may be trusted.
  await endTrust(trx, { userId, except: readDeviceId(deps, origin.headers) });
  return { codes: undefined, cookies: await renewOwnSession(deps, trx, { origin }) };
}
