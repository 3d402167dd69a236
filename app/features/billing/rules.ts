import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import type { PriceSetting } from "#app/services/config/settings.ts";

export type PlanId = "free" | "premium";

/**
 * What a plan includes and costs. Pages show these values and the server enforces them.
 */
export type Plan = {
  id: PlanId;
  name: string;
  /** In US dollars. */
  monthlyPrice: number;
  /** The settings with the ids of its prices at Stripe; undefined for Free. */
  prices: Record<BillingPeriod, PriceSetting> | undefined;
  /** Infinity for unlimited. After a downgrade, the oldest ones stay public. */
  maxCards: number;
  /** On the profile, and on each card. More that are stored stay after a downgrade, but none is added. */
  maxLinks: number;
  themes: readonly string[];
  /** The preset accents of business cards. */
  accents: readonly string[];
  /** Any color as the accent of a business card. */
  hasOwnAccents: boolean;
  /** Uploaded images and a tint on wallet passes. */
  hasOwnPassImages: boolean;
  /** "Made with Meishi" on public pages and passes. */
  hasBranding: boolean;
  hasAnalytics: boolean;
  /** Whether an owner may choose the tab of each link. */
  canMoveLinks: boolean;
  support: "Standard" | "Priority";
};

/** By rank, the lowest first, which is also the order of the pricing page. Operators give Premium. */
export const plans: Record<PlanId, Plan> = {
  free: {
    id: "free",
    name: "Free",
    monthlyPrice: 0,
    prices: undefined,
    maxCards: 1,
    maxLinks: 8,
    themes: ["default", "ocean", "minimal"],
    // Those of the live demo: a visitor keeps the card that they saw.
    accents: ["indigo", "blue", "violet", "emerald"],
    hasOwnAccents: false,
    hasOwnPassImages: false,
    hasBranding: true,
    hasAnalytics: false,
    canMoveLinks: false,
    support: "Standard",
  },
  premium: {
    id: "premium",
    name: "Premium",
    monthlyPrice: 7.99,
    prices: { monthly: "monthly", yearly: "yearly" },
    maxCards: Infinity,
    maxLinks: 30,
    themes: ["default", "ocean", "sunset", "forest", "royal", "minimal"],
    accents: ["indigo", "blue", "violet", "emerald", "teal", "copper", "rose", "slate"],
    hasOwnAccents: true,
    hasOwnPassImages: true,
    hasBranding: false,
    hasAnalytics: true,
    canMoveLinks: true,
    support: "Priority",
  },
};

/** Free while Premium can't be bought: everyone can choose the tab of each link. */
const freeWithoutSale = (): Plan => ({ ...plans.free, canMoveLinks: true });

export const planList: readonly Plan[] = Object.values(plans);

export function isPlanId(value: string): value is PlanId {
  return Object.hasOwn(plans, value);
}

/** Whether a plan is higher than another. */
export function outranks(plan: PlanId, other: PlanId): boolean {
  const ids = Object.keys(plans);
  return ids.indexOf(plan) > ids.indexOf(other);
}

/** The lowest plan with more cards. */
export function planWithMoreCards({ maxCards }: Pick<Plan, "maxCards">): Plan | undefined {
  return planList.find((plan) => plan.maxCards > maxCards);
}

export function isPaid({ monthlyPrice }: Pick<Plan, "monthlyPrice">): boolean {
  return monthlyPrice > 0;
}

/** The plan of the `tier` query parameter, which a visitor chose before signing up; undefined when it is missing or unknown. */
export function readChosenPlan(search: URLSearchParams): PlanId | undefined {
  const planId = search.get("tier");
  return planId !== null && isPlanId(planId) ? planId : undefined;
}

/** How often a subscriber pays. */
export const billingPeriods = ["monthly", "yearly"] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

/** The `period` query parameter; monthly when it is missing or unknown. */
export function readBillingPeriod(search: URLSearchParams): BillingPeriod {
  return search.get("period") === "yearly" ? "yearly" : "monthly";
}

/** A row of the table `subscription`. `ends_at`: in epoch milliseconds; null without an end. */
export type Subscription = { plan: string; ends_at: number | null };

/**
 * The plan in force at `now` (epoch milliseconds): Free when the subscription is missing, has ended, or names an unknown plan. Where
 * everyone has Premium, it is Premium.
 */
export function activePlan(subscription: Subscription | undefined, { now, premium }: PlanConditions): Plan {
  if (premium === "everyone") return plans.premium;
  const isInForce = subscription && (subscription.ends_at === null || subscription.ends_at > now);
  if (isInForce && isPlanId(subscription.plan) && subscription.plan !== "free") return plans[subscription.plan];
  return premium === "sold" ? plans.free : freeWithoutSale();
}

/** What the plan in force depends on besides the owner. */
export type PlanConditions = { now: number; premium: PremiumAccess };

/** The price of a plan for a period, in US dollars. */
export function priceOf(plan: Pick<Plan, "monthlyPrice">, period: BillingPeriod): number {
  return period === "yearly" ? yearlyPrice(plan) : plan.monthlyPrice;
}

/** Ten monthly prices, in whole dollars. */
export function yearlyPrice({ monthlyPrice }: Pick<Plan, "monthlyPrice">): number {
  return Math.round(10 * monthlyPrice);
}

/** How much a year saves compared with twelve months, in whole percent. */
export function yearlySaving({ monthlyPrice }: Pick<Plan, "monthlyPrice">): number {
  const twelveMonths = 12 * monthlyPrice;
  return twelveMonths === 0 ? 0 : Math.round((1 - yearlyPrice({ monthlyPrice }) / twelveMonths) * 100);
}

/** 7.99 -> "$7.99", 80 -> "$80". */
export function formatDollars(amount: number): string {
  return `$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
}

/** "3 of 6 themes", "All 6 themes" */
export function formatThemes({ themes }: Pick<Plan, "themes">): string {
  const all = new Set(planList.flatMap((plan) => plan.themes)).size;
  return themes.length === all ? `All ${all} themes` : `${themes.length} of ${all} themes`;
}

/** 1 -> "1 business card", Infinity -> "Unlimited business cards". */
export function formatCardLimit(maxCards: number): string {
  if (!Number.isFinite(maxCards)) return "Unlimited business cards";
  return `${maxCards} business ${maxCards === 1 ? "card" : "cards"}`;
}
