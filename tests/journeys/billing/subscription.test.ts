import { expect, test } from "vitest";

import { setUpStripe } from "#app/features/billing/operator/stripe-setup.server.ts";
import { checkPrices } from "#app/features/billing/stripe/price-checks.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { openClient } from "#app/services/stripe/stripe.server.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { firstLink, readElements, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import {
  buyPremium,
  createStripeApp,
  createSubscribedApp,
  pressPremium,
} from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

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
  const switching = "Switch between monthly and yearly, change your card or cancel in Stripe’s customer portal.";
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
  await expect(checkPrices(services)).rejects.toThrow("this Stripe account doesn’t have");
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

const ada = { email: "ada@example.com", password: "tea with Charles" };
const yearly = "/pricing/subscribe?tier=premium&period=yearly";

/** The button of Premium on a page: opens the checkout, or another page. */
const locationOf = async (person: Visitor, path: string) => (await person.get(path)).headers.get("location");

async function withSignUp(query: string, env: Record<string, string> = {}) {
  const product = await createStripeApp(env);
  const browser = product.visitor();
  const path = (await locationOf(browser, `/signup?${query}`)) ?? "";
  const page = await (await browser.get(path)).text();
  await browser.post(path, { intent: "sign-up", ...ada });
  const confirm = async (person: Visitor, form: Record<string, string>) =>
    (await person.post(firstLink((await product.mails())[0]?.text), form)).headers.get("location");
  return { ...product, browser, path, page, confirm };
}

test("signing up for Premium carries on to the checkout of the chosen period, with the confirmation in another browser", async () => {
  const { visitor, stripe, page, confirm } = await withSignUp("tier=premium&period=yearly");
  expect(page).toContain("You chose Premium. You’ll pay after you confirm your email.");
  const phone = visitor();
  const next = await confirm(phone, { password: ada.password });
  expect(next).toBe(yearly);
  const summary = await (await phone.get(yearly)).text();
  expect(summary).toMatch(/<input(?=[^>]*checked="")[^>]*value="yearly"/);
  expect(summary).toMatch(/<button(?=[^>]*formMethod="post")[^>]*formAction="\/pricing\/checkout"/i);
  expect(stripe.state.sessions.size).toBe(0);

  const checkout = await pressPremium(phone, "yearly");
  expect([...stripe.state.sessions.values()].map(({ price }) => price)).toEqual(["price_yearly"]);
  const back = new URL(stripe.pay(checkout ?? ""));
  const success = await (await phone.get(back.pathname + back.search)).text();
  expect(success).toContain("You&#x27;re Pro now!");
  // The first steps weren't done yet.
  expect(success).toMatch(/href="\/start"[^>]*>\s*Set up your card/);
  expect(await locationOf(phone, "/start")).toBe("/start/name");
  // Once: the page leads a subscriber away, and the next sign-in to the first steps or the profile.
  const again = await phone.get(yearly);
  expect(again.headers.get("location")).toBe("/pricing");
  expect(toastIn(again)).toMatchObject({ title: "You’re already on Premium" });
  const later = await visitor().post("/auth", { intent: "log-in", ...ada });
  expect(later.headers.get("location")).toBe("/home");
});

test("every sign-in method leads there: the Login tab, an email code and a provider", async () => {
  const { visitor, mails, browser, page, confirm } = await withSignUp("tier=premium");
  expect(page).toContain('href="/auth?tier=premium"');
  expect(await confirm(browser, {})).toBe("/pricing/subscribe?tier=premium");
  const login = await visitor().post("/auth?tier=premium", { intent: "log-in", ...ada });
  expect(login.headers.get("location")).toBe("/pricing/subscribe?tier=premium");
  expect(await locationOf(browser, "/signup?tier=premium&period=yearly")).toBe(yearly);
  expect(await locationOf(browser, "/auth?tier=premium")).toBe("/pricing/subscribe?tier=premium");
  const other = visitor();
  await other.post("/auth?tier=premium&period=yearly", { intent: "email-sign-in", email: ada.email });
  const code = /^(\d{6})$/m.exec((await mails())[0]?.text ?? "")?.[1] ?? "";
  expect((await other.post("/auth/code", { intent: "code", code })).headers.get("location")).toBe(yearly);
  const google = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
  const withGoogle = await withSignUp("tier=premium&period=yearly", google);
  expect(withGoogle.page).toContain(
    'action="/auth/with/google?returnTo=%2Fpricing%2Fsubscribe%3Ftier%3Dpremium%26period%3Dyearly"',
  );
});

