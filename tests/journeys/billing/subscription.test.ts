import { expect, test } from "vitest";

import { checkPrices } from "#app/features/billing/stripe/price-checks.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { readElements, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createSubscribedApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

async function withSubscriber() {
  const product = await createSubscribedApp();
  const open = async () => visibleText(await (await product.ada.get("/account")).text());
  const refresh = async () => {
    const response = await product.ada.post("/account", { intent: "check" });
    return { status: response.status, page: visibleText(await response.text()) };
  };
  return { ...product, open, refresh };
}

test("the account page shows when Premium renews, and after a cancellation when it ends", async () => {
  const { stripe, subscription, open, refresh } = await withSubscriber();
  const date = formatDate(stripe.clock() + 30 * day);
  expect(await open()).toMatch(new RegExp(`Active.*Premium.*Renews on ${date}`));
  const switching = "Switch between monthly and yearly, change your card or cancel in Stripe&#x27;s customer portal.";
  expect(await open()).toContain(switching);
  stripe.billing.cancelAtPeriodEnd(subscription);
  expect(await open()).toContain("Renews on");
  expect((await refresh()).page).toContain(`Ends on ${date}`);
  stripe.billing.end(subscription);
  const { page } = await refresh();
  expect(page).toMatch(/None.*Free.*Upgrade to Pro/);
  expect(page).not.toContain(switching);
});

test("the account page says by when to update the card after a failed payment, and seven days later that Premium ended", async () => {
  const { stripe, customer, refresh, open } = await withSubscriber();
  customer.card = "declined";
  stripe.advance(30 * day);
  const date = formatDate(stripe.clock() + 7 * day);
  expect((await refresh()).page).toContain(`Payment failed, update your card by ${date}`);
  stripe.advance(7 * day);
  const page = await open();
  expect(page).not.toContain("update your card by");
  expect(page).toContain(`Premium ended on ${date}, because a payment failed`);
  expect(page).toContain("Manage subscription");
  expect(page).not.toContain("Upgrade to Pro");
});

test("the account page shows the end of a grant that outlasts the canceled subscription", async () => {
  const { ownerId, stripe, subscription, services, refresh } = await withSubscriber();
  stripe.billing.cancelAtPeriodEnd(subscription);
  const until = stripe.clock() + 90 * day;
  await makePremium(services, ownerId, until);
  expect((await refresh()).page).toContain(`Ends on ${formatDate(until)}`);
  await makePremium(services, ownerId);
  expect((await refresh()).page).toContain("Ends on Never");
});

test("Refresh reports that Stripe can't be reached, and shows the last known status", async () => {
  const { stripe, refresh } = await withSubscriber();
  stripe.health = "down";
  const { status, page } = await refresh();
  expect(status).toBe(503);
  expect(page).toContain("Could not check subscription status");
  expect(page).toContain("Renews on");
});

test("the customer portal opens in a new tab with a fresh proof, leads back to the account, and is no one's who never paid", async () => {
  const { ada, stripe, services, ageProofs, signedIn } = await withSubscriber();
  const forms = async (person: typeof ada) =>
    readElements(await (await person.get("/account")).text())
      .filter(({ attributes }) => attributes["action"] === "/account/portal")
      .map(({ attributes }) => attributes["target"]);
  expect(await forms(ada)).toEqual(["_blank"]);
  // Someone with a stolen session could read invoices and cancel.
  await ageProofs();
  const unproven = await ada.post("/account/portal", {});
  expect(unproven.headers.get("location")).toBe("/account/verify?returnTo=%2Faccount");
  expect([...stripe.state.portalSessions]).toEqual([]);
  await ada.post("/account/verify", { password: ada.password });
  const page = await (await ada.post("/account/portal", {})).text();
  const [portal] = stripe.state.portalSessions.values();
  expect(page).toContain(`url=${portal?.url}`);
  expect(portal?.return_url).toBe(`${services.config.baseUrl}/account`);
  stripe.health = "down";
  expect(toastIn(await ada.post("/account/portal", {}))).toMatchObject({ title: "Could not open portal" });
  stripe.health = "ok";
  const bob = await signedIn("bob@example.com");
  expect(await forms(bob)).toEqual([]);
  expect(toastIn(await bob.post("/account/portal", {}))).toMatchObject({ title: "Could not open portal" });
});

test("the program doesn't start with other prices than the page shows, and starts while Stripe is down", async () => {
  const { stripe, services } = await withSubscriber();
  const monthly = stripe.state.prices.get("price_monthly");
  const yearly = stripe.state.prices.get("price_yearly");
  if (!monthly || !yearly) throw new Error("no prices");
  await checkPrices(services);
  Object.assign(monthly, { unit_amount: 899 });
  Object.assign(yearly, { currency: "jpy", unit_amount: 8000 });
  await expect(checkPrices(services)).rejects.toThrow(
    "STRIPE_PRICE_MONTHLY names a price of $8.99, but the pricing page shows $7.99. " +
      "STRIPE_PRICE_YEARLY names a price in JPY, but the pricing page shows USD.",
  );
  Object.assign(monthly, { unit_amount: 799, recurring: { interval: "year", interval_count: 1 } });
  Object.assign(yearly, { currency: "usd", active: false });
  await expect(checkPrices(services)).rejects.toThrow(/once a month.*archived/);
  stripe.state.prices.delete("price_monthly");
  await expect(checkPrices(services)).rejects.toThrow("this Stripe account doesn't have");
  stripe.health = "down";
  await checkPrices(services);
});

test("an account opens at most thirty portals an hour, and asks about a payment sixty times", async () => {
  const { ada, stripe } = await withSubscriber();
  for (let n = 0; n < 31; n++) await ada.post("/account/portal", {});
  expect([...stripe.state.portalSessions]).toHaveLength(30);
  const [id] = stripe.state.sessions.keys();
  stripe.requests.length = 0;
  for (let n = 0; n < 61; n++) await ada.get(`/success?session_id=${id}`);
  // Coming back from the checkout was the first time.
  expect(stripe.requests.filter((request) => request.includes(`checkout/sessions/${id}`))).toHaveLength(59);
});
