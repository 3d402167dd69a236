import { expect, test } from "vitest";

import { readStripeSettings } from "./stripe-settings.server.ts";

function read(env: Record<string, string>) {
  const problems: string[] = [];
  const stripe = readStripeSettings((name) => env[name] ?? "", problems);
  return { stripe, problems };
}

const all = {
  STRIPE_SECRET_KEY: "sk_live_secret",
  STRIPE_WEBHOOK_SECRET: "whsec_secret",
  STRIPE_PRICE_MONTHLY: "price_m",
  STRIPE_PRICE_YEARLY: "price_y",
};

test("reads the keys, the prices and the tax; without settings Premium isn't sold", () => {
  expect(read({})).toEqual({ stripe: undefined, problems: [] });
  expect(read({ STRIPE_TAX: "off" })).toEqual({ stripe: undefined, problems: [] });
  const stripe = {
    secretKey: "sk_live_secret",
    webhookSecret: "whsec_secret",
    prices: { monthly: "price_m", yearly: "price_y" },
    hasTax: false,
  };
  expect(read(all)).toEqual({ stripe, problems: [] });
  const more = read({ ...all, STRIPE_TAX: "on", STRIPE_PORTAL_CONFIGURATION: "bpc_1" }).stripe;
  expect(more).toEqual({ ...stripe, hasTax: true, portalConfiguration: "bpc_1" });
});

test("names what is missing, because half a configuration would take money and give nothing", () => {
  const { problems } = read({ STRIPE_SECRET_KEY: "sk_live_secret", STRIPE_PRICE_YEARLY: "price_y" });
  expect(problems).toEqual([
    "STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_MONTHLY must also be set: selling Premium needs the keys and both prices.",
  ]);
  expect(read({ STRIPE_TAX: "on" }).problems).toHaveLength(1);
  expect(read({ STRIPE_PORTAL_CONFIGURATION: "bpc_1" }).problems).toHaveLength(1);
});

test("refuses values in the wrong place without repeating them", () => {
  const { problems } = read({
    STRIPE_SECRET_KEY: "pk_live_public",
    STRIPE_WEBHOOK_SECRET: "sk_live_secret",
    STRIPE_PRICE_MONTHLY: "prod_1",
    STRIPE_PRICE_YEARLY: "prod_1",
    STRIPE_PORTAL_CONFIGURATION: "prod_1",
    STRIPE_TAX: "yes",
  });
  expect(problems).toHaveLength(7);
  expect(problems.join()).not.toMatch(/live|prod_1/);
});

test("sends the key to no other host than Stripe's, but to a test's server on this machine", () => {
  const { stripe, problems } = read({ ...all, STRIPE_API_URL: "http://127.0.0.1:4000" });
  expect([stripe?.apiUrl, problems]).toEqual(["http://127.0.0.1:4000", []]);
  for (const url of ["http://example.com", "https://127.0.0.1.example.com", "x"])
    expect(read({ ...all, STRIPE_API_URL: url }).problems, url).toHaveLength(1);
});
