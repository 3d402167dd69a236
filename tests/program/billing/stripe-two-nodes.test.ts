import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { runProgram } from "#tests/support/program/program.ts";
import { signInOn } from "#tests/support/program/users.ts";
import { buyPremium, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripeForPrograms } from "#tests/support/providers/stripe/stripe-program.ts";

const days = 86_400_000;

test.runIf(listEngines().includes("postgres"))(
  "two processes on one PostgreSQL do the work of an event once, and both pause cards after an event, or at the end of the period at once",
  async () => {
    const { stripe, env, send, advance } = await openStripeForPrograms();
    const { databaseUrl: DATABASE_URL = "", db } = await makeDatabase("postgres", { migrated: false });
    const start = () => runProgram({ ...env, DATABASE_URL });
    const nodes = [await start(), await start()] as const;
    const ada = await signInOn(nodes[0], db);

    // It arrives at both at the same time, three times each.
    stripe.pay((await pressPremium(ada)) ?? "");
    const paid = stripe.takeEvents().find(({ type }) => type === "checkout.session.completed");
    if (!paid) throw new Error("nothing was paid");
    stripe.requests.length = 0;
    const responses = await Promise.all([...nodes, ...nodes, ...nodes].map((node) => send(node, paid)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const readState = async () => ({
      plans: await db.selectFrom("subscription").select("plan").execute(),
      events: await db.selectFrom("stripe_event").select("id").execute(),
      jobs: await db.selectFrom("job").select("kind").where("kind", "like", "%stripe%").execute(),
    });
    await expect.poll(readState).toEqual({ plans: [{ plan: "premium" }], events: [{ id: paid.id }], jobs: [] });
    expect(stripe.requests.filter((line) => line.startsWith("GET /v1/subscriptions?customer="))).toHaveLength(1);

    const [oldest, card] = [await makeCard(ada), await makeCard(ada)];
    const statuses = (id: string) =>
      Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/card/${id}`)).status));
    const deliver = async () => {
      for (const event of stripe.takeEvents()) expect((await send(nodes[0], event)).status).toBe(200);
    };
    const newest = () => {
      const subscription = [...stripe.state.subscriptions.values()].at(-1);
      if (!subscription) throw new Error("nothing was bought");
      return subscription;
    };
    await expect.poll(() => statuses(card)).toEqual([200, 200]);
    stripe.billing.end(newest());
    await deliver();
    await expect.poll(() => statuses(card)).toEqual([404, 404]);
    expect(await statuses(oldest)).toEqual([200, 200]);

    await buyPremium(ada, stripe);
    await expect.poll(() => statuses(card)).toEqual([200, 200]);
    stripe.billing.cancelAtPeriodEnd(newest());
    await deliver();
    await expect.poll(async () => (await ada.get("/account")).text()).toContain("Ends on");
    await expect.poll(() => statuses(card)).toEqual([200, 200]);
    advance(30 * days);
    expect(await statuses(card)).toEqual([404, 404]);
  },
);
