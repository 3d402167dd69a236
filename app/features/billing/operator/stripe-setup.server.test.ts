import { expect, test } from "vitest";

import { webhookEvents } from "#app/features/billing/stripe/webhook-handler.server.ts";
import { openClient } from "#app/services/stripe/stripe.server.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";
import type { StripeDouble } from "#tests/support/providers/stripe/stripe-double.ts";

import { setUpStripe } from "./stripe-setup.server.ts";
import type { SetupOptions } from "./stripe-setup.server.ts";

const baseUrl = "https://cards.example.com";

/** A Stripe account that has nothing yet, and the command that sets it up. */
async function openAccount() {
  const double = await openStripe({ isNew: true });
  const client = await openClient({ secretKey: double.env.STRIPE_SECRET_KEY, apiUrl: double.url });
  const run = (more: Partial<SetupOptions> = {}) =>
    setUpStripe(client, { baseUrl, apply: true, webhook: "keep", ...more });
  return { double, run };
}

/** The requests since the last call that changed something. */
const takeWrites = (double: StripeDouble) => double.requests.splice(0).filter((request) => !request.startsWith("GET "));

test("creates what selling Premium needs, with the prices of the pricing page and exactly our events", async () => {
  const { double, run } = await openAccount();
  const { settings } = await run();
  const { prices, products, portalConfigurations, portalPrices, webhookEndpoints } = double.state;
  const priceIds = [settings.STRIPE_PRICE_MONTHLY ?? "", settings.STRIPE_PRICE_YEARLY ?? ""];
  expect([...products.values()].map(({ name }) => name)).toEqual(["Meishi Premium"]);
  expect(priceIds.map((id) => prices.get(id))).toMatchObject([
    { currency: "usd", unit_amount: 799, recurring: { interval: "month" } },
    { currency: "usd", unit_amount: 8000, recurring: { interval: "year" } },
  ]);
  const portal = settings.STRIPE_PORTAL_CONFIGURATION ?? "";
  expect(portalPrices.get(portal)).toEqual(priceIds);
  expect(portalConfigurations.get(portal)).toMatchObject({
    default_return_url: `${baseUrl}/account`,
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" },
      subscription_update: { enabled: true, default_allowed_updates: ["price"] },
    },
  });
  const [endpoint, ...others] = webhookEndpoints.values();
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({ url: `${baseUrl}/webhooks/stripe`, api_version: "2026-10-28.endive" });
  expect(endpoint?.enabled_events.toSorted()).toEqual(webhookEvents.toSorted());
  expect(settings.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
});

test("only reports what is missing when it may not change anything, and changes nothing the second time", async () => {
  const { double, run } = await openAccount();
  const { changes, settings } = await run({ apply: false });
  expect([changes.length, settings, takeWrites(double)]).toEqual([5, {}, []]);
  // Stripe shows the secret once.
  const { STRIPE_WEBHOOK_SECRET: _, ...first } = (await run()).settings;
  takeWrites(double);
  expect(await run()).toEqual({ changes: [], notes: [], settings: first });
  expect(await run({ apply: false })).toEqual({ changes: [], notes: [], settings: first });
  expect(takeWrites(double)).toEqual([]);
});

test("replaces a price whose amount is another one, and the portal then offers the new price", async () => {
  const { double, run } = await openAccount();
  const { settings: before } = await run();
  const old = double.state.prices.get(before.STRIPE_PRICE_MONTHLY ?? "");
  if (old) old.unit_amount = 599;
  expect((await run({ apply: false })).changes.join()).toContain("isn't $7.99");
  const { settings: after, changes } = await run();
  expect(changes).toHaveLength(2);
  expect(old).toMatchObject({ active: true, lookup_key: null });
  expect(double.state.prices.get(after.STRIPE_PRICE_MONTHLY ?? "")).toMatchObject({ unit_amount: 799 });
  expect(after).toMatchObject({
    STRIPE_PRICE_YEARLY: before.STRIPE_PRICE_YEARLY,
    STRIPE_PORTAL_CONFIGURATION: before.STRIPE_PORTAL_CONFIGURATION,
  });
  const expected = [after.STRIPE_PRICE_MONTHLY, after.STRIPE_PRICE_YEARLY];
  expect(double.state.portalPrices.get(after.STRIPE_PORTAL_CONFIGURATION ?? "")).toEqual(expected);
});

test("corrects an archived product, a disabled endpoint and other events", async () => {
  const { double, run } = await openAccount();
  await run();
  const [product] = double.state.products.values();
  const [endpoint] = double.state.webhookEndpoints.values();
  Object.assign(product ?? {}, { active: false });
  Object.assign(endpoint ?? {}, { status: "disabled", enabled_events: ["*"] });
  expect((await run()).changes).toHaveLength(2);
  expect(product).toMatchObject({ active: true });
  expect(endpoint).toMatchObject({ status: "enabled" });
  expect(endpoint?.enabled_events).toHaveLength(webhookEvents.length);
});

test("replaces the endpoint for a new secret, leaves those of other sites, and names one with another API version", async () => {
  const { double, run } = await openAccount();
  const { settings: before } = await run();
  await run({ baseUrl: "https://other.example.com" });
  const [endpoint] = double.state.webhookEndpoints.values();
  if (endpoint) endpoint.api_version = "2024-06-20";
  const { notes, changes } = await run();
  expect([changes, notes.join()]).toEqual([[], expect.stringContaining("2024-06-20")]);
  const { settings: after } = await run({ webhook: "replace" });
  expect(after.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(after.STRIPE_WEBHOOK_SECRET).not.toBe(before.STRIPE_WEBHOOK_SECRET);
  const expected = [`${baseUrl}/webhooks/stripe`, "https://other.example.com/webhooks/stripe"];
  expect([...double.state.webhookEndpoints.values()].map(({ url }) => url).toSorted()).toEqual(expected);
});

test("returns the new secret also when the previous endpoint can't be deleted, and names that endpoint", async () => {
  const { double, run } = await openAccount();
  await run();
  const [previous] = double.state.webhookEndpoints.keys();
  // Refuses what follows the new endpoint.
  double.beforeRequest = (request) => void (request === "POST /v1/webhook_endpoints" && (double.health = "refuses"));
  const { settings, notes } = await run({ webhook: "replace" });
  expect(settings.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(notes).toEqual([expect.stringContaining(`(${previous}) could not be deleted`)]);
});
