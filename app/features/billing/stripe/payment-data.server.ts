import { graceMs } from "#app/features/billing/entitlement.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { findCustomerId } from "./customer-data.server.ts";
import { findOpenSubscription, syncCustomer } from "./subscription-data.server.ts";

/** What an owner pays for, as last read from Stripe. `at` is in epoch milliseconds. */
export type PaymentStatus = {
  /** Whether there is something to see in the customer portal. */
  canManage: boolean;
  /** "failed": Premium ends then, unless the owner pays. Undefined without a subscription. */
  next: { kind: "renews" | "ends" | "failed"; at: number } | undefined;
};

export async function findPaymentStatus(db: Db, ownerId: string): Promise<PaymentStatus> {
  const [customerId, subscription] = [await findCustomerId(db, ownerId), await findOpenSubscription(db, ownerId)];
  return { canManage: customerId !== undefined, next: subscription && nextChange(subscription) };
}

type Dates = { status: string; cancel_at: number | null; current_period_end: number; past_due_since: number | null };

function nextChange({ status, cancel_at, current_period_end, past_due_since }: Dates): PaymentStatus["next"] {
  if (past_due_since !== null) return { kind: "failed", at: past_due_since + graceMs };
  if (status === "unpaid" || status === "paused") return undefined;
  return cancel_at === null ? { kind: "renews", at: current_period_end } : { kind: "ends", at: cancel_at };
}

/** Reads what the owner pays for from Stripe, if they ever paid. Throws when Stripe can't be reached, or after too many reads. */
export async function refreshPayments(services: Services, ownerId: string): Promise<void> {
  const { db, stripe, rateLimits } = services;
  const customerId = await findCustomerId(db, ownerId);
  if (!stripe || customerId === undefined) return;
  if (await rateLimits.consume([{ limit: readsOfAccount, subject: ownerId }]))
    throw new Error("The account read its subscription from Stripe too often.");
  await syncCustomer(services, stripe.forPage, customerId);
}

const readsOfAccount = { name: "reads of a subscription", max: 60, windowMs: 60 * 60_000 };
