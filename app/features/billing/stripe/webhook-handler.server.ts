import type { Handler } from "hono";
import type { Stripe } from "stripe";

import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";

import { syncChargeJob, syncCustomerJob } from "./stripe-tasks.server.ts";

/** The events that may change what an owner pays for. Any other is accepted and ignored. */
export const webhookEvents = [
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "charge.refunded",
  "charge.dispute.created",
] as const satisfies readonly Stripe.Event["type"][];

/**
 * Accepts events of Stripe. An event only says what to read again: the job does the work, so that the response is fast, and order and
 * repetition don't matter.
 */
export function handleWebhook(services: Services): Handler<AppEnv> {
  const { stripe, db, clock, log } = services;
  return async (c) => {
    if (!stripe) return c.notFound();
    const { id } = c.get("state");
    const body = new Uint8Array(await c.req.arrayBuffer());
    const event = await stripe.readEvent(body, c.req.header("stripe-signature") ?? "", clock());
    if (!event) {
      logSecurityEvent(log, { event: "webhook-refused", account: undefined });
      return c.text("The signature is missing, wrong or too old.", 400);
    }
    if (!isHandled(event.type)) return c.body(null, 200);
    const outcome = await transact(db, (trx) => receive(trx, services, event));
    log.info({ id, event: event.id, type: event.type, outcome }, "event of Stripe");
    return c.body(null, 200);
  };
}

function isHandled(type: string): boolean {
  return webhookEvents.some((handled) => handled === type);
}

async function receive(trx: Trx, { jobs, clock }: Services, event: Stripe.Event) {
  const now = clock();
  const row = { id: event.id, type: event.type, created_at: event.created * 1000, received_at: now };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("stripe_event")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) return "repeated";
  const { customerId, chargeId } = subjectOf(event.data.object);
  const customer = await trx
    .selectFrom("stripe_customer")
    .select("reads")
    .where("customer_id", "=", customerId ?? "")
    .executeTakeFirst();
  if (chargeId !== undefined && (customer || customerId === undefined)) {
    await jobs.enqueue(trx, syncChargeJob, { chargeId });
    return "accepted";
  }
  if (!customer) return "not a customer of this site";
  await jobs.enqueue(trx, syncCustomerJob, { customerId, reads: customer.reads });
  return "accepted";
}

/** The customer and the charge that an event's object belongs to. A dispute names only its charge. */
function subjectOf(object: unknown): { customerId: string | undefined; chargeId: string | undefined } {
  const fields: Record<string, unknown> = typeof object === "object" && object !== null ? { ...object } : {};
  const customer = fields.object === "customer" ? fields.id : fields.customer;
  const charge = { charge: fields.id, dispute: fields.charge }[String(fields.object)];
  return { customerId: idOf(customer), chargeId: idOf(charge) };
}

/** The id in a field that may be expanded. */
function idOf(value: unknown): string | undefined {
  if (typeof value === "object" && value !== null && "id" in value) return idOf(value.id);
  return typeof value === "string" ? value : undefined;
}
