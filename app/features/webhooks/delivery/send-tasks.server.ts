import { LRUCache } from "lru-cache";

import { signingSecrets, webhookBox } from "#app/features/webhooks/endpoint-row.server.ts";
import type { EndpointRow } from "#app/features/webhooks/endpoint-row.server.ts";
import { formatBody, readLead } from "#app/features/webhooks/event-content.server.ts";
import { isSuccess } from "#app/features/webhooks/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { WorkQueue } from "#app/services/jobs/jobs.server.ts";

import { storeAttempt } from "./attempt-data.server.ts";
import type { Attempt } from "./attempt-data.server.ts";
import { claimDelivery, forgetLeads, listDue, releaseDelivery } from "./delivery-data.server.ts";
import type { DeliveryRow, DueDelivery } from "./delivery-data.server.ts";
import { requestHeaders } from "./request-rules.ts";
import { signMessage } from "./signature.ts";

/**
 * How many requests run at the same time in a process: in all, those to endpoints that fail or take long, for each endpoint and owner. The
 * last ones of `all` and `slow` are reserved for first attempts of owners for whom nothing is being sent.
 */
const connections = { all: 32, slow: 20, reserved: 8, endpoint: 4, slowEndpoint: 1, owner: 8 };
/** While the deletion of a lead can be undone. */
const hiddenMs = 30_000;

type Sending = DueDelivery & { delivery: DeliveryRow };

/**
 * Sends what is due, from all processes: each delivery is claimed by one. Not as jobs, because an endpoint that never answers would hold one
 * of their four workers for 15 seconds, and mails would wait. A free connection goes to the owner who got one least recently, so that no one
 * can make the others wait.
 */
export function createSendQueue(services: Services): WorkQueue<Sending> {
  const { db, log } = services;
  /** When each owner got a connection last, as a number that counts them. */
  const lastServed = new LRUCache<string, number>({ max: 10_000 });
  let served = 0;

  async function* claimDue(running: ReadonlyMap<Sending, unknown>, now: number) {
    if (running.size >= connections.all) return;
    const due = await listDue(db, now);
    const lastServedAt = ({ ownerId }: DueDelivery) => lastServed.get(ownerId) ?? 0;
    for (const next of due.toSorted((a, b) => lastServedAt(a) - lastServedAt(b))) {
      const delivery = hasRoom(next, [...running.keys()]) && (await claimDelivery(db, next, now));
      if (!delivery) continue;
      lastServed.set(next.ownerId, ++served);
      yield { ...next, delivery };
    }
  }

  return {
    name: "webhooks",
    claimDue,
    run: ({ delivery }) =>
      deliver(services, delivery).catch((error: unknown) =>
        log.error({ err: error, delivery: delivery.id }, "a webhook could not be sent"),
      ),
    problem: "webhooks cannot be read from the database",
  };
}

function hasRoom({ endpointId, ownerId, isSlow, attempts }: DueDelivery, running: readonly DueDelivery[]): boolean {
  const ofOwner = running.filter((one) => one.ownerId === ownerId);
  const ofEndpoint = ofOwner.filter((one) => one.endpointId === endpointId);
  const reserved = attempts === 0 && ofOwner.length === 0 ? 0 : connections.reserved;
  if (running.length >= connections.all - reserved) return false;
  if (isSlow && running.filter((one) => one.isSlow).length >= connections.slow - reserved) return false;
  const most = isSlow ? connections.slowEndpoint : connections.endpoint;
  return ofEndpoint.length < most && ofOwner.length < connections.owner;
}

/** Sends a claimed delivery and stores what came of it. */
async function deliver(services: Services, delivery: DeliveryRow): Promise<void> {
  const { db, clock } = services;
  const endpoint = await db
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("id", "=", delivery.endpoint_id)
    .executeTakeFirst();
  if (!endpoint) return;
  // It was switched off while a process that was killed sent this.
  if (endpoint.is_on === 0)
    return void (await releaseDelivery(db, delivery, { state: "failed", next_attempt_at: null }));
  const body = await buildBody(services, delivery);
  if (body.kind === "hidden")
    return void (await releaseDelivery(db, delivery, { next_attempt_at: clock() + hiddenMs }));
  if (body.kind === "gone") {
    const { owner_id: ownerId, lead_id: leadId } = delivery;
    return transact(db, (trx) => forgetLeads(trx, { ownerId, leadId }));
  }
  const attempt = await attemptDelivery(services, { delivery, endpoint, body: body.text });
  services.metrics.noteWebhook(isSuccess(attempt.result) ? "done" : "failed");
  await storeAttempt(services, delivery, attempt);
}

export type DeliveryBody = { kind: "sent"; text: string } | { kind: "gone" } | { kind: "hidden" };

/** The body as it is now: that of a lead isn't stored, so that nothing is left of one that is erased. */
export async function buildBody(
  { db, config }: Pick<Services, "db" | "config">,
  delivery: DeliveryRow,
): Promise<DeliveryBody> {
  const isLead = delivery.kind === "lead.created" && delivery.is_test === 0;
  if (isLead && delivery.lead_id === "") return { kind: "gone" };
  const found = isLead
    ? await readLead(db, { id: delivery.lead_id, ownerId: delivery.owner_id, baseUrl: config.baseUrl })
    : { kind: "sent" as const, content: JSON.parse(delivery.content) };
  if (found.kind !== "sent") return found;
  const { kind, happened_at: happenedAt, count, is_test } = delivery;
  return { kind: "sent", text: formatBody({ kind, happenedAt, count, isTest: is_test === 1, content: found.content }) };
}

type AttemptRequest = { delivery: Pick<DeliveryRow, "id">; endpoint: EndpointRow; body: string };

export async function attemptDelivery(
  { sendPublicly, secretBox, clock, config }: Services,
  { delivery, endpoint, body }: AttemptRequest,
): Promise<Attempt> {
  const startedAt = clock();
  const box = webhookBox({ secretBox });
  const url = box.read(endpoint.url, endpoint.owner_id);
  const secrets = signingSecrets(endpoint, { box, now: startedAt });
  if (url === undefined || !secrets)
    return { startedAt, signature: "", result: { problem: "unreadable", durationMs: 0 } };
  const timestamp = Math.floor(startedAt / 1_000);
  const signature = signMessage({ id: delivery.id, timestamp, body }, secrets);
  const headers = requestHeaders({ id: delivery.id, timestamp, signature, baseUrl: config.baseUrl });
  const result = await sendPublicly(url, { headers, body });
  return { startedAt, signature, result };
}
