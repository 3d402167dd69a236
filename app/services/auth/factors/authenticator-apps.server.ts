import { endTrust, readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import { renewOwnSession, reportChange } from "./factor-deps.server.ts";
import type { FactorDeps } from "./factor-deps.server.ts";
import { findSecondFactor, turnOnSecondFactor } from "./second-factor-state.server.ts";
import type { OwnChange, TurnedOn } from "./second-factor-state.server.ts";
import { findTotpStep, newTotpSecret, totpUri } from "./totp.server.ts";

export type AuthenticatorApps = {
  /** Makes the key of an authenticator app that is to be set up. */
  startApp(userId: string): Promise<void>;
  /** The key that was made, as text and for a QR code. */
  findPendingApp(user: { id: string; email: string }): Promise<{ secret: string; uri: string } | undefined>;
  /**
   * Turns on two-step verification, or replaces the app, once the app shows the right code; undefined for a wrong one. The caller counts
   * attempts first.
   */
  confirmApp(change: OwnChange & { code: string }): Promise<TurnedOn | undefined>;
};

export function createAuthenticatorApps(deps: FactorDeps): AuthenticatorApps {
  const { db, secretBox, securityEvents } = deps;

  async function startApp(userId: string) {
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

  async function findPendingApp({ id, email }: { id: string; email: string }) {
    const stored = (await findSecondFactor(db, id))?.pending_secret;
    if (!stored) return undefined;
    const secret = secretBox.decrypt(stored, id);
    return { secret, uri: totpUri({ secret, email, host: new URL(deps.baseUrl).host }) };
  }

  async function confirmApp({ userId, code, origin }: OwnChange & { code: string }) {
    return transact(db, async (trx) => {
      if (!(await lockUser(trx, userId))) return undefined;
      const row = await findSecondFactor(trx, userId);
      if (!row?.pending_secret) return undefined;
      const step = findTotpStep({ secret: secretBox.decrypt(row.pending_secret, userId), code, after: 0 });
      if (step === undefined) return undefined;
      await trx
        .updateTable("second_factor")
        .set({ totp_secret: row.pending_secret, pending_secret: null, totp_step: step })
        .where("owner_id", "=", userId)
        .execute();
      await securityEvents.record(trx, { ownerId: userId, event: "factor-added", detail: "app", origin });
      return row.enabled_at ? replaceApp(trx, { userId, origin }) : turnOnSecondFactor(deps, trx, { userId, origin });
    });
  }

  async function replaceApp(trx: Trx, { userId, origin }: OwnChange): Promise<TurnedOn> {
    await reportChange(deps, trx, { userId, change: "app-replaced", origin });
    // The old app may be on a lost phone, whose browser may be trusted.
    await endTrust(trx, { userId, except: await readDeviceId(deps.auth, origin.headers) });
    return { codes: undefined, cookies: await renewOwnSession({ auth: deps.auth, trx }, origin) };
  }

  return { startApp, findPendingApp, confirmApp };
}
