import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { buyPremium, createStripeApp, createSubscribedApp } from "#tests/support/providers/stripe/stripe-app.ts";
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
  await save({ theme: "royal" });
  const { theme } = await services.db.selectFrom("profile").select("theme").executeTakeFirstOrThrow();
  const tab = await save({}, [moved]);
  await ada.post(`/cards/edit/${oldest}`, { ...ownColor, version: String(version) });
  const accents = await services.db.selectFrom("card").select("accent").where("id", "=", oldest).execute();
  return {
    theme,
    tab,
    hasOwnColor: accents[0]?.accent !== "",
    anotherCard: (await ada.post("/cards/edit", { card_name: "Card", is_public: "on", ...more })).headers
      .get("location")
      ?.replace(/[^/]+$/, ""),
    copy: (await ada.post(`/cards/${oldest}/duplicate`, { back: "/profile", ...more })).headers.get("location"),
    hasBranding: page.includes("Made with Meishi"),
  };
}

const premium = { theme: "royal", tab: 302, hasOwnColor: true, anotherCard: "/cards/edit/", hasBranding: false };
const free = { theme: "default", tab: 422, hasOwnColor: false, anotherCard: "/", copy: "/pricing", hasBranding: true };

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
    expect(html, path).not.toMatch(/You’re on Premium|You&#x27;re Pro now|>Active</);
  }
  expect(await product.services.db.selectFrom("plan_grant").selectAll().execute()).toEqual([]);
});

const openTeam = (more: { clock?: () => number } = {}) =>
  createTestApp({ env: { PLAN_FOR_EVERYONE: "premium", DEMO: "on", ADMIN_EMAILS: "" }, ...more });

const textOf = async (client: Pick<ReturnType<TestApp["visitor"]>, "get">, path: string) =>
  (await client.get(path)).text();

describe("where everyone has Premium", () => {
  test("an owner can do what Premium includes, and their pages have no branding, also when a grant ends", async () => {
    let now = Date.UTC(2026, 10, 21);
    const { signedIn, visitor, services } = await openTeam({ clock: () => now });
    const ada = await signedIn();
    const id = await userIdOf(ada);
    const cards = [await makeCard(ada), await makeCard(ada, { accent: "own", accent_color: "#3a5f8c" })];
    expect((await ada.post("/profile", profileForm({ theme: "royal" }))).status).toBe(302);
    expect(await textOf(visitor(), `/u/${id}`)).toContain('data-theme="royal"');
    for (const path of [`/u/${id}`, ...cards.map((card) => `/card/${card}`)]) {
      const response = await visitor().get(path);
      expect(response.status, path).toBe(200);
      expect(await response.text(), path).not.toContain("Made with Meishi");
    }
    await makePremium(services, id, now + 1_000);
    for (let round = 0; round < 2; round++, now += 2_000)
      expect(await textOf(visitor(), `/u/${id}`)).not.toContain("Made with Meishi");
  });

  test("no page for visitors mentions plans or prices, or links to them", async () => {
    const { visitor } = await openTeam();
    const paths = ["/", "/docs", "/terms", "/privacy", "/security-overview", "/contact", "/status", "/credits"];
    for (const path of [...paths, "/auth", "/auth?tab=signup&tier=premium", "/u/demo-user", "/card/demo-card"]) {
      const html = await textOf(visitor(), path);
      expect(html, path).not.toContain('href="/pricing"');
      expect(html, path).not.toMatch(/Premium|on Free\b|Upgrade|\$\d|first card is free|free account/);
    }
    expect(await textOf(visitor(), "/sitemap.xml")).not.toContain("/pricing");
    const signUp = (await visitor().get("/signup?tier=premium")).headers.get("location");
    expect(signUp).toBe("/auth?tab=signup");
  });

  test("no page of an owner mentions plans or prices, or links to them", async () => {
    const { signedIn } = await openTeam();
    const ada = await signedIn();
    const card = await makeCard(ada);
    const paths = [
      "/home",
      "/cards",
      "/profile",
      "/account",
      "/account/delete",
      `/cards/edit/${card}`,
      `/share/card/${card}`,
    ];
    for (const path of [...paths, "/cards/edit"]) {
      const html = (await textOf(ada, path)).split("<script")[0] ?? "";
      expect(html, path).toContain("</main>");
      expect(html, path).not.toContain('href="/pricing"');
      expect(html, path).not.toMatch(/Premium|Subscription|Billing|Upgrade|\$\d/);
    }
    expect((await ada.get("/signup?tier=premium")).headers.get("location")).toBe("/home");
  });

  test("the pages of a purchase don't exist", async () => {
    const { signedIn, visitor } = await openTeam();
    const ada = await signedIn();
    for (const client of [visitor(), ada]) {
      expect((await client.get("/pricing")).status).toBe(404);
      expect((await client.post("/pricing/checkout", { period: "monthly" })).status).toBe(404);
      expect((await client.get("/cancel")).status).toBe(404);
    }
    expect((await ada.get("/success")).status).toBe(404);
  });
});

