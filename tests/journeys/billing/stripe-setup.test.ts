import { expect, test } from "vitest";

import { setUpStripe } from "#app/features/billing/operator/stripe-setup.server.ts";
import { openClient } from "#app/services/stripe/stripe.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { buyPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

test("with the settings of a new Stripe account that the command set up, Premium is sold and managed", async () => {
  const stripe = await openStripe({ isNew: true });
  const client = await openClient({ secretKey: stripe.env.STRIPE_SECRET_KEY, apiUrl: stripe.url });
  const options = { baseUrl: "https://cards.example.com", apply: true, webhook: "keep" } as const;
  const { settings } = await setUpStripe(client, options);
  // Starting it compares the prices with those of the pricing page.
  const { signedIn } = await createTestApp({ env: { ...stripe.env, ...settings }, clock: stripe.clock });
  const ada = await signedIn();
  expect(await buyPremium(ada, stripe)).toContain("You&#x27;re Pro now!");
  await ada.post("/account/portal", {});
  const [portal] = stripe.state.portalSessions.values();
  expect(portal?.configuration).toBe(settings.STRIPE_PORTAL_CONFIGURATION);
});
