import { describe, expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import { buyPremium, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripeForPrograms } from "#tests/support/providers/stripe/stripe-program.ts";

const days = 86_400_000;

describe.runIf(listEngines().includes("postgres"))("two processes on one PostgreSQL that sell Premium", () => {
  async function open() {
    const sale = await openStripeForPrograms();
    const { databaseUrl: DATABASE_URL = "", db } = await makeDatabase("postgres", { migrated: false });
    const start = async () => {
      const program = await startProgram({ ...sale.env, DATABASE_URL });
      onTestFinished(program.remove);
      expect(await program.isUp(), program.errors()).toBe(true);
      return program;
    };
    const [first, second] = [await start(), await start()];
    const ada = await signUpAt(first, "ada@example.com");
    const showsCard = (card: string) =>
      Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}/card/${card}`)).status));
    return { ...sale, db, nodes: [first, second], first, ada, showsCard };
  }

  test("do the work of an event once that arrives at both at the same time, three times each", async () => {
    const { stripe, db, nodes, ada, send } = await open();
    stripe.pay((await pressPremium(ada)) ?? "");
    const event = stripe.takeEvents().find(({ type }) => type === "checkout.session.completed");
    if (!event) throw new Error("nothing was paid");
    stripe.requests.length = 0;
    const responses = await Promise.all([...nodes, ...nodes, ...nodes].map((node) => send(node, event)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const readState = async () => ({
      plans: await db.selectFrom("subscription").select("plan").execute(),
      events: await db.selectFrom("stripe_event").select("id").execute(),
      jobs: await db.selectFrom("job").select("kind").where("kind", "like", "%stripe%").execute(),
    });
    await expect.poll(readState).toEqual({ plans: [{ plan: "premium" }], events: [{ id: event.id }], jobs: [] });
    const reads = stripe.requests.filter((line) => line.startsWith("GET /v1/subscriptions?customer="));
    expect(reads).toHaveLength(1);
  });

  test("pause the other cards on both: at the end of the period at once, and after an event", async () => {
    const { stripe, first, ada, send, advance, showsCard } = await open();
    await buyPremium(ada, stripe);
    const [oldest, card] = [await makeCard(ada), await makeCard(ada)];
    await expect.poll(() => showsCard(card)).toEqual([200, 200]);
    const deliver = async () => {
      for (const event of stripe.takeEvents()) expect((await send(first, event)).status).toBe(200);
    };
    const newest = () => [...stripe.state.subscriptions.values()].at(-1);

    const subscription = newest();
    if (!subscription) throw new Error("nothing was bought");
    stripe.billing.end(subscription);
    await deliver();
    await expect.poll(() => showsCard(card)).toEqual([404, 404]);
    expect(await showsCard(oldest)).toEqual([200, 200]);

    await buyPremium(ada, stripe);
    await expect.poll(() => showsCard(card)).toEqual([200, 200]);
    const next = newest();
    if (!next) throw new Error("nothing was bought");
    stripe.billing.cancelAtPeriodEnd(next);
    await deliver();
    await expect.poll(async () => (await ada.get("/account")).text()).toContain("Ends on");
    await expect.poll(() => showsCard(card)).toEqual([200, 200]);
    advance(30 * days);
    expect(await showsCard(card)).toEqual([404, 404]);
  });
});