test("no page asks Stripe but the one after a checkout; finding the plan costs a page at most one query, and a public page none", async () => {
  const { ada, ownerId, visitor, services, stripe } = await createSubscribedApp();
  const card = await makeCard(ada);
  const code = (await shortPathOf(visitor(), card)).replace("/c/", "");
  const own = (path: string) =>
    path.replace("/u/demo-user", `/u/${ownerId}`).replace("/card/demo-card", `/card/${card}`);
  const paths = [...new Set(listRoutes().map((route) => own(fillParameters(route, { card, code }))))];
  expect(paths).toEqual(expect.arrayContaining(["/", "/pricing", "/account", "/profile", "/success"]));
  await services.counter.flush();
  const planQueries = { count: 0 };
  services.db = services.db.withPlugin(countPlanQueries(planQueries));
  const costOf = async (person: Pick<typeof ada, "get">, path: string) => {
    planQueries.count = 0;
    stripe.requests.length = 0;
    await person.get(path);
    return { queries: planQueries.count, requests: stripe.requests.length };
  };
  const costly: Record<string, unknown> = {};
  for (const person of [ada, visitor()]) {
    for (const path of paths) {
      const cost = await costOf(person, path);
      if (cost.queries > (person === ada ? 1 : 0) || cost.requests > 0) costly[path] = cost;
    }
    // No path has signed the subscriber out.
    expect(await costOf(ada, "/profile")).toEqual({ queries: 1, requests: 0 });
  }
  expect(costly).toEqual({});
  const [session] = stripe.state.sessions.keys();
  expect((await costOf(ada, `/success?session_id=${session}`)).requests).toBeGreaterThan(0);
});

test("only the checkout, the portal and Refresh ask Stripe when a form is sent from the pages of billing", async () => {
  const { ada, stripe } = await createSubscribedApp();
  const reachesStripe = async (path: string, form: Record<string, string>) => {
    stripe.requests.length = 0;
    await ada.post(path, form);
    return stripe.requests.length > 0;
  };
  expect(await reachesStripe("/account", { intent: "check" })).toBe(true);
  expect(await reachesStripe("/account/portal", {})).toBe(true);
  expect(await reachesStripe("/pricing/checkout", { period: "monthly" })).toBe(true);
  expect(await reachesStripe("/account", { intent: "resend" })).toBe(false);
  expect(await reachesStripe("/cards/edit", { card_name: "Card" })).toBe(false);
});

/** Counts queries of the table `subscription` alone. A page that joins it needs no query for the plan. */
function countPlanQueries(counted: { count: number }): KyselyPlugin {
  return {
    transformQuery({ node }) {
      const from = node.kind === "SelectQueryNode" ? JSON.stringify([node.from, node.joins]) : "";
      const names = [...from.matchAll(/"identifier":\{"kind":"IdentifierNode","name":"(\w+)"\}/g)];
      if (names.length === 1 && names[0]?.[1] === "subscription") counted.count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
