import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { makeOperator } from "#tests/support/admin/operator-rows.ts";
import { findAxeViolations, findLightThemeViolations } from "#tests/support/browser/axe.ts";
import { findOverflow } from "#tests/support/browser/layout.ts";
import { openOwnSite, operators, phone, reducedMotion } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

const day = 86_400;

/** Who opens what, and what it says. */
const screens = [
  ["subscriber", "/success", "You're Pro now!"],
  ["subscriber", "/account", "Renews on"],
  ["subscriber", "/account/delete", "Are you sure you want to leave?"],
  ["subscriber", "/pricing", "You’re on Premium"],
  ["failed", "/account", "Payment failed, update your card by"],
  ["unpaid", "/account", "because a payment failed"],
  ["ended", "/profile", "The others are kept, and come back with Premium."],
  ["ended", "/account", "Upgrade to Pro"],
  ["free", "/pricing", "Upgrade to Premium"],
  ["free", "/pricing/subscribe?period=yearly", "Continue to payment"],
  ["free", "/cancel", "Continue on Free"],
  ["operator", "/admin/billing", "Monthly recurring revenue"],
  ["free", "/success", "We haven’t received a payment"],
  ["", "/pricing", "Get Premium"],
  ["", "/cancel", "Your card remains free"],
] as const;
const stripe = await openStripe({ closesAfterTest: false });

/** Fails for a screen that axe, a narrow or a wide window, or a request to another host finds fault with. */
async function expectGoodScreen({ page, requests }: Tab, origin: string, name: string) {
  const found = {
    overflowAt1280: await findOverflow(page, [1280, 800]),
    overflowAt320: await findOverflow(page, [320, 640]),
    axe: await findAxeViolations(page),
    axeInTheLight: await findLightThemeViolations(page),
    fromOtherHosts: requests.filter((url) => new URL(url).origin !== origin && !url.startsWith("blob:")),
  };
  const none = { overflowAt1280: [], overflowAt320: [], axe: [], axeInTheLight: [], fromOtherHosts: [] };
  expect.soft(found, name).toEqual(none);
}

describe("where Premium is sold", () => {
  const site = openOwnSite({ ...stripe.env, ...operators });
  const states = new Map<string, Awaited<ReturnType<BrowserContext["storageState"]>>>();
  let waitingPath = "";

  beforeAll(async () => {
    const context = await site.openForAll();
    const page = await context.newPage();
    const join = async (name: string) => {
      await context.clearCookies();
      const { id, state } = await signUp(context, site.program, `${name}@example.com`);
      states.set(name, state);
      return id;
    };
    /** The subscription that was just bought. */
    const buy = async (name: string) => {
      await join(name);
      await pay(page);
      await page.waitForURL("**/success?*");
      const subscription = [...stripe.state.subscriptions.values()].at(-1);
      const [item] = subscription?.items.data ?? [];
      if (!subscription || !item) throw new Error("nothing was bought");
      return { subscription, item };
    };
    const refresh = () =>
      context.request.post("/account", { form: { intent: "check" }, headers: { origin: site.url } });
    const failSince = async (name: string, days: number) => {
      const { subscription, item } = await buy(name);
      Object.assign(item, { current_period_start: stripe.state.seconds() - days * day });
      subscription.status = "past_due";
      await refresh();
    };
    await join("free");
    await buy("subscriber");
    await failSince("failed", 3);
    await failSince("unpaid", 8);
    const { subscription } = await buy("ended");
    for (const card_name of ["Engines", "Poems", "Letters"]) await makeCard(context, site.program, { card_name });
    stripe.billing.end(subscription);
    await refresh();
    makeOperator(site.program, await join("operator"));
    await join("waiting");
    await page.goto("/pricing");
    await page.getByRole("button", { name: "Upgrade to Premium" }).click();
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    waitingPath = new URL(stripe.pay(page.url())).pathname + `?session_id=${[...stripe.state.sessions.keys()].at(-1)}`;
    await context.close();
  });

  test("the screens of each state of a subscription", async () => {
    const tabs = new Map<string, Tab>();
    for (const [name, path, words] of screens) {
      const storageState = states.get(name);
      const options = { ...phone, ...reducedMotion, ...(storageState && { storageState }) };
      const tab = tabs.get(name) ?? (await site.open(options));
      tabs.set(name, tab);
      await tab.page.goto(path);
      await tab.page.getByText(words).first().waitFor();
      await expectGoodScreen(tab, site.url, `${name} ${path}`);
    }
  });

  test("a payment that isn't confirmed yet has a page that shows Premium by itself, and without script by a press", async () => {
    const storageState = states.get("waiting");
    const device = { ...phone, ...reducedMotion, ...(storageState && { storageState }) };
    const tab = await site.open(device);
    const { page: plain } = await site.open({ ...device, javaScriptEnabled: false });
    const subscription = [...stripe.state.subscriptions.values()].at(-1);
    if (!subscription) throw new Error("nothing was bought");
    subscription.status = "incomplete";
    for (const page of [tab.page, plain]) {
      await page.goto(waitingPath);
      await page.getByRole("heading", { name: "Your payment is on its way" }).waitFor();
    }
    await expectGoodScreen(tab, site.url, "waiting");
    subscription.status = "active";
    await tab.page.getByRole("heading", { name: "You're Pro now!" }).waitFor();
    await plain.getByRole("link", { name: "Check again" }).click();
    await plain.getByRole("heading", { name: "You're Pro now!" }).waitFor();
  });
});

/** From the pricing page through Stripe's. */
async function pay(page: Page) {
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Upgrade to Premium" }).click();
  await page.getByRole("button", { name: "Subscribe" }).click();
}
