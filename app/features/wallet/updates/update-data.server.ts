import { z } from "zod";

import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

export const passUpdateJob = "wallet-pass-update";

/** Saves within this time make one update. */
const collectMs = 5_000;

/** All passes of an account; `cardIds` those of one that is deleted. */
export const updatedPasses = z.object({ ownerId: z.string(), cardIds: z.array(z.string()).optional() });
type UpdatedPasses = z.infer<typeof updatedPasses>;

/** Schedules the job that makes these passes current and tells their devices, unless it waits already or no device has one of them. */
export async function schedulePassUpdates(
  { jobs, clock }: Pick<Services, "jobs" | "clock">,
  trx: Trx,
  which: UpdatedPasses,
): Promise<void> {
  const [first] = await listPassesOnDevices(trx, which);
  if (!first) return;
  const key = which.cardIds ? first.cardId : which.ownerId;
  await jobs.schedule(trx, { kind: passUpdateJob, key, payload: { ...which, tries: 0 }, runAt: clock() + collectMs });
}

/** Passes that a device has. */
export async function listPassesOnDevices(db: Db | Trx, { ownerId, cardIds }: UpdatedPasses) {
  const passes = db
    .selectFrom("wallet_pass")
    .select(["card_id as cardId", "owner_id as ownerId"])
    .where("card_id", "in", db.selectFrom("wallet_registration").select("card_id"));
  return (cardIds ? passes.where("card_id", "in", cardIds) : passes.where("owner_id", "=", ownerId)).execute();
}

export type WaitingDevice = { pushToken: string; deviceId: string; cardId: string; changedAt: number };

export type WaitingDevicesQuery = {
  cardIds: readonly string[];
  /** Only changes up to this time (epoch milliseconds). */
  changedUntil?: number | undefined;
  after: string;
  limit: number;
};

/** Devices that don't know about the last change of one of these passes, by push token, after the token `after`. */
export async function listWaitingDevices(
  db: Db,
  { cardIds, changedUntil, after, limit }: WaitingDevicesQuery,
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
  return (changedUntil === undefined ? rows : rows.where("pass.changed_at", "<=", changedUntil)).execute();
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

/** What the owner sees about the last update. Without a time, the last one stays. */
export async function saveOutcome(
  db: Db,
  { cardIds, pushedAt, error }: { cardIds: readonly string[]; pushedAt: number | undefined; error: string },
): Promise<void> {
  await db
    .updateTable("wallet_pass")
    .set({ push_error: error, ...(pushedAt !== undefined && { pushed_at: pushedAt }) })
    .where("card_id", "in", cardIds)
    .execute();
}
