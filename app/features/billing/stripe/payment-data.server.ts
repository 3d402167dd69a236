import { checkSubscription } from "#app/features/billing/data.server.ts";
import { graceMs } from "#app/features/billing/entitlement.ts";
import { isPlanId, plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { findCustomerId } from "./customer-data.server.ts";
import { findOpenSubscription, syncCustomer } from "./subscription-data.server.ts";

/** What an owner pays for, as last read from Stripe. `at` is in epoch milliseconds. */
type PaymentStatus = {
  /** Whether there is something to see in the customer portal. */
  canManage: boolean;
  /** Undefined without a subscription. */
  next: PlanChange | undefined;
};

/**
 * What happens to a plan, and when. "failed": it ends then, unless the owner pays. "unpaid": it ended then, because a payment failed. `plan` is its
 * name.
 */
type PlanChange = { kind: "renews" | "ends" | "failed" | "unpaid"; at: number; plan: string };

async function findPaymentStatus(db: Db, ownerId: string): Promise<PaymentStatus> {
  const [customerId, subscription] = [await findCustomerId(db, ownerId), await findOpenSubscription(db, ownerId)];
  return { canManage: customerId !== undefined, next: subscription && nextChange(subscription) };
}

type Dates = {
  plan: string;
  status: string;
  cancel_at: number | null;
  current_period_end: number;
  past_due_since: number | null;
};

function nextChange({ status, cancel_at, current_period_end, past_due_since, ...paid }: Dates): PaymentStatus["next"] {
  const plan = isPlanId(paid.plan) ? plans[paid.plan].name : paid.plan;
  if (past_due_since !== null) return { kind: "failed", at: past_due_since + graceMs, plan };
  if (status === "unpaid" || status === "paused") return undefined;
  return cancel_at === null ? { kind: "renews", at: current_period_end, plan } : { kind: "ends", at: cancel_at, plan };
}

/** What an owner has now, and what happens next. */
export type OwnSubscription = {
  plan: Plan;
  canManage: boolean;
  /** Whether it goes on at Stripe, where it can be switched and canceled. */
  isPaid: boolean;
  change: PlanChange | undefined;
};

export async function findOwnSubscription(services: Services, ownerId: string): Promise<OwnSubscription> {
  const { plan, endsAt } = await checkSubscription(services, ownerId);
  const { next, canManage } = await findPaymentStatus(services.db, ownerId);
  const isPaid = next !== undefined;
  const end = endsAt === null ? undefined : ({ kind: "ends", at: endsAt, plan: plan.name } as const);
  if (next?.kind === "failed" && plan.id === "free")
    return { plan, canManage, isPaid, change: { ...next, kind: "unpaid" } };
  // A grant may last longer than what is paid.
  const isLast = next?.plan === plan.name && (next.kind === "renews" || next.at === endsAt);
  return { plan, canManage, isPaid, change: isLast ? next : end };
}

/**
 * Reads what the owner pays for from Stripe, if they ever paid. Returns false after too many reads. Throws when Stripe can't be reached.
 */
export async function refreshPayments(services: Services, ownerId: string): Promise<boolean> {
  const { db, stripe, rateLimits } = services;
  const customerId = await findCustomerId(db, ownerId);
  if (!stripe || customerId === undefined) return true;
  if (await rateLimits.consume([{ limit: readsOfAccount, subject: ownerId }])) return false;
  await syncCustomer(services, stripe.forPage, customerId);
  return true;
}

const readsOfAccount = { name: "reads of a subscription", max: 60, windowMs: 60 * 60_000 };
