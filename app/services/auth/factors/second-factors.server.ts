import { endOtherSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import { reportChange } from "./factor-deps.server.ts";
import type { FactorDeps } from "./factor-deps.server.ts";
import { findSecondFactor, removeSecondFactor, turnOnSecondFactor } from "./second-factor-state.server.ts";
import type { OwnChange, TurnedOn } from "./second-factor-state.server.ts";

/** What an account asks for after the first proof. Times are epoch milliseconds. */
export type Factors = {
  /** Whether two-step verification is on. */
  isOn: boolean;
  hasApp: boolean;
  passkeyCount: number;
  /** How many backup codes were not used yet. */
  codesLeft: number;
};

export type SecondFactors = {
  findFactors(userId: string): Promise<Factors>;
  /** Turns on two-step verification with the account's passkeys. Undefined without one. */
  turnOnWithPasskeys(change: OwnChange): Promise<TurnedOn | undefined>;
  turnOff(change: OwnChange): Promise<void>;
  /** Replaces the backup codes. Undefined while two-step verification is off. */
  makeBackupCodes(change: OwnChange): Promise<string[] | undefined>;
  /**
   * For the operator: turns off two-step verification, removes passkeys and ends all sessions. Returns false if the account has neither
   * factors nor passkeys.
   */
  resetFactors(userId: string): Promise<boolean>;
};

export function createSecondFactors(deps: FactorDeps): SecondFactors {
  const { db, backupCodes, securityEvents } = deps;

  async function findFactors(userId: string): Promise<Factors> {
    const factor = await findSecondFactor(db, userId);
    const { count } = await db
      .selectFrom("passkey")
      .select((row) => row.fn.countAll<number | string>().as("count"))
      .where("owner_id", "=", userId)
      .executeTakeFirstOrThrow();
    return {
      isOn: Boolean(factor?.enabled_at),
      hasApp: Boolean(factor?.enabled_at && factor.totp_secret),
      passkeyCount: Number(count),
      codesLeft: factor?.enabled_at ? await backupCodes.count(db, userId) : 0,
    };
  }

  async function turnOnWithPasskeys({ userId, origin }: OwnChange) {
    return transact(db, async (trx) => {
      if (!(await lockUser(trx, userId))) return undefined;
      const passkey = await trx.selectFrom("passkey").select("id").where("owner_id", "=", userId).executeTakeFirst();
      const row = await findSecondFactor(trx, userId);
      if (!passkey || row?.enabled_at) return undefined;
      if (!row) await trx.insertInto("second_factor").values({ owner_id: userId }).execute();
      await securityEvents.record(trx, { ownerId: userId, event: "factor-added", detail: "passkeys", origin });
      return turnOnSecondFactor(deps, trx, { userId, origin });
    });
  }

  async function makeBackupCodes({ userId, origin }: OwnChange) {
    return transact(db, async (trx) => {
      if (!(await lockUser(trx, userId)) || !(await findSecondFactor(trx, userId))?.enabled_at) return undefined;
      const codes = await backupCodes.replace(trx, userId);
      await securityEvents.record(trx, { ownerId: userId, event: "backup-codes-made", origin });
      await reportChange(deps, trx, { userId, change: "codes-made", origin });
      return codes;
    });
  }

  return {
    findFactors,
    turnOnWithPasskeys,
    makeBackupCodes,
    turnOff: ({ userId, origin }) =>
      transact(db, async (trx) => {
        if (!(await lockUser(trx, userId)) || !(await findSecondFactor(trx, userId))?.enabled_at) return;
        await removeSecondFactor(deps, trx, { userId, origin, change: "turned-off" });
      }),
    resetFactors: (userId) =>
      transact(db, async (trx) => {
        if (!(await lockUser(trx, userId))) return false;
        const row = await findSecondFactor(trx, userId);
        const { numDeletedRows } = await trx
          .deleteFrom("passkey")
          .where("owner_id", "=", userId)
          .executeTakeFirstOrThrow();
        if (!row?.enabled_at && numDeletedRows === 0n) return false;
        await removeSecondFactor(deps, trx, { userId, origin: undefined, change: "reset" });
        await endOtherSessions(trx, { userId, keep: undefined });
        return true;
      }),
  };
}
