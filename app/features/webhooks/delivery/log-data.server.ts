import { webhookMessages } from "#app/features/webhooks/messages.ts";
import type { PageCursor } from "#app/services/base/page-cursor.ts";
import type { SecretBox } from "#app/services/base/secret-box.server.ts";
import { isAfterCursor } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

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

/**
 * Sends deliveries now, with their ids and all attempts: one, or all that failed since a time, those that wait for another attempt
 * included. Only while the endpoint is on, and nothing about a lead that is gone. Returns how many.
 */
export async function redeliver(
  db: Db,
  { ownerId, endpointId, now, ...which }: OwnEndpoint & { now: number } & ({ id: string } | { failedSince: number }),
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_delivery")
    .set({ state: "waiting", attempts: 0, first_attempt_at: null, next_attempt_at: now, leased_until: 0 })
    .where("owner_id", "=", ownerId)
    .where("endpoint_id", "=", endpointId)
    .where("is_test", "=", 0)
    .where((row) => row.or([row("kind", "<>", "lead.created"), row("lead_id", "<>", "")]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("webhook_endpoint")
          .select("webhook_endpoint.id")
          .where("webhook_endpoint.id", "=", endpointId)
          .where("is_on", "=", 1),
      ),
    )
    .where((row) =>
      row.or([
        row("state", "in", "id" in which ? ["delivered", "failed"] : ["failed"]),
        // Not one that a process is sending at this moment.
        row.and([row("state", "=", "waiting"), row("attempts", ">", 0), row("leased_until", "<=", now)]),
      ]),
    )
    .$if("id" in which, (query) => query.where("id", "=", "id" in which ? which.id : ""))
    .$if("failedSince" in which, (query) =>
      query.where("created_at", ">=", "failedSince" in which ? which.failedSince : 0),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
