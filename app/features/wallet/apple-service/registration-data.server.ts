import type { SelectQueryBuilder } from "kysely";

import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Schema } from "#app/services/database/schema.ts";
import type { Services } from "#app/services/http/context.ts";

import { schedulePassUpdates } from "../updates/update-data.server.ts";

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

/** The push token of a device that has the pass, and when it was last stored (epoch milliseconds). */
export async function findRegistration(
  db: Db,
  { deviceId, pass }: Omit<Registration, "pushToken">,
): Promise<{ pushToken: string; updatedAt: number } | undefined> {
  return db
    .selectFrom("wallet_registration")
    .innerJoin("wallet_device as device", "device.id", "wallet_registration.device_id")
    .select(["device.push_token as pushToken", "device.updated_at as updatedAt"])
    .where("device_id", "=", deviceId)
    .where("card_id", "=", pass.cardId)
    .executeTakeFirst();
}

/** More than a person adds to one phone, and than a business card is added to. */
const [maxPassesOfDevice, maxDevicesOfPass] = [200, 50_000];

/**
 * Stores that a device has the pass, and its current push token. "full": the device has too many passes, or the pass too many devices. The
 * file that was added may be an old one, so the device receives all changes since the pass was first made.
 */
export async function registerDevice(
  { db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">,
  { deviceId, pass: { cardId, ownerId, createdAt }, pushToken }: Registration,
): Promise<"added" | "known" | "full"> {
  const now = clock();
  return transact(db, async (trx) => {
    await lockPass(trx, cardId);
    const others = trx.selectFrom("wallet_registration").where("device_id", "!=", deviceId);
    if (await hasAtLeast(others.where("card_id", "=", cardId), maxDevicesOfPass)) return "full";
    // Locks the device too, so that the next count is exact.
    await trx
      .insertInto("wallet_device")
      .values({ id: deviceId, push_token: pushToken, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ push_token: pushToken, updated_at: now }))
      .execute();
    const ownOthers = trx
      .selectFrom("wallet_registration")
      .where("device_id", "=", deviceId)
      .where("card_id", "!=", cardId);
    if (await hasAtLeast(ownOthers, maxPassesOfDevice)) return "full";
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("wallet_registration")
      .values({ device_id: deviceId, card_id: cardId, created_at: now, pushed_until: createdAt })
      .onConflict((conflict) => conflict.columns(["device_id", "card_id"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return "known";
    // The owner may have deleted their account.
    await schedulePassUpdates({ jobs, clock }, trx, ownerId === "" ? { ownerId, cardIds: [cardId] } : { ownerId });
    return "added";
  });
}

/** Makes other registrations of this pass wait until the transaction ends. SQLite has no "for update". */
async function lockPass(trx: Trx, cardId: string): Promise<void> {
  await trx
    .updateTable("wallet_pass")
    .set((row) => ({ owner_id: row.ref("owner_id") }))
    .where("card_id", "=", cardId)
    .execute();
}

async function hasAtLeast(
  rows: SelectQueryBuilder<Schema, "wallet_registration", unknown>,
  count: number,
): Promise<boolean> {
  const row = await rows
    .select("device_id")
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return row !== undefined;
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
  db: Db,
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
  return { cardIds: rows.map(({ card_id }) => card_id), changedAt: last.changed_at };
}
