import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** The passes of an update, as they were read when it started. */
export async function takePasses(db: Db, cardIds: readonly string[]) {
  return (
    db
      .updateTable("wallet_pass")
      // Before anything is read: a save from now on schedules another update.
      .set({ update_due_at: null })
      .where("card_id", "in", cardIds)
      .returning(["card_id as cardId", "owner_id as ownerId"])
      .execute()
  );
}

export type WaitingDevice = { pushToken: string; deviceId: string; cardId: string; changedAt: number };

export type WaitingDevicesQuery = {
  cardIds: readonly string[];
  /** Only these devices, and changes up to this time (epoch milliseconds). */
  only?: { deviceIds: readonly string[]; changedUntil: number } | undefined;
  after: string;
  limit: number;
};

/** Devices that don't know about the last change of one of these passes, by push token, after the token `after`. */
export async function listWaitingDevices(
  db: Db,
  { cardIds, only, after, limit }: WaitingDevicesQuery,
): Promise<WaitingDevice[]> {
  const rows = db
    .selectFrom("wallet_registration as registration")
    .innerJoin("wallet_pass as pass", "pass.card_id", "registration.card_id")
    .innerJoin("wallet_device as device", "device.id", "registration.device_id")
    .select(["device.push_token as pushToken", "device.id as deviceId"])
    .select(["pass.card_id as cardId", "pass.changed_at as changedAt"])
    .where("registration.card_id", "in", cardIds)
    .whereRef("registration.pushed_until", "<", "pass.changed_at")
    .where("device.push_token", ">", after)
    .orderBy("device.push_token")
    .limit(limit);
  if (!only) return rows.execute();
  return rows.where("device.id", "in", only.deviceIds).where("pass.changed_at", "<=", only.changedUntil).execute();
}

/** These devices were notified of the change that was read with them. */
export async function saveNotified(db: Db, devices: readonly WaitingDevice[]): Promise<void> {
  const byChange = Map.groupBy(devices, ({ cardId, changedAt }) => `${cardId} ${changedAt}`);
  await transact(db, async (trx) => {
    for (const [first, ...others] of byChange.values()) {
      if (!first) continue;
      const { cardId, changedAt } = first;
      await trx
        .updateTable("wallet_registration")
        .set({ pushed_until: changedAt })
        .where("card_id", "=", cardId)
        .where(
          "device_id",
          "in",
          [first, ...others].map(({ deviceId }) => deviceId),
        )
        .where("pushed_until", "<", changedAt)
        .execute();
    }
  });
}

/** Removes a token that is no longer valid since `before` (epoch milliseconds), unless its device has registered again after that. */
export async function removeToken(db: Db, { pushToken, before }: { pushToken: string; before: number }): Promise<void> {
  await transact(db, async (trx) => {
    const removed = await trx
      .deleteFrom("wallet_device")
      .where("push_token", "=", pushToken)
      .where("updated_at", "<=", before)
      .returning("id")
      .execute();
    if (removed.length === 0) return;
    const ids = removed.map(({ id }) => id);
    await trx.deleteFrom("wallet_registration").where("device_id", "in", ids).execute();
  });
}

/** What the owner sees about the last update. Undefined leaves the last one. */
export async function saveOutcome(
  db: Db,
  { cardIds, pushedAt, error }: { cardIds: readonly string[]; pushedAt: number | undefined; error: string | undefined },
): Promise<void> {
  await db
    .updateTable("wallet_pass")
    .set({ ...(error !== undefined && { push_error: error }), ...(pushedAt !== undefined && { pushed_at: pushedAt }) })
    .where("card_id", "in", cardIds)
    .execute();
}

/** Notes that the same job goes on later, so that saves until then need no other. Returns the passes that no other job has by now. */
export async function postponeUpdate(
  db: Db,
  { cardIds, runAt }: { cardIds: readonly string[]; runAt: number },
): Promise<string[]> {
  const rows = await db
    .updateTable("wallet_pass")
    .set({ update_due_at: runAt })
    .where("card_id", "in", cardIds)
    .where("update_due_at", "is", null)
    .returning("card_id")
    .execute();
  return rows.map(({ card_id }) => card_id);
}
