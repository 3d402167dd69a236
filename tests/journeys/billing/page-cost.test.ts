import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { buyPremium, createStripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

/** A subscriber with a card, and the paths of the route table, with their profile and their card. */
async function withSubscriber() {
  const product = await createStripeApp();
  const { stripe, signedIn, visitor } = product;
  const ada = await signedIn();
  await buyPremium(ada, stripe);
  await product.deliver();
  const card = await makeCard(ada);
  const code = (await shortPathOf(visitor(), card)).replace("/c/", "");
  const id = await userIdOf(ada);
  const own = (path: string) => path.replace("/u/demo-user", `/u/${id}`).replace("/card/demo-card", `/card/${card}`);
  const paths = listRoutes().map((route) => own(fillParameters(route, { card, code })));
  return { ...product, ada, id, paths: [...new Set(paths)] };
}

test("no page asks Stripe, signed in or not, but the one that the checkout leads back to", async () => {
  const { ada, visitor, stripe, paths } = await withSubscriber();
  const asking: string[] = [];
  stripe.requests.length = 0;
  for (const person of [ada, visitor()]) {
    for (const path of paths) {
      await person.get(path);
      if (stripe.requests.splice(0).length > 0) asking.push(path);
    }
    // No path has signed the subscriber out.
    expect((await ada.get("/account")).status).toBe(200);
  }
  expect(asking).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(["/", "/pricing", "/account", "/profile", "/success"]));
  const [session] = stripe.state.sessions.keys();
  await ada.get(`/success?session_id=${session}`);
  expect(stripe.requests.splice(0)).not.toEqual([]);
});

test("only the checkout, the portal and Refresh ask Stripe when a form is sent from the pages of billing", async () => {
  const { ada, stripe } = await withSubscriber();
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

test("finding the plan costs a page at most one query, and a public page none of its own", async () => {
  const { ada, visitor, services, paths, id } = await withSubscriber();
  await services.counter.flush();
  const planQueries = { count: 0 };
  services.db = services.db.withPlugin(countPlanQueries(planQueries));
  const costly: Record<string, number> = {};
  for (const path of paths) {
    planQueries.count = 0;
    await ada.get(path);
    if (planQueries.count > 1) costly[path] = planQueries.count;
  }
  expect(costly).toEqual({});
  planQueries.count = 0;
  await ada.get("/profile");
  expect(planQueries.count).toBe(1);
  planQueries.count = 0;
  expect((await visitor().get(`/u/${id}`)).status).toBe(200);
  expect(planQueries.count).toBe(0);
});

/** Counts queries of the table `subscription` alone. A page that joins it needs no query for the plan. */
function countPlanQueries(counted: { count: number }): KyselyPlugin {
  return {
    transformQuery({ node }) {
      const from = node.kind === "SelectQueryNode" ? JSON.stringify([node.from, node.joins]) : "";
      const tables = [...from.matchAll(/"identifier":\{"kind":"IdentifierNode","name":"(\w+)"\}/g)].map(
        ([, name]) => name,
      );
      if (tables.length === 1 && tables[0] === "subscription") counted.count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
