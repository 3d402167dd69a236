import { randomBytes } from "node:crypto";

import type { Selectable } from "kysely";

import { lockEndpoint } from "#app/features/webhooks/data.server.ts";
import { readKinds } from "#app/features/webhooks/endpoint-row.server.ts";
import type { StoredEvent } from "#app/features/webhooks/event-content.server.ts";
import { collectMs } from "#app/features/webhooks/rules.ts";
import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { WebhookDeliveryTable } from "#app/services/database/webhook-schema.ts";

export type DeliveryRow = Selectable<WebhookDeliveryTable>;

/** A `webhook-id`. Without a full stop, which separates what is signed. */
export function createDeliveryId(): string {
  return `msg_${randomBytes(18).toString("base64url")}`;
}

/** Adds a delivery for each endpoint of the owner that gets this kind of event. The endpoints are locked: none is deleted meanwhile. */
export async function addDeliveries(
  trx: Trx,
  event: StoredEvent,
  { happenedAt, now }: { happenedAt: number; now: number },
): Promise<void> {
  const endpoints = await trx
    .selectFrom("webhook_endpoint")
    .select(["id", "kinds"])
    .where("owner_id", "=", event.ownerId)
    .where("is_on", "=", 1)
    .orderBy("id")
    .execute();
  for (const { id, kinds } of endpoints) {
    if (!readKinds(kinds).includes(event.kind)) continue;
    if ((await lockEndpoint(trx, { id }))?.is_on !== 1) continue;
    const isCollected = event.kind === "contact.saved";
    if (isCollected && (await addToWaiting(trx, event, { endpointId: id, now }))) continue;
    await trx
      .insertInto("webhook_delivery")
      .values({
        id: createDeliveryId(),
        endpoint_id: id,
        owner_id: event.ownerId,
        kind: event.kind,
        content: JSON.stringify(event.content),
        lead_id: event.leadId,
        card_id: event.cardId,
        count: event.count,
        state: "waiting",
        next_attempt_at: isCollected ? now + collectMs : now,
        happened_at: happenedAt,
        created_at: now,
      })
      .execute();
  }
}

/** Counts contacts in the delivery that collects them. False when none does. */
async function addToWaiting(
  trx: Trx,
  event: StoredEvent,
  { endpointId, now }: { endpointId: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("webhook_delivery")
    .set((row) => ({ count: row("count", "+", event.count) }))
    .where("endpoint_id", "=", endpointId)
    .where("card_id", "=", event.cardId)
    .where("kind", "=", event.kind)
    .where("content", "=", JSON.stringify(event.content))
    .where("is_test", "=", 0)
    .where("first_attempt_at", "is", null)
    .where("next_attempt_at", ">", now)
    .where("leased_until", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type DueOptions = {
  now: number;
  /** Endpoints and owners that have as many connections as they may. */
  busy: { endpoints: readonly string[]; owners: readonly string[] };
  /** Whether endpoints that fail or take long may get one more connection. */
  allowsSlow: boolean;
};

/** Deliveries whose time has come and that no process sends, the oldest first. With those of endpoints that were switched off while a process sent them. */
export async function listDue(db: Db, { now, busy, allowsSlow }: DueOptions) {
  return db
    .selectFrom("webhook_delivery")
    .innerJoin("webhook_endpoint", "webhook_endpoint.id", "webhook_delivery.endpoint_id")
    .select(["webhook_delivery.id", "endpoint_id", "webhook_delivery.owner_id", "is_slow"])
    .where("next_attempt_at", "<=", now)
    .where("leased_until", "<=", now)
    .where(isNotBlocked("webhook_endpoint.owner_id"))
    .$if(busy.endpoints.length > 0, (query) => query.where("endpoint_id", "not in", busy.endpoints))
    .$if(busy.owners.length > 0, (query) => query.where("webhook_delivery.owner_id", "not in", busy.owners))
    .$if(!allowsSlow, (query) => query.where("is_slow", "=", 0))
    .orderBy("next_attempt_at")
    .limit(dueAtOnce)
    .execute();
}

export const dueAtOnce = 100;

/** Longer than the time limit of a request and the time to store its answer. */
const leaseMs = 60_000;

/**
 * Takes a delivery to send it; undefined when another process was faster. When this process is killed, another one sends it again after the
 * lease, with the same id. The clocks of the processes must differ by less than the lease.
 */
export async function claimDelivery(
  db: Db,
  { id, now }: { id: string; now: number },
): Promise<DeliveryRow | undefined> {
  return db
    .updateTable("webhook_delivery")
    .set({ leased_until: now + leaseMs })
    .where("id", "=", id)
    .where("next_attempt_at", "<=", now)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Puts a claimed delivery off without an attempt. */
export async function postpone(db: Db, { id, leased_until }: DeliveryRow, until: number): Promise<void> {
  await db
    .updateTable("webhook_delivery")
    .set({ leased_until: 0, next_attempt_at: until })
    .where("id", "=", id)
    .where("leased_until", "=", leased_until)
    .execute();
}

/** Ends a claimed delivery without an attempt. */
export async function giveUp(db: Db, { id, leased_until }: DeliveryRow): Promise<void> {
  await db
    .updateTable("webhook_delivery")
    .set({ state: "failed", leased_until: 0, next_attempt_at: null })
    .where("id", "=", id)
    .where("leased_until", "=", leased_until)
    .execute();
}

/** Removes all about a lead: deliveries that wait aren't sent, and no answer that may repeat its details stays. */
export async function forgetLeads(
  trx: Trx,
  leads: { ownerId: string; leadId: string } | { ownerId: string; cardId: string },
): Promise<void> {
  const rows = await trx
    .updateTable("webhook_delivery")
    .set({ leased_until: 0, next_attempt_at: null, lead_id: "" })
    .where("owner_id", "=", leads.ownerId)
    .where("kind", "=", "lead.created")
    .where("lead_id", "<>", "")
    .$if("leadId" in leads, (query) => query.where("lead_id", "=", "leadId" in leads ? leads.leadId : ""))
    .$if("cardId" in leads, (query) => query.where("card_id", "=", "cardId" in leads ? leads.cardId : ""))
    .returning("id")
    .execute();
  for (let at = 0; at < rows.length; at += 100) {
    const ids = rows.slice(at, at + 100).map(({ id }) => id);
    await trx
      .updateTable("webhook_delivery")
      .set({ state: "dropped" })
      .where("id", "in", ids)
      .where("state", "=", "waiting")
      .execute();
    await trx.updateTable("webhook_attempt").set({ answer: "" }).where("delivery_id", "in", ids).execute();
  }
}

const dayMs = 24 * 3_600_000;

/**
 * Deletes deliveries from the log that began before `time`. One that waits is deleted two days later: it may have been sent again by hand on
 * its last day. Those of a blocked account would wait for ever.
 */
export async function deleteOldDeliveries(db: Db, time: number): Promise<number> {
  for (let deleted = 0; ;) {
    const rows = await db
      .selectFrom("webhook_delivery")
      .select("id")
      .where("created_at", "<", time)
      .where((row) => row.or([row("next_attempt_at", "is", null), row("created_at", "<", time - 2 * dayMs)]))
      .limit(500)
      .execute();
    if (rows.length === 0) return deleted;
    const ids = rows.map(({ id }) => id);
    await db.deleteFrom("webhook_attempt").where("delivery_id", "in", ids).execute();
    await db.deleteFrom("webhook_delivery").where("id", "in", ids).execute();
    deleted += rows.length;
  }
}
