import { randomUUID } from "node:crypto";

import type { RequestOrigin, SecurityEventKind } from "#app/services/auth/audit/security-events.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { createSecret } from "./delivery/signature.ts";
import { hostOf, toEndpoint, webhookBox } from "./endpoint-row.server.ts";
import type { Endpoint, EndpointRow, OffReason } from "./endpoint-row.server.ts";
import { maxEndpoints, oldSecretMs } from "./rules.ts";
import type { WebhookKind } from "./rules.ts";

type Deps = Pick<Services, "db" | "auth" | "secretBox" | "clock">;
type OwnEndpoint = { ownerId: string; id: string };
/** A change that the security log names. */
type OwnChange = OwnEndpoint & { origin: RequestOrigin };

/** An owner's endpoints, the oldest first. */
export async function listEndpoints(
  { db, secretBox, clock }: Omit<Deps, "auth">,
  ownerId: string,
): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const box = webhookBox({ secretBox });
  return rows.map((row) => toEndpoint(row, { box, now: clock() }));
}

export async function findEndpoint(
  { db, secretBox, clock }: Omit<Deps, "auth">,
  own: OwnEndpoint,
): Promise<Endpoint | undefined> {
  const row = await findRow(db, own);
  return row && toEndpoint(row, { box: webhookBox({ secretBox }), now: clock() });
}

async function findRow(db: Db | Trx, { ownerId, id }: OwnEndpoint): Promise<EndpointRow | undefined> {
  return db
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
}

type NewEndpoint = { ownerId: string; url: string; kinds: readonly WebhookKind[]; origin: RequestOrigin };

/**
 * Adds an endpoint, which is on, and slow until it has answered: no one can occupy many connections with new ones. Undefined when the owner
 * has as many as possible, and when the account is gone.
 */
export async function addEndpoint(
  deps: Deps,
  { ownerId, url, kinds, origin }: NewEndpoint,
): Promise<string | undefined> {
  const box = webhookBox(deps);
  const now = deps.clock();
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return undefined;
    const { count } = await trx
      .selectFrom("webhook_endpoint")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("owner_id", "=", ownerId)
      .executeTakeFirstOrThrow();
    if (count >= maxEndpoints) return undefined;
    const id = randomUUID();
    await trx
      .insertInto("webhook_endpoint")
      .values({
        id,
        owner_id: ownerId,
        url: box.encrypt(url, ownerId),
        kinds: JSON.stringify(kinds),
        secret: box.encrypt(createSecret(), ownerId),
        is_slow: 1,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await record(trx, deps, { ownerId, origin, event: "webhook-added", host: new URL(url).host });
    return id;
  });
}

/** The health of an endpoint that hasn't answered yet. */
const untried = { failing_since: null, is_slow: 1, unanswered: 0, paused_until: 0 } as const;

type EndpointChange = OwnChange & Partial<Pick<NewEndpoint, "url" | "kinds">> & { isOn?: boolean | undefined };

/** Changes an endpoint, all of it or nothing. What happened while it was off isn't sent. False when there is no such endpoint. */
export async function saveEndpoint(deps: Deps, change: EndpointChange): Promise<boolean> {
  const { ownerId, id, origin, url, kinds, isOn } = change;
  const box = webhookBox(deps);
  const now = deps.clock();
  return transact(deps.db, async (trx) => {
    const row = await lockEndpoint(trx, { ownerId, id });
    if (!row) return false;
    const isMoved = url !== undefined && box.read(row.url, ownerId) !== url;
    const isSwitched = isOn !== undefined && isOn !== (row.is_on === 1);
    await trx
      .updateTable("webhook_endpoint")
      .set({
        updated_at: now,
        ...(kinds && { kinds: JSON.stringify(kinds) }),
        ...(isMoved && { url: box.encrypt(url, ownerId), ...untried }),
        ...(isSwitched && isOn && { is_on: 1, off_reason: "", ...untried }),
      })
      .where("id", "=", id)
      .execute();
    if (isSwitched && !isOn) await endDeliveries(trx, { id, reason: "owner", now });
    const host = isMoved ? new URL(url).host : hostOf(row, box);
    if (isMoved || isSwitched) await record(trx, deps, { ownerId, origin, event: "webhook-changed", host });
    return true;
  });
}

/** Lets a paused endpoint be tried at once: its owner may have repaired it. */
export async function endPause(trx: Trx, id: string): Promise<void> {
  await trx.updateTable("webhook_endpoint").set({ paused_until: 0 }).where("id", "=", id).execute();
}

