import { messages } from "#app/features/billing/messages.ts";
import { inCards, inDollars, plans, yearlyPrice } from "#app/features/billing/rules.ts";
import type { Period, Plan, PlanId } from "#app/features/billing/rules.ts";
import { built } from "#app/features/shell/built.ts";

/** A plan as it is offered: what stands on its card. Numbers are those of the rules that the server goes by. */
export type Offer = {
  id: PlanId;
  name: string;
  blurb: string;
  /** The one that is held out. */
  highlight: boolean;
  price: Record<Period, string>;
  per: Record<Period, string>;
  note: string;
  cta: { label: string; href: string };
  points: Point[];
};

/** `isLater`: not there yet, and said so. */
export type Point = { text: string; isLater?: boolean };

export function offerOf(plan: Plan): Offer {
  const isFree = plan.monthlyPrice === 0;
  return {
    id: plan.id,
    name: plan.name,
    ...words[plan.id],
    highlight: !isFree,
    price: { monthly: inDollars(plan.monthlyPrice), yearly: inDollars(yearlyPrice(plan)) },
    per: isFree ? { monthly: "for ever", yearly: "for ever" } : { monthly: "a month", yearly: "a year" },
    note: isFree ? "No card details needed." : messages.monthsFree,
    points: pointsOf(plan),
  };
}

const words: Record<PlanId, Pick<Offer, "blurb" | "cta">> = {
  free: {
    blurb: "A card and a page for everything else.",
    cta: { label: "Sign up for Free", href: "/signup?tier=free" },
  },
  premium: {
    blurb: "For more than one role, in your own look.",
    cta: {
      label: built.payments ? "Get Premium" : "Start free, upgrade later",
      href: "/signup?tier=premium",
    },
  },
};

function pointsOf(plan: Plan): Point[] {
  const all = new Set(Object.values(plans).flatMap(({ themes }) => themes));
  const hasAll = plan.themes.length === all.size;
  return [
    { text: inCards(plan.maxCards) },
    { text: `${plan.maxLinks} links on your profile` },
    { text: hasAll ? `All ${all.size} themes` : `${plan.themes.length} of ${all.size} themes` },
    ...(plan.hasBranding ? [] : [{ text: "Your pages without 'Made with Meishi'" }]),
    ...(plan.canMoveLinks ? [{ text: "You choose the tab of each link" }] : []),
    ...(plan.hasAnalytics ? [{ text: "Analytics", isLater: !built.analytics }] : []),
    ...(plan.monthlyPrice === 0 ? [{ text: "Link, QR code, NFC and contact file" }] : []),
    { text: `${plan.support} support` },
  ];
}
