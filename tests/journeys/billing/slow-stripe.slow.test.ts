import { expect, test } from "vitest";

import { toastIn } from "#tests/support/app/responses.ts";
import { buyPremium, createStripeApp, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";

test("while Stripe answers nothing, each page that has to ask answers on its own, and works again later", async () => {
  const { signedIn, stripe } = await createStripeApp();
  const [ada, bob] = [await signedIn("ada@example.com"), await signedIn("bob@example.com")];
  await buyPremium(ada, stripe);
  const back = new URL(stripe.pay((await pressPremium(bob)) ?? ""));
  const success = () => bob.get(back.pathname + back.search);
  stripe.health = "waits";
  const [checkout, portal, refresh, waiting] = await Promise.all([
    bob.post("/pricing/checkout", { period: "monthly" }),
    ada.post("/account/portal", {}),
    ada.post("/account", { intent: "check" }),
    success(),
  ]);
  expect(stripe.health).toBe("waits");
  expect(toastIn(checkout)).toMatchObject({
    title: "Checkout failed: We couldn’t reach Stripe, which handles payments.",
    text: "You weren’t charged, and your plan hasn’t changed.",
  });
  expect(toastIn(portal)).toMatchObject({ title: "Could not open portal" });
  expect(refresh.status).toBe(503);
  expect(await refresh.text()).toContain("Could not check subscription status");
  expect(await waiting.text()).toContain("Your payment is on its way</h1>");
  stripe.health = "ok";
  expect(await (await success()).text()).toContain("You&#x27;re Pro now!</h1>");
});
