import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { buyPremium, createStripeApp } from "#tests/support/providers/stripe/stripe-app.ts";
import type { StripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

/** What might stand for a plan if the server believed what a browser sends. */
const forged = {
  plan: "premium",
  tier: "premium",
  subscription_tier: "premium",
  subscribed: "true",
  isPremium: "on",
  ends_at: "",
  maxCards: "99",
  hasBranding: "false",
  hasOwnAccents: "true",
  canMoveLinks: "true",
};

/** What an owner can do now, each tried through its form. */
async function tryEachRule({ visitor, services }: StripeApp, ada: Visitor, more: Record<string, string> = {}) {
  const id = await userIdOf(ada);
  const cards = await services.db.selectFrom("card").select("id").orderBy("created_at").execute();
  const oldest = cards[0]?.id ?? (await makeCard(ada));
  const save = async (change: Record<string, string>, links: Parameters<typeof profileForm>[1] = []) => {
    const { version } = await services.db.selectFrom("profile").select("version").executeTakeFirstOrThrow();
    return (await ada.post("/profile", { ...profileForm({ version: String(version), ...change }, links), ...more }))
      .status;
  };
  const moved = { label: "GitHub", url: "https://github.com/ada", tab: "personal" };
  const { version } = await services.db
    .selectFrom("card")
    .select("version")
    .where("id", "=", oldest)
    .executeTakeFirstOrThrow();
  const ownColor = { card_name: "Card", is_public: "on", accent: "own", accent_color: "#3a5f8c", ...more };
  const query = new URLSearchParams(more);
  const page = await (await visitor().get(`/u/${id}?${query}`)).text();
  return {
    theme: await save({ theme: "royal" }),
    tab: await save({}, [moved]),
    color: (await ada.post(`/cards/edit/${oldest}`, { ...ownColor, version: String(version) })).status,
    anotherCard: (await ada.post("/cards/edit", { card_name: "Card", is_public: "on", ...more })).headers
      .get("location")
      ?.replace(/[^/]+$/, ""),
    copy: (await ada.post(`/cards/${oldest}/duplicate`, { back: "/profile", ...more })).headers.get("location"),
    hasBranding: page.includes("Made with Meishi"),
  };
}

const premium = { theme: 302, tab: 302, color: 302, anotherCard: "/share/card/", hasBranding: false };
const free = { theme: 422, tab: 422, color: 422, anotherCard: "/", copy: "/pricing", hasBranding: true };

test("each rule of a plan follows one decision: Premium while it is paid and for seven days after, then Free until it is paid again", async () => {
  const product = await createStripeApp();
  const { stripe, deliver } = product;
  const ada = await product.signedIn();
  expect(await tryEachRule(product, ada)).toEqual(free);
  await buyPremium(ada, stripe);
  expect(await tryEachRule(product, ada)).toMatchObject(premium);
  const [customer] = stripe.state.customers.values();
  if (!customer) throw new Error("nothing was bought");
  customer.card = "declined";
  stripe.advance(30 * day);
  await deliver();
  stripe.advance(7 * day - 1_000);
  expect(await tryEachRule(product, ada)).toMatchObject(premium);
  stripe.advance(1_000);
  // A theme, a tab and a color that are stored stay, so others are tried.
  await product.services.db.updateTable("profile").set({ theme: "default", links: "[]" }).execute();
  await product.services.db.updateTable("card").set({ accent: "" }).execute();
  expect(await tryEachRule(product, ada)).toEqual(free);
  // The payment brings it back.
  customer.card = "works";
  stripe.billing.retryPayments(customer.id);
  await deliver();
  expect(await tryEachRule(product, ada)).toMatchObject(premium);
});

test("nothing that a browser sends gives Premium: fields, cookies, headers or the address", async () => {
  const product = await createStripeApp();
  const ada = await product.signedIn();
  for (const [name, value] of Object.entries(forged)) ada.cookies.set(name, value);
  const withHeaders: Visitor = {
    ...ada,
    post: (path, form) => ada.post(path, form, { "x-plan": "premium", "x-subscription-tier": "premium" }),
  };
  expect(await tryEachRule(product, withHeaders, forged)).toEqual(free);
  for (const path of ["/account", "/pricing", "/success"]) {
    const html = await (await ada.get(`${path}?${new URLSearchParams(forged)}`)).text();
    expect(html, path).not.toMatch(/You're on Premium|You&#x27;re Pro now|>Active</);
  }
  expect(await product.services.db.selectFrom("plan_grant").selectAll().execute()).toEqual([]);
});