test("a canceled checkout leads to the plans, and to the first steps on Free", async () => {
  const { browser, confirm } = await withSignUp("tier=premium");
  expect(await confirm(browser, {})).toBe("/pricing/subscribe?tier=premium");
  expect(await (await browser.get("/pricing/subscribe")).text()).toContain('href="/start"');
  await pressPremium(browser);
  const canceled = await (await browser.get("/cancel")).text();
  for (const path of ["/pricing", "/start", "/"]) expect(canceled).toContain(`href="${path}"`);
  expect(await locationOf(browser, "/start")).toBe("/start/name");
});

test("a path in the sign-up link wins over the plan, and only a path on this site counts", async () => {
  const { browser, confirm } = await withSignUp("tier=premium&returnTo=/share/profile");
  expect(await confirm(browser, {})).toBe("/share/profile");
  const foreign = await withSignUp("tier=premium&returnTo=//evil.example&period=x");
  expect(foreign.path).toBe("/auth?tab=signup&tier=premium");
  expect(await foreign.confirm(foreign.browser, {})).toBe("/pricing/subscribe?tier=premium");
});

test("opening a page buys nothing, whoever leads a browser there", async () => {
  const { visitor, signedIn, stripe } = await createStripeApp();
  const owner = await signedIn();
  stripe.requests.length = 0;
  expect((await owner.get("/pricing/subscribe")).status).toBe(200);
  expect(await locationOf(owner, "/pricing/checkout?period=monthly")).toBe("/pricing");
  const foreign = await owner.post("/pricing/checkout", { period: "monthly" }, { origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  expect(stripe.requests).toEqual([]);
  expect(await locationOf(visitor(), yearly)).toBe(`/auth?returnTo=${encodeURIComponent(yearly)}`);
});

test("without Stripe, and where everyone has Premium, the plan is ignored and nothing is a dead end", async () => {
  const none = { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "", STRIPE_PRICE_MONTHLY: "", STRIPE_PRICE_YEARLY: "" };
  const unsold = await withSignUp("tier=premium", none);
  expect(unsold.page).toContain("It isn’t available yet, so your account starts on Free.");
  expect(await unsold.confirm(unsold.browser, {})).toBe("/start");
  expect(await locationOf(unsold.browser, yearly)).toBe("/start");
  const team = await withSignUp("tier=premium", { ...none, PLAN_FOR_EVERYONE: "premium" });
  expect(team.path).toBe("/auth?tab=signup");
  expect(await team.confirm(team.browser, {})).toBe("/start");
  expect(await locationOf(team.browser, yearly)).toBe("/start");
});

test("the home page takes the chosen period along to the sign-up", async () => {
  const { visitor } = await createStripeApp();
  const html = await (await visitor().get("/")).text();
  expect(html).toMatch(
    /<button(?=[^>]*form="plan-form")(?=[^>]*formMethod="get")(?=[^>]*formAction="\/signup")[^>]*value="premium" name="tier"/i,
  );
  expect(html).toMatch(/<input(?=[^>]*name="period")[^>]*form="plan-form"/);
  expect(visibleText(html)).toContain("Get Premium");
});

test("with the settings of a new Stripe account that the command set up, Premium is sold and managed", async () => {
  const stripe = await openStripe({ isNew: true });
  const client = await openClient({ secretKey: stripe.env.STRIPE_SECRET_KEY, apiUrl: stripe.url });
  const options = { baseUrl: "https://cards.example.com", apply: true, webhook: "keep" } as const;
  const { settings } = await setUpStripe(client, options);
  // Starting it compares the prices with those of the pricing page.
  const { ada } = await createSignedInApp({ env: { ...stripe.env, ...settings }, clock: stripe.clock });
  expect(await buyPremium(ada, stripe)).toContain("You&#x27;re Pro now!");
  await ada.post("/account/portal", {});
  const [portal] = stripe.state.portalSessions.values();
  expect(portal?.configuration).toBe(settings.STRIPE_PORTAL_CONFIGURATION);
});
