export type PlanId = "free" | "premium";

/** What somebody may do, and for how much. The pages show it and the server goes by it: there is no second place. */
export type Plan = {
  id: PlanId;
  name: string;
  /** In US dollars. */
  monthlyPrice: number;
  /** Infinity where there is no limit. */
  maxCards: number;
  maxLinks: number;
  themes: readonly string[];
  /** "Made with Meishi" on public pages. */
  hasBranding: boolean;
  hasAnalytics: boolean;
  canMoveLinks: boolean;
  support: "Standard" | "Priority";
};

export const plans: Record<PlanId, Plan> = {
  free: {
    id: "free",
    name: "Free",
    monthlyPrice: 0,
    maxCards: 1,
    maxLinks: 8,
    themes: ["default", "ocean", "minimal"],
    hasBranding: true,
    hasAnalytics: false,
    canMoveLinks: false,
    support: "Standard",
  },
  premium: {
    id: "premium",
    name: "Premium",
    monthlyPrice: 7.99,
    maxCards: Infinity,
    maxLinks: 8,
    themes: ["default", "ocean", "sunset", "forest", "royal", "minimal"],
    hasBranding: false,
    hasAnalytics: true,
    canMoveLinks: true,
    support: "Priority",
  },
};

/** How often somebody pays. */
export type Period = "monthly" | "yearly";

/** What the address asks for; monthly when it says nothing that we know. */
export function readPeriod(search: URLSearchParams): Period {
  return search.get("period") === "yearly" ? "yearly" : "monthly";
}

/** A row of the table `subscription`; `ends_at` is until when it is paid, null when nobody has to pay for it. */
export type Subscription = { plan: string; ends_at: number | null };

/** The plan in force at `now` (epoch milliseconds). A subscription that has ended, or to a plan we don't know, is Free. */
export function planOf(subscription: Subscription | undefined, now: number): Plan {
  if (!subscription) return plans.free;
  const hasEnded = subscription.ends_at !== null && subscription.ends_at <= now;
  return subscription.plan === "premium" && !hasEnded ? plans.premium : plans.free;
}

/** A year for ten months, in whole dollars. */
export function yearlyPrice({ monthlyPrice }: Pick<Plan, "monthlyPrice">): number {
  return Math.round(10 * monthlyPrice);
}

/** How much less a year costs than twelve months, in whole percent. */
export function yearlySaving({ monthlyPrice }: Pick<Plan, "monthlyPrice">): number {
  const twelveMonths = 12 * monthlyPrice;
  return twelveMonths === 0 ? 0 : Math.round((1 - yearlyPrice({ monthlyPrice }) / twelveMonths) * 100);
}

/** 7.99 -> "$7.99", 80 -> "$80". */
export function inDollars(amount: number): string {
  return `$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;
}

/** 1 -> "1 business card", Infinity -> "Unlimited business cards". */
export function inCards(maxCards: number): string {
  if (!Number.isFinite(maxCards)) return "Unlimited business cards";
  return `${maxCards} business ${maxCards === 1 ? "card" : "cards"}`;
}
