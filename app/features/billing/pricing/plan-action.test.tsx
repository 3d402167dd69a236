import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";

import { planOffer } from "#app/features/billing/offer.ts";
import { plans } from "#app/features/billing/rules.ts";
import type { PlanId } from "#app/features/billing/rules.ts";

import { PlanAction } from "./plan-action.tsx";

test.each([
  { customer: "a visitor", plan: undefined, label: planOffer(plans.premium, "sold").cta.label },
  { customer: "a user on Free", plan: "free" as const, label: "Upgrade to Premium" },
])("the action of Premium is a button that posts for $customer, once payments are configured", ({ plan, label }) => {
  const html = show("premium", plan, true);
  for (const attribute of [
    'type="submit"',
    'form="plan-form"',
    'formMethod="post"',
    'formAction="/pricing/checkout"',
    'name="plan"',
  ])
    expect(/<button[^>]* value="premium"[^>]*>/.exec(html)?.[0]).toContain(attribute);
  expect(html).toContain(`${label}</button>`);
  expect(html).not.toContain("available yet");
});

test("the action of Premium offers no purchase while Premium is unavailable", () => {
  for (const plan of [undefined, "free"] as const) {
    const html = show("premium", plan, false);
    expect(html).not.toContain("<button");
    expect(html).toContain("Premium isn’t available yet");
  }
  expect(show("premium", undefined, false)).toContain('href="/signup?tier=premium"');
  expect(show("premium", "free", false)).toContain('href="/contact"');
});

test.each(["free", "premium"] as const)("a user's own plan is not offered again: %s", (plan) => {
  for (const canBuy of [true, false]) expect(show(plan, plan, canBuy)).not.toMatch(/<button|signup|available yet/);
});

test("Premium includes Free, without a button", () => {
  expect(show("free", "premium", true)).toContain("Included in your plan");
});

function show(offer: PlanId, plan: PlanId | undefined, canBuy: boolean): string {
  const Component = () => (
    <PlanAction offer={planOffer(plans[offer], canBuy ? "sold" : "granted")} customer={{ plan }} canBuy={canBuy} />
  );
  const Page = createRoutesStub([{ path: "/", Component }]);
  return renderToStaticMarkup(<Page />);
}