/** Switches an endpoint off, and gives up what waits for it; a request that runs still stores its result. The caller has locked the endpoint. */
export async function endDeliveries(
  trx: Trx,
  { id, reason, now }: { id: string; reason: OffReason; now: number },
): Promise<void> {
  await trx
    .updateTable("webhook_endpoint")
    .set({ is_on: 0, off_reason: reason, updated_at: now })
    .where("id", "=", id)
    .execute();
  await trx
    .updateTable("webhook_delivery")
    .set({ state: "failed", next_attempt_at: null, leased_until: 0 })
    .where("endpoint_id", "=", id)
    .where("state", "=", "waiting")
    .where("leased_until", "<=", now)
    .execute();
}

/** The secret, for an owner who has just proved who they are. Undefined when it can't be read. */
export async function showSecret(deps: Deps, { ownerId, id, origin }: OwnChange): Promise<string | undefined> {
  return transact(deps.db, async (trx) => {
    const row = await findRow(trx, { ownerId, id });
    if (!row) return undefined;
    const box = webhookBox(deps);
    const secret = box.read(row.secret, ownerId);
    if (secret === undefined) return undefined;
    await record(trx, deps, { ownerId, origin, event: "webhook-secret-shown", host: hostOf(row, box) });
    return secret;
  });
}

/** Makes a new secret. The one before it also signs for a day, unless it is rotated again or can't be read. */
export async function rotateSecret(deps: Deps, { ownerId, id, origin }: OwnChange): Promise<string | undefined> {
  const box = webhookBox(deps);
  const now = deps.clock();
  return transact(deps.db, async (trx) => {
    const row = await lockEndpoint(trx, { ownerId, id });
    if (!row) return undefined;
    const secret = createSecret();
    const isReadable = box.read(row.secret, ownerId) !== undefined;
    await trx
      .updateTable("webhook_endpoint")
      .set({
        secret: box.encrypt(secret, ownerId),
        old_secret: isReadable ? row.secret : "",
        old_secret_until: isReadable ? now + oldSecretMs : 0,
        updated_at: now,
      })
      .where("id", "=", id)
      .execute();
    await record(trx, deps, { ownerId, origin, event: "webhook-secret-rotated", host: hostOf(row, box) });
    return secret;
  });
}

/** Deletes an endpoint with its log. */
export async function deleteEndpoint(deps: Deps, { ownerId, id, origin }: OwnChange): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const row = await lockEndpoint(trx, { ownerId, id });
    if (!row) return false;
    const deliveries = trx.selectFrom("webhook_delivery").select("id").where("endpoint_id", "=", id);
    await trx.deleteFrom("webhook_attempt").where("delivery_id", "in", deliveries).execute();
    await trx.deleteFrom("webhook_delivery").where("endpoint_id", "=", id).execute();
    await trx.deleteFrom("webhook_endpoint").where("id", "=", id).execute();
    await record(trx, deps, { ownerId, origin, event: "webhook-deleted", host: hostOf(row, webhookBox(deps)) });
    return true;
  });
}

/** Deletes all that an account has of webhooks, after the account. */
export async function deleteWebhooksOfOwner(trx: Trx, ownerId: string): Promise<void> {
  for (const table of ["webhook_endpoint", "webhook_attempt", "webhook_delivery"] as const)
    await trx.deleteFrom(table).where("owner_id", "=", ownerId).execute();
}

/** Locks an endpoint until the transaction ends; with an owner, only theirs. Always before its deliveries. */
export async function lockEndpoint(
  trx: Trx,
  { id, ownerId }: { id: string; ownerId?: string },
): Promise<EndpointRow | undefined> {
  return trx
    .updateTable("webhook_endpoint")
    .set((row) => ({ is_on: row.ref("is_on") }))
    .where("id", "=", id)
    .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId ?? ""))
    .returningAll()
    .executeTakeFirst();
}

type RecordedChange = {
  ownerId: string;
  origin: RequestOrigin;
  event: SecurityEventKind;
  host: string | undefined;
};

/** In the security log with the host alone: paths of such addresses are often secrets. */
async function record(
  trx: Trx,
  { auth }: Pick<Services, "auth">,
  { host = "", ...event }: RecordedChange,
): Promise<void> {
  await auth.recordSecurityEvent(trx, { ...event, detail: host });
}
