import { expect, test } from "vitest";

import { createStripeApp, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";

/** The monthly checkout is paid in one tab while the button for a year is pressed in another, just before a request of that. */
async function payDuring(request: RegExp) {
  const { signedIn, stripe } = await createStripeApp();
  const ada = await signedIn();
  const page = (await pressPremium(ada)) ?? "";
  let isPaid = false;
  stripe.beforeRequest = (line) => {
    if (isPaid || !request.test(line)) return;
    isPaid = true;
    stripe.pay(page);
  };
  const opened = await pressPremium(ada, "yearly");
  expect(isPaid).toBe(true);
  const open = [...stripe.state.sessions.values()].filter(({ status }) => status === "open");
  return { opened, open, stripe, ada };
}

test.each([
  ["after the subscriptions were read", /^GET \S+\/checkout\/sessions/],
  ["before the open session is closed", /^POST \S+\/expire/],
])("a payment in another tab leaves nothing to pay a second time: %s", async (_, request) => {
  const { opened, open } = await payDuring(request);
  expect(open).toEqual([]);
  expect(opened).toContain("/portal/");
});

test("a payment that comes too late for the other session isn't accepted", async () => {
  const { signedIn, stripe } = await createStripeApp();
  const ada = await signedIn();
  const page = (await pressPremium(ada)) ?? "";
  const other = (await pressPremium(ada, "yearly")) ?? "";
  expect(() => stripe.pay(page)).toThrow("isn't open");
  stripe.pay(other);
  expect(stripe.state.subscriptions.size).toBe(1);
});
