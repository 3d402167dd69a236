import { endPause, lockEndpoint } from "#app/features/webhooks/data.server.ts";
import { webhookMessages } from "#app/features/webhooks/messages.ts";
import { maxWaiting } from "#app/features/webhooks/rules.ts";
import type { PageCursor } from "#app/services/base/page-cursor.ts";
import type { SecretBox } from "#app/services/base/secret-box.server.ts";
import { isAfterCursor, transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { countWaiting } from "./delivery-data.server.ts";
import type { DeliveryRow } from "./delivery-data.server.ts";

type OwnEndpoint = { ownerId: string; endpointId: string };
type LogPage = OwnEndpoint & { onlyFailed: boolean; before: PageCursor | undefined; limit: number };

/** Deliveries of an endpoint, the newest first; `before` is the last one of the page before. */
export async function listDeliveries(
  db: Db,
  { ownerId, endpointId, onlyFailed, before, limit }: LogPage,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("endpoint_id", "=", endpointId)
    .where("owner_id", "=", ownerId)
    .$if(onlyFailed, (query) => query.where("state", "=", "failed"))
    .where(isAfterCursor(before))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export type LoggedAttempt = {
  id: string;
  startedAt: number;
  signature: string;
  status: number | null;
  problem: string;
  answer: string;
  durationMs: number;
};

/** An owner's delivery with its attempts, the newest first. */
export async function findDelivery(
  db: Db,
  { ownerId, endpointId, id, box }: OwnEndpoint & { id: string; box: SecretBox },
): Promise<{ delivery: DeliveryRow; attempts: LoggedAttempt[] } | undefined> {
  const delivery = await db
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("id", "=", id)
    .where("endpoint_id", "=", endpointId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (!delivery) return undefined;
  const rows = await db
    .selectFrom("webhook_attempt")
    .selectAll()
    .where("delivery_id", "=", id)
    .orderBy("started_at", "desc")
    .execute();
  const attempts = rows.map(({ answer, ...row }) => ({
    id: row.id,
    startedAt: row.started_at,
    signature: row.signature,
    status: row.status,
    problem: row.problem,
    answer: answer && (box.read(answer, ownerId) ?? webhookMessages.unreadable.answer),
    durationMs: row.duration_ms,
  }));
  return { delivery, attempts };
}

type Redelivery = OwnEndpoint & { now: number } & ({ id: string } | { failedSince: number });

/**
 * Sends deliveries now, with their ids and all attempts: one, or all that failed since a time, those that wait for another attempt
 * included. Only while the endpoint is on, nothing about a lead that is gone, and no more than may wait. Returns how many are sent, and how
 * many that failed aren't.
 */
export async function redeliver(db: Db, request: Redelivery): Promise<{ count: number; left: number }> {
  const { ownerId, endpointId, now } = request;
  return transact(db, async (trx) => {
    if ((await lockEndpoint(trx, { id: endpointId, ownerId }))?.is_on !== 1) return { count: 0, left: 0 };
    const states = "id" in request ? ["delivered", "failed"] : ["failed"];
    const ended = trx
      .selectFrom("webhook_delivery")
      .where("endpoint_id", "=", endpointId)
      .where("is_test", "=", 0)
      .where("state", "in", states)
      .where((row) => row.or([row("kind", "<>", "lead.created"), row("lead_id", "<>", "")]))
      .where((row) => ("id" in request ? row("id", "=", request.id) : row("created_at", ">=", request.failedSince)));
    const room = "id" in request ? 1 : Math.max(0, maxWaiting - (await countWaiting(trx, endpointId)));
    const { numUpdatedRows } = await trx
      .updateTable("webhook_delivery")
      .set({ state: "waiting", attempts: 0, first_attempt_at: null, next_attempt_at: now, leased_until: 0 })
      .where("endpoint_id", "=", endpointId)
      .where((row) => ("id" in request ? row("id", "=", request.id) : row("created_at", ">=", request.failedSince)))
      .where((row) =>
        row.or([
          row("id", "in", ended.select("id").orderBy("created_at").limit(room)),
          // Not one that a process is sending at this moment.
          row.and([row("state", "=", "waiting"), row("attempts", ">", 0), row("leased_until", "<=", now)]),
        ]),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await endPause(trx, endpointId);
    const { left } = await ended.select((row) => row.fn.countAll<number>().as("left")).executeTakeFirstOrThrow();
    return { count: Number(numUpdatedRows), left };
  });
}
