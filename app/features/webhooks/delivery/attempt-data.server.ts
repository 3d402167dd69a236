import { randomUUID } from "node:crypto";

import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import { endDeliveries, lockEndpoint } from "#app/features/webhooks/data.server.ts";
import { hostOf, webhookBox } from "#app/features/webhooks/endpoint-row.server.ts";
import type { EndpointRow } from "#app/features/webhooks/endpoint-row.server.ts";
import {
  isSuccess,
  maxFailingMs,
  maxStoredAnswer,
  nextAttemptTime,
  pauseEnd,
  shortAnswer,
  slowMs,
  webhookLimits,
} from "#app/features/webhooks/rules.ts";
import type { AttemptResult } from "#app/features/webhooks/rules.ts";
import { switchedOffMail } from "#app/features/webhooks/webhook-mails.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { releaseDelivery } from "./delivery-data.server.ts";
import type { DeliveryRow } from "./delivery-data.server.ts";

type Deps = Pick<Services, "db" | "jobs" | "secretBox" | "rateLimits" | "clock" | "config">;

export type Attempt = { startedAt: number; signature: string; result: AttemptResult };

/**
 * Stores an attempt and what follows from it, in one transaction that locks the endpoint first. Does nothing when the delivery isn't this
 * process's anymore.
 */
export async function storeAttempt(deps: Deps, delivery: DeliveryRow, attempt: Attempt): Promise<void> {
  const now = deps.clock();
  await transact(deps.db, async (trx) => {
    const endpoint = await lockEndpoint(trx, { id: delivery.endpoint_id });
    if (!endpoint) return;
    if (!(await releaseDelivery(trx, delivery, outcome(delivery, attempt, { endpoint, now })))) return;
    await insertAttempt(trx, deps, { delivery, attempt: withoutDetails(delivery, attempt) });
    await noteHealth(trx, deps, { endpoint, attempt, now });
  });
}

/** What an attempt makes of its delivery. A failed one isn't repeated at an endpoint that was switched off meanwhile, or that can't be read. */
function outcome(
  delivery: DeliveryRow,
  { startedAt, result }: Attempt,
  { endpoint, now }: { endpoint: EndpointRow; now: number },
) {
  const attempts = delivery.attempts + 1;
  const first_attempt_at = delivery.first_attempt_at ?? startedAt;
  const common = { attempts, first_attempt_at };
  if (isSuccess(result)) return { ...common, state: "delivered", next_attempt_at: null };
  if (endpoint.is_on === 0 || isUnreadable(result)) return { ...common, state: "failed", next_attempt_at: null };
  const answer = "status" in result ? result : { status: undefined, retryAfter: undefined };
  const next = nextAttemptTime({
    attempts,
    firstAttemptAt: first_attempt_at,
    now,
    random: Math.random(),
    status: answer.status,
    retryAfter: answer.retryAfter,
  });
  return { ...common, state: next === undefined ? "failed" : "waiting", next_attempt_at: next ?? null };
}

function isUnreadable(result: AttemptResult): boolean {
  return "problem" in result && result.problem === "unreadable";
}

/** An answer to `consent.withdrawn` may repeat what was deleted. */
function withoutDetails({ kind }: DeliveryRow, attempt: Attempt): Attempt {
  const { result } = attempt;
  return kind === "consent.withdrawn" && "text" in result ? { ...attempt, result: { ...result, text: "" } } : attempt;
}

export async function insertAttempt(
  trx: Trx,
  deps: Pick<Services, "secretBox" | "rateLimits">,
  { delivery, attempt }: { delivery: Pick<DeliveryRow, "id" | "owner_id">; attempt: Attempt },
): Promise<void> {
  const { startedAt, signature, result } = attempt;
  const text = "text" in result ? await shortened(trx, deps, { ownerId: delivery.owner_id, text: result.text }) : "";
  await trx
    .insertInto("webhook_attempt")
    .values({
      id: randomUUID(),
      delivery_id: delivery.id,
      owner_id: delivery.owner_id,
      started_at: startedAt,
      signature,
      status: "status" in result ? result.status : null,
      problem: "problem" in result ? result.problem : "",
      answer: text && webhookBox(deps).encrypt(text.toWellFormed(), delivery.owner_id),
      duration_ms: result.durationMs,
    })
    .execute();
}

async function shortened(
  trx: Trx,
  { rateLimits }: Pick<Services, "rateLimits">,
  { ownerId, text }: { ownerId: string; text: string },
): Promise<string> {
  const isLimited =
    text.length > shortAnswer &&
    (await rateLimits.consume([{ limit: webhookLimits.longAnswers, subject: ownerId }], { trx }));
  return text.slice(0, isLimited ? shortAnswer : maxStoredAnswer);
}

type Health = { endpoint: EndpointRow; attempt: Attempt; now: number };

/** Notes how the endpoint does, pauses it while it doesn't answer, and switches it off when it is gone or has failed for days. */
async function noteHealth(trx: Trx, deps: Deps, { endpoint, attempt, now }: Health): Promise<void> {
  const { startedAt, result } = attempt;
  const isGood = isSuccess(result);
  const failing_since = isGood ? null : (endpoint.failing_since ?? startedAt);
  const is_slow = !isGood || result.durationMs > slowMs ? 1 : 0;
  const unanswered = "problem" in result && !isUnreadable(result) ? endpoint.unanswered + 1 : 0;
  const health = { failing_since, is_slow, unanswered } as const;
  if (failing_since !== endpoint.failing_since || is_slow !== endpoint.is_slow || unanswered !== endpoint.unanswered)
    await trx
      .updateTable("webhook_endpoint")
      .set({ ...health, paused_until: pauseEnd(unanswered, now) })
      .where("id", "=", endpoint.id)
      .execute();
  if (isGood || endpoint.is_on === 0) return;
  const isGone = "status" in result && result.status === 410;
  if (!isGone && now - (failing_since ?? now) < maxFailingMs) return;
  const reason = isGone ? "gone" : "failing";
  const host = isUnreadable(attempt.result) ? undefined : hostOf(endpoint, webhookBox(deps));
  await endDeliveries(trx, { id: endpoint.id, reason, now });
  const to = await findRecipient(trx, endpoint.owner_id);
  if (to === undefined) return;
  const { baseUrl } = deps.config;
  await deps.jobs.enqueue(trx, "mail", switchedOffMail({ to, id: endpoint.id, host, reason, baseUrl }));
}
