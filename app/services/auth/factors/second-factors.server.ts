import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { endSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import { countBackupCodes, replaceBackupCodes } from "./backup-codes.server.ts";
import {
  findSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
  reportChange,
  turnOnSecondFactor,
} from "./second-factor-state.server.ts";
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

export async function findFactors({ db }: AuthDeps, userId: string): Promise<Factors> {
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
    codesLeft: factor?.enabled_at ? await countBackupCodes(db, userId) : 0,
  };
}

/** Turns on two-step verification with the account's passkeys. Undefined without one. */
export function turnOnWithPasskeys(deps: AuthDeps, { userId, origin }: OwnChange): Promise<TurnedOn | undefined> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId))) return undefined;
    const passkey = await trx.selectFrom("passkey").select("id").where("owner_id", "=", userId).executeTakeFirst();
    const row = await findSecondFactor(trx, userId);
    if (!passkey || row?.enabled_at) return undefined;
    if (!row) await trx.insertInto("second_factor").values({ owner_id: userId }).execute();
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "factor-added", detail: "passkeys", origin });
    return turnOnSecondFactor(deps, trx, { userId, origin });
  });
}

export function turnOff(deps: AuthDeps, { userId, origin }: OwnChange): Promise<void> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId)) || !(await hasSecondFactor(trx, userId))) return;
    await removeSecondFactor(deps, trx, { userId, origin, change: "turned-off" });
  });
}

/** Replaces the backup codes. Undefined while two-step verification is off. */
export function makeBackupCodes(deps: AuthDeps, { userId, origin }: OwnChange): Promise<string[] | undefined> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId)) || !(await hasSecondFactor(trx, userId))) return undefined;
    const codes = await replaceBackupCodes(deps, trx, userId);
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "backup-codes-made", origin });
    await reportChange(deps, trx, { userId, change: "codes-made", origin });
    return codes;
  });
}

/**
 * For the operator: turns off two-step verification, removes passkeys and ends all sessions. Returns false if the account has neither
 * factors nor passkeys.
 */
export function resetFactors(deps: AuthDeps, userId: string): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId))) return false;
    const isOn = await hasSecondFactor(trx, userId);
    const { numDeletedRows } = await trx.deleteFrom("passkey").where("owner_id", "=", userId).executeTakeFirstOrThrow();
    if (!isOn && numDeletedRows === 0n) return false;
    await removeSecondFactor(deps, trx, { userId, origin: undefined, change: "reset" });
    await endSessions(trx, { userId, keep: undefined });
    return true;
  });
}

/** A browser that needs no second factor until `until` (epoch milliseconds). */
export type TrustedBrowser = { id: string; browser: string; seenAt: number; until: number };

export async function listTrustedBrowsers({ db }: AuthDeps, userId: string): Promise<TrustedBrowser[]> {
  const rows = await db
    .selectFrom("known_device")
    .selectAll()
    .where("owner_id", "=", userId)
    .where("trusted_until", ">", Date.now())
    .orderBy("seen_at", "desc")
    .execute();
  // A hash of the cookie's token, which can't be used in its place.
  return rows.map(({ token_hash, browser, seen_at, trusted_until }) => ({
    id: token_hash,
    browser,
    seenAt: seen_at,
    until: trusted_until,
  }));
}

/** From now on the browser is asked for a second factor again; without an id, all are. */
export async function untrustBrowsers(
  { db }: AuthDeps,
  { userId, id }: { userId: string; id?: string },
): Promise<void> {
  const update = db.updateTable("known_device").set({ trusted_until: 0 }).where("owner_id", "=", userId);
  await (id === undefined ? update : update.where("token_hash", "=", id)).execute();
}
