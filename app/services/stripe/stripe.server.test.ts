import { expect, test } from "vitest";

import { readStripeSettings } from "#app/services/config/stripe-settings.server.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";
import type { StripeDouble } from "#tests/support/providers/stripe/stripe-double.ts";

import { createStripe, isUnknownAtStripe, stripeErrorCode } from "./stripe.server.ts";

function connect(double: StripeDouble) {
  const env: Record<string, string> = double.env;
  const settings = readStripeSettings((name) => env[name] ?? "", []);
  if (!settings) throw new Error("the settings are incomplete");
  return createStripe(settings);
}

test("the official SDK talks to the double: a customer subscribes, pays each month and cancels", async () => {
  const double = await openStripe();
  const { forPage } = connect(double);
  const customer = await forPage((stripe) => stripe.customers.create({ email: "ada@example.com" }));
  const session = await forPage((stripe) =>
    stripe.checkout.sessions.create({
      customer: customer.id,
      mode: "subscription",
      line_items: [{ price: "price_monthly", quantity: 1 }],
      success_url: "https://example.com/success?session_id={CHECKOUT_SESSION_ID}",
      cancel_url: "https://example.com/cancel",
    }),
  );
  expect(double.pay(session.url ?? "")).toBe(`https://example.com/success?session_id=${session.id}`);
  double.advance(31 * 86_400_000);
  const [subscription] = (await forPage((stripe) => stripe.subscriptions.list({ customer: customer.id }))).data;
  const invoices = await forPage((stripe) => stripe.invoices.list({ customer: customer.id, status: "paid" }));
  expect([subscription?.status, invoices.data.map(({ amount_paid }) => amount_paid)]).toEqual(["active", [799, 799]]);
  await forPage((stripe) => stripe.subscriptions.cancel(subscription?.id ?? ""));
  expect(double.takeEvents().map(({ type }) => type)).toEqual([
    "customer.created",
    "customer.subscription.created",
    "invoice.paid",
    "checkout.session.completed",
    "invoice.paid",
    "customer.subscription.updated",
    "customer.subscription.deleted",
  ]);
});

test("accepts an event with a right signature of the last five minutes, and no other", async () => {
  const double = await openStripe();
  const { readEvent } = connect(double);
  double.state.record("invoice.paid", { id: "in_1", customer: "cus_1" });
  const [event] = double.takeEvents();
  if (!event) throw new Error("no event");
  const { payload, header } = double.sign(event);
  const body = Buffer.from(payload);
  const now = double.clock();
  expect(await readEvent(body, header, now)).toMatchObject({ id: event.id, type: "invoice.paid" });
  expect(await readEvent(body, header, now + 299_000)).toMatchObject({ id: event.id });
  expect(await readEvent(body, header, now + 301_000)).toBeUndefined();
  expect(await readEvent(Buffer.concat([body, Buffer.from(" ")]), header, now)).toBeUndefined();
  expect(await readEvent(body, double.sign(event, { secret: "whsec_other" }).header, now)).toBeUndefined();
  for (const wrong of ["", "t=1", "v1=abc", "t=x,v1=y"])
    expect(await readEvent(body, wrong, now), wrong).toBeUndefined();
});

test("tells an unknown object from a failure, and tries again after one", async () => {
  const double = await openStripe();
  const { forPage } = connect(double);
  const load = () => forPage((stripe) => stripe.customers.retrieve("cus_unknown")).catch((error: unknown) => error);
  expect(isUnknownAtStripe(await load())).toBe(true);
  double.health = "fails once";
  expect(isUnknownAtStripe(await load())).toBe(true);
  double.health = "rate-limited";
  expect(stripeErrorCode(await load())).toBe("rate_limit");
  double.health = "down";
  expect(isUnknownAtStripe(await load())).toBe(false);
});
