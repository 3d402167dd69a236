import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createSubscribedApp } from "#tests/support/providers/stripe/stripe-app.ts";

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
