import { findPlan } from "#app/features/billing/data.server.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { proveAgo } from "#tests/support/database/account-rows.ts";

import { openStripe } from "./stripe-double.ts";
import type { StripeDouble } from "./stripe-double.ts";
import type { StripeEvent } from "./stripe-objects.ts";

export type StripeApp = Awaited<ReturnType<typeof createStripeApp>>;

/** The product that sells Premium, and Stripe's double, with one clock. */
export async function createStripeApp(env: Record<string, string> = {}) {
  const stripe = await openStripe();
  const product = await createTestApp({ env: { ...stripe.env, ...env }, clock: stripe.clock });
  return {
    ...product,
    stripe,
    /** Sends events to the webhook, those since the last call by default, and does the work that they cause. */
    deliver: async (events = stripe.takeEvents()) => {
      for (const event of events) await sendEvent(product, stripe, event);
      await product.services.jobs.runDue();
    },
  };
}

/** The same with an owner who has bought Premium, whose events are delivered. */
export async function createSubscribedApp(period = "monthly") {
  const product = await createStripeApp();
  const { services, stripe } = product;
  const ada = await product.signedIn();
  await buyPremium(ada, stripe, period);
  await product.deliver();
  const ownerId = await userIdOf(ada);
  const [subscription] = stripe.state.subscriptions.values();
  const [customer] = stripe.state.customers.values();
  const [invoice] = stripe.state.invoices.values();
  if (!subscription || !customer || !invoice) throw new Error("nothing was bought");
  return {
    ...product,
    ada,
    ownerId,
    subscription,
    customer,
    invoice,
    plan: async () => (await findPlan(services, ownerId)).id,
    /** As if the last proofs of identity were long ago. */
    ageProofs: () => proveAgo(services, 11),
    /** What the process does each hour, and the jobs of that. */
    maintain: async () => {
      await runMaintenance(features, services);
      await services.jobs.runDue();
    },
  };
}

/** Sends one event to the webhook as Stripe does: no cookie, no Origin. */
export async function sendEvent(
  { app, services }: Pick<TestApp, "app" | "services">,
  stripe: StripeDouble,
  event: StripeEvent,
): Promise<Response> {
  const { payload, header } = stripe.sign(event);
  return app.request(`${services.config.baseUrl}/webhooks/stripe`, {
    method: "POST",
    body: payload,
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": header },
  });
}

/** Presses the button of Premium. Returns the page of Stripe that opens, or undefined. */
export async function pressPremium(person: Visitor, period = "monthly"): Promise<string | undefined> {
  const response = await person.post("/pricing/checkout", { period });
  return /content="0; url=([^"]+)"/.exec(await response.text())?.[1]?.replaceAll("&amp;", "&");
}

/** Buys Premium: the pricing page, Stripe's page, and the page that Stripe leads back to, whose HTML is returned. */
export async function buyPremium(person: Visitor, stripe: StripeDouble, period = "monthly"): Promise<string> {
  const page = await pressPremium(person, period);
  if (!page) throw new Error("The button opened no page of Stripe.");
  const back = new URL(stripe.pay(page));
  return (await person.get(back.pathname + back.search)).text();
}
