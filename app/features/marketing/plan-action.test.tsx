import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import type { PlanId } from "#app/features/billing/rules.ts";

import { PlanAction, subscribeForm } from "./plan-action.tsx";
import { offerOf } from "./plan-offer.ts";

describe("under Premium", () => {
  test.each([
    { who: "a visitor", plan: undefined, label: offerOf(plans.premium).cta.label },
    { who: "somebody on Free", plan: "free" as const, label: "Upgrade to Premium" },
  ])("$who gets a button that posts, once payments are configured", ({ plan, label }) => {
    const html = show("premium", plan, true);
    for (const attribute of [`id="${subscribeForm}"`, 'action="/pricing"', 'method="post"'])
      expect(/<form[^>]*>/.exec(html)?.[0]).toContain(attribute);
    expect(html).toContain('<input type="hidden" name="intent" value="subscribe"/>');
    expect(html).toMatch(/<button[^>]* type="submit"/);
    expect(html).toContain(`${label}</button>`);
    expect(html).not.toContain("not on sale");
  });

  test("nobody is offered what can't be bought yet", () => {
    for (const plan of [undefined, "free"] as const) {
      const html = show("premium", plan, false);
      expect(html).not.toContain("<form");
      expect(html).toContain("Premium is not on sale yet");
    }
    expect(show("premium", undefined, false)).toContain('href="/signup?tier=premium"');
    expect(show("premium", "free", false)).toContain('href="/contact"');
  });
});

describe("whoever has a plan", () => {
  test.each(["free", "premium"] as const)("is not sold it again: %s", (plan) => {
    for (const canBuy of [true, false]) expect(show(plan, plan, canBuy)).not.toMatch(/<form|signup|not on sale/);
  });

  test("has Free in Premium, and needs no button for it", () => {
    expect(show("free", "premium", true)).toContain("Included in your plan");
  });
});

function show(offer: PlanId, plan: PlanId | undefined, canBuy: boolean): string {
  return renderToStaticMarkup(<PlanAction offer={offerOf(plans[offer])} customer={{ plan }} canBuy={canBuy} />);
}
