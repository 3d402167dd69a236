import { isPlanId } from "./rules.ts";
import type { PlanId, Subscription } from "./rules.ts";

/** What a plan is derived from: what the operator gave, and what the owner pays for. Times are epoch milliseconds. */
export type EntitlementSources = {
  grant: Subscription | undefined;
  payments: readonly PaidSubscription[];
};

/** A subscription at Stripe, as far as the plan depends on it. */
export type PaidSubscription = {
  /** Stripe's: "active", "past_due", "canceled". */
  status: string;
  /** When it ends; null while it renews. */
  cancel_at: number | null;
  /** The first payment that failed; null while all is paid. */
  past_due_since: number | null;
};

/** A plan and when it ends; null: no end. */
export type Entitlement = { plan: PlanId; endsAt: number | null };

/** How long Premium continues after a payment failed. */
export const graceMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The plan of an owner. It may have ended already: `activePlan` decides that when the row is read. All sources are in force from the time
 * they are stored and give the only paid plan, so the one that ends last covers the others.
 */
export function entitlementOf({ grant, payments }: EntitlementSources): Entitlement {
  const ends = [grantEnd(grant), ...payments.map(paymentEnd)].filter((end) => end !== undefined);
  if (ends.length === 0) return { plan: "free", endsAt: null };
  return { plan: "premium", endsAt: ends.includes(null) ? null : Math.max(...ends.map(Number)) };
}

type End = number | null | undefined;

/** When it ends: null for never, undefined for a grant of an unknown plan. */
function grantEnd(grant: Subscription | undefined): End {
  return grant && isPlanId(grant.plan) && grant.plan !== "free" ? grant.ends_at : undefined;
}

/** When it ends: null while it renews, undefined for one that gives nothing. */
function paymentEnd({ status, cancel_at, past_due_since }: PaidSubscription): End {
  if (status === "active" || status === "trialing") return cancel_at;
  if (status !== "past_due" || past_due_since === null) return undefined;
  return Math.min(past_due_since + graceMs, cancel_at ?? Infinity);
}
