import { isPlanId, outranks } from "./rules.ts";
import type { PlanId, Subscription } from "./rules.ts";

/** What a plan is derived from: what the operator gave, and what the owner pays for. Times are epoch milliseconds. */
export type EntitlementSources = {
  grant: Subscription | undefined;
  payments: readonly PaidSubscription[];
};

/** A subscription at Stripe, as far as the plan depends on it. */
export type PaidSubscription = {
  /** That of its price. */
  plan: string;
  /** Stripe's: "active", "past_due", "canceled". */
  status: string;
  /** When it ends; null while it renews. */
  cancel_at: number | null;
  /** The first payment that failed; null while all is paid. */
  past_due_since: number | null;
};

/** A plan and when it ends; null: no end. */
export type Entitlement = { plan: PlanId; endsAt: number | null };

/** How long a paid plan continues after a payment failed. */
export const graceMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The plan of an owner: the highest one in force at `now` (epoch milliseconds), until the last of its sources ends. When all have ended, it is
 * the last of these: `activePlan` decides that it has ended when the row is read.
 */
export function entitlementOf({ grant, payments }: EntitlementSources, now: number): Entitlement {
  const all = [
    ...(grant ? [{ plan: grant.plan, endsAt: grant.ends_at }] : []),
    ...payments.map((one) => ({ plan: one.plan, endsAt: paymentEnd(one) })),
  ].filter((one): one is Entitlement => isPlanId(one.plan) && one.plan !== "free" && one.endsAt !== undefined);
  const inForce = all.filter(({ endsAt }) => endsAt === null || endsAt > now);
  const [first] = inForce.length > 0 ? inForce.toSorted(byRankAndEnd) : all.toSorted(byEnd);
  return first ?? { plan: "free", endsAt: null };
}

/** The highest plan first, and of the same plan the one that ends last. */
function byRankAndEnd(one: Entitlement, other: Entitlement): number {
  if (one.plan !== other.plan) return outranks(one.plan, other.plan) ? -1 : 1;
  return byEnd(one, other);
}

/** The one that ends last first. */
function byEnd(one: Entitlement, other: Entitlement): number {
  return (other.endsAt ?? Infinity) - (one.endsAt ?? Infinity) || 0;
}

/** When it ends: null while it renews, undefined for one that gives nothing. */
function paymentEnd({ status, cancel_at, past_due_since }: PaidSubscription): number | null | undefined {
  if (status === "active" || status === "trialing") return cancel_at;
  if (status !== "past_due" || past_due_since === null) return undefined;
  return Math.min(past_due_since + graceMs, cancel_at ?? Infinity);
}
