import type { PremiumAccess } from "#app/services/config/setting-values.ts";

import { formatList } from "#app/services/base/format.ts";

import { messages } from "./messages.ts";
import {
  formatCardLimit,
  formatDollars,
  formatThemes,
  isPaid,
  planList,
  plans,
  readBillingPeriod,
  readChosenPlan,
  yearlyPrice,
} from "./rules.ts";
import type { BillingPeriod, Plan, PlanId } from "./rules.ts";

/** A plan as its card presents it. The numbers come from the rules that the server enforces. */
export type PlanOffer = {
  id: PlanId;
  name: string;
  blurb: string;
  /** The plan that its card draws attention to. */
  isRecommended: boolean;
  price: Record<BillingPeriod, string>;
  per: Record<BillingPeriod, string>;
  note: string;
  cta: { label: string; href: string };
  points: string[];
};

/** `premium` decides what is offered besides the plan. */
export function planOffer(plan: Plan, premium: PremiumAccess): PlanOffer {
  const isSold = premium === "sold";
  return {
    id: plan.id,
    name: plan.name,
    ...offerTexts[plan.id],
    cta: { label: isSold ? ctaLabels[plan.id] : freeLabels[plan.id], href: `/signup?tier=${plan.id}` },
    price: { monthly: formatDollars(plan.monthlyPrice), yearly: formatDollars(yearlyPrice(plan)) },
    per: isPaid(plan) ? { monthly: "a month", yearly: "a year" } : { monthly: "forever", yearly: "forever" },
    note: isPaid(plan) ? messages.monthsFree : "No credit card required.",
    points: offerPoints(plan, isSold),
  };
}

/**
 * Where a visitor who chose a paid plan, with its period, continues after signing up: the parameters of a sign-up link. Undefined without such
 * a choice, and where nothing is sold.
 */
export function subscribePath(search: URLSearchParams, premium: PremiumAccess): string | undefined {
  const planId = readChosenPlan(search);
  if (premium !== "sold" || planId === undefined || !isPaid(plans[planId])) return undefined;
  return `/pricing/subscribe?${new URLSearchParams(choiceOf(search))}`;
}

/** The parameters of a sign-up link that carry the chosen plan along. */
export function choiceOf(search: URLSearchParams): Record<string, string> {
  const planId = readChosenPlan(search);
  if (planId === undefined) return {};
  return { tier: planId, ...(readBillingPeriod(search) === "yearly" && { period: "yearly" }) };
}

/** "unlimited business cards, all 6 themes and no Meishi branding" */
export function planSummary(plan: Plan): string {
  const parts = [formatCardLimit(plan.maxCards).toLowerCase(), formatThemes(plan).toLowerCase()];
  return formatList([...parts, ...(plan.hasBranding ? [] : ["no Meishi branding"])]);
}

/** The names of the plans that are sold. */
export const paidPlanNames = formatList(planList.filter(isPaid).map(({ name }) => name));

const offerTexts: Record<PlanId, Pick<PlanOffer, "blurb" | "isRecommended">> = {
  free: {
    blurb: "A card, and a page for everything else.",
    isRecommended: false,
  },
  premium: {
    blurb: "A card for every role, in your own style.",
    isRecommended: true,
  },
};

const ctaLabels: Record<PlanId, string> = { free: "Sign up for Free", premium: "Get Premium" };
/** While Premium can't be bought, everyone starts on Free. */
const freeLabels: Record<PlanId, string> = { free: "Sign up for Free", premium: "Start free" };

function offerPoints(plan: Plan, isSold: boolean): string[] {
  return [
    formatCardLimit(plan.maxCards),
    `${plan.maxLinks} links on your profile`,
    formatThemes(plan),
    ...(plan.hasBranding ? [] : ["No “Made with Meishi” on your pages"]),
    // While Premium can't be bought, everyone can.
    ...(plan.canMoveLinks && isSold ? ["Choose the tab for each link"] : []),
    ...(plan.hasAnalytics ? ["Analytics"] : []),
    ...(isPaid(plan) ? [] : ["Link, QR code, NFC and contact file"]),
    `${plan.support} support`,
  ];
}
