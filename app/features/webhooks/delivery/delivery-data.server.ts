import { randomBytes } from "node:crypto";

import { sql } from "kysely";
import type { Selectable, Updateable } from "kysely";

import { lockEndpoint } from "#app/features/webhooks/data.server.ts";
import { readKinds } from "#app/features/webhooks/endpoint-row.server.ts";
import type { EndpointRow } from "#app/features/webhooks/endpoint-row.server.ts";
import type { StoredEvent } from "#app/features/webhooks/event-content.server.ts";
import { collectMs, logMs, maxUnanswered, maxWaiting } from "#app/features/webhooks/rules.ts";
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
    const endpoint = await lockEndpoint(trx, { id });
    if (endpoint?.is_on !== 1) continue;
    const isCollected = event.kind === "contact.saved";
    if (isCollected && (await addToWaiting(trx, event, { endpointId: id, now }))) continue;
    // Servers must learn that a visitor withdrew.
    if (event.kind !== "consent.withdrawn" && (await countWaiting(trx, id)) >= maxWaiting) {
      await countLeftOut(trx, endpoint, now);
      continue;
    }
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

/** How many deliveries wait for an endpoint, those that are being sent included. */
export async function countWaiting(db: Db | Trx, endpointId: string): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_delivery")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("endpoint_id", "=", endpointId)
    .where("next_attempt_at", "is not", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts a message that isn't stored, for as long as the log goes back. The caller has locked the endpoint. */
async function countLeftOut(trx: Trx, { id, left_out, left_out_at }: EndpointRow, now: number): Promise<void> {
  await trx
    .updateTable("webhook_endpoint")
    .set({ left_out: (left_out_at > now - logMs ? left_out : 0) + 1, left_out_at: now })
    .where("id", "=", id)
    .execute();
}

export type DueDelivery = {
  id: string;
  endpointId: string;
  ownerId: string;
  isSlow: 0 | 1;
  unanswered: number;
  attempts: number;
};

/**
 * Of each endpoint that may be tried, the oldest delivery whose time has come and that no process sends; the oldest first. With those of
 * endpoints that were switched off while a process sent them. Reads one index entry for each endpoint with deliveries that wait ("loose
 * index scan"), and not all deliveries: one owner may have thousands.
 */
export async function listDue(db: Db, now: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with recursive waiting (endpoint_id) as (
      select min(endpoint_id) from webhook_delivery where next_attempt_at is not null
      union all
      select (select min(endpoint_id) from webhook_delivery
        where next_attempt_at is not null and endpoint_id > waiting.endpoint_id)
      from waiting where waiting.endpoint_id is not null
    )
    select webhook_delivery.id, webhook_endpoint.id as "endpointId", webhook_endpoint.owner_id as "ownerId",
      is_slow as "isSlow", unanswered, attempts
    from waiting
    join webhook_endpoint on webhook_endpoint.id = waiting.endpoint_id
    join webhook_delivery on webhook_delivery.id = (
      select id from webhook_delivery as due
      where due.endpoint_id = waiting.endpoint_id and due.next_attempt_at <= ${now} and due.leased_until <= ${now}
      order by due.next_attempt_at limit 1)
    where paused_until <= ${now} and ${isNotBlocked("webhook_endpoint.owner_id")}
    order by webhook_delivery.next_attempt_at`.execute(db);
  return rows;
}

/** Longer than the time limit of a request and the time to store its answer. */
const leaseMs = 60_000;

/**
 * Takes a delivery to send it; undefined when another process was faster. When this process is killed, another one sends it again after the
 * lease, with the same id. The clocks of the processes must differ by less than the lease.
 */
export async function claimDelivery(
  db: Db,
  { id, endpointId, unanswered }: DueDelivery,
  now: number,
): Promise<DeliveryRow | undefined> {
  if (unanswered >= maxUnanswered && !(await claimProbe(db, { endpointId, now }))) return undefined;
  return db
    .updateTable("webhook_delivery")
    .set({ leased_until: now + leaseMs })
    .where("id", "=", id)
    .where("next_attempt_at", "<=", now)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Of an endpoint that doesn't answer, one process tries one message: storing the attempt sets when the next one is. */
async function claimProbe(db: Db, { endpointId, now }: { endpointId: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_endpoint")
    .set({ paused_until: now + leaseMs })
    .where("id", "=", endpointId)
    .where("paused_until", "<=", now)
    // Another process may just have had an answer: then nothing would end the pause.
    .where("unanswered", ">=", maxUnanswered)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Changes a claimed delivery and ends the lease. False when it isn't this process's anymore: the lease ended, or the lead was erased. */
export async function releaseDelivery(
  db: Db | Trx,
  { id, leased_until }: DeliveryRow,
  change: Updateable<WebhookDeliveryTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_delivery")
    .set({ ...change, leased_until: 0 })
    .where("id", "=", id)
    .where("leased_until", "=", leased_until)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
