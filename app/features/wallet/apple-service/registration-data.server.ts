import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { schedulePassUpdates } from "../updates/schedule-data.server.ts";

/** An issued pass, as the update service needs it. */
export type ServedPass = { cardId: string; ownerId: string; tokenHash: string; createdAt: number };

export async function findServedPass(db: Db, cardId: string): Promise<ServedPass | undefined> {
  return db
    .selectFrom("wallet_pass")
    .select(["card_id as cardId", "owner_id as ownerId", "token_hash as tokenHash", "created_at as createdAt"])
    .where("card_id", "=", cardId)
    .executeTakeFirst();
}

type Registration = { deviceId: string; pass: ServedPass; pushToken: string };

export async function isRegistered(db: Db, { deviceId, pass }: Omit<Registration, "pushToken">): Promise<boolean> {
  const row = await db
    .selectFrom("wallet_registration")
    .select("device_id")
    .where("device_id", "=", deviceId)
    .where("card_id", "=", pass.cardId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores that a device has the pass, and its current push token. Returns false when it was registered before. The file that was added
 * may be an old one, so the device hears about all changes since the pass was first made.
 */
export async function registerDevice(
  { db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">,
  { deviceId, pass: { cardId, createdAt }, pushToken }: Registration,
): Promise<boolean> {
  const now = clock();
  return transact(db, async (trx) => {
    await trx
      .insertInto("wallet_device")
      .values({ id: deviceId, push_token: pushToken, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ push_token: pushToken, updated_at: now }))
      .execute();
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("wallet_registration")
      .values({ device_id: deviceId, card_id: cardId, created_at: now, pushed_until: createdAt })
      .onConflict((conflict) => conflict.columns(["device_id", "card_id"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return false;
    await schedulePassUpdates({ jobs, clock }, trx, { cardId });
    return true;
  });
}

/** Does nothing when the device isn't registered. */
export async function unregisterDevice(
  db: Db,
  { deviceId, pass }: { deviceId: string; pass: ServedPass },
): Promise<void> {
  await transact(db, async (trx) => {
    await trx
      .deleteFrom("wallet_registration")
      .where("device_id", "=", deviceId)
      .where("card_id", "=", pass.cardId)
      .execute();
    await trx
      .deleteFrom("wallet_device")
      .where("id", "=", deviceId)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("wallet_registration").select("device_id").where("device_id", "=", deviceId))),
      )
      .execute();
  });
}

type ChangedPasses = { cardIds: string[]; changedAt: number };

/** The passes of a device that changed after `since` (as in `changed_at`), and when the last of them did. */
export async function listChangedPasses(
  { db, clock }: Pick<Services, "db" | "clock">,
  { deviceId, since }: { deviceId: string; since: number },
): Promise<ChangedPasses | undefined> {
  const rows = await db
    .selectFrom("wallet_registration")
    .innerJoin("wallet_pass", "wallet_pass.card_id", "wallet_registration.card_id")
    .select(["wallet_pass.card_id", "changed_at"])
    .where("device_id", "=", deviceId)
    .where("changed_at", ">", since)
    .orderBy("changed_at")
    .execute();
  const last = rows.at(-1);
  if (!last) return undefined;
  const cardIds = rows.map(({ card_id }) => card_id);
  await db
    .updateTable("wallet_registration")
    .set({ loaded_at: clock() })
    .where("device_id", "=", deviceId)
    .where("card_id", "in", cardIds)
    .execute();
  return { cardIds, changedAt: last.changed_at };
}
