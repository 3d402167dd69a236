import { endPause, lockEndpoint } from "#app/features/webhooks/data.server.ts";
import { sampleContent } from "#app/features/webhooks/event-examples.ts";
import { formatBody } from "#app/features/webhooks/event-content.server.ts";
import { isSuccess } from "#app/features/webhooks/rules.ts";
import type { WebhookKind } from "#app/features/webhooks/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { insertAttempt } from "./attempt-data.server.ts";
import { createDeliveryId } from "./delivery-data.server.ts";
import { attemptDelivery } from "./send-tasks.server.ts";

type TestRequest = { ownerId: string; endpointId: string; kind: WebhookKind };

/**
 * Sends a sample of an event, once, also to an endpoint that is off. It doesn't count for the health of the endpoint, but ends a pause when
 * it arrives. Returns the id in the log and whether it arrived; undefined when there is no such endpoint anymore.
 */
export async function sendTest(
  services: Services,
  { ownerId, endpointId, kind }: TestRequest,
): Promise<{ id: string; isDelivered: boolean } | undefined> {
  const { db, clock, config } = services;
  const endpoint = await db
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("id", "=", endpointId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (!endpoint) return undefined;
  const id = createDeliveryId();
  const happenedAt = clock();
  const content = sampleContent(kind, { baseUrl: config.baseUrl, now: happenedAt });
  const body = formatBody({ kind, happenedAt, content, count: 1, isTest: true });
  const attempt = await attemptDelivery(services, { delivery: { id }, endpoint, body });
  const isDelivered = isSuccess(attempt.result);
  return transact(db, async (trx) => {
    // It may have been deleted during the request.
    if (!(await lockEndpoint(trx, { id: endpointId }))) return undefined;
    await trx
      .insertInto("webhook_delivery")
      .values({
        id,
        endpoint_id: endpointId,
        owner_id: ownerId,
        kind,
        content: JSON.stringify(content),
        is_test: 1,
        state: isDelivered ? "delivered" : "failed",
        attempts: 1,
        first_attempt_at: attempt.startedAt,
        happened_at: happenedAt,
        created_at: happenedAt,
      })
      .execute();
    if (isDelivered) await endPause(trx, endpointId);
    await insertAttempt(trx, services, { delivery: { id, owner_id: ownerId }, attempt });
    return { id, isDelivered };
  });
}
