import { setTimeout as pause } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { minFormAgeMs } from "#app/features/leads/spam-rules.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { bearerOf } from "#tests/support/app/visitor.ts";
import { readStream } from "#tests/support/browser/event-stream.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { connectApp } from "#tests/support/program/app-client.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openUnreliableProxy } from "#tests/support/program/connections.ts";
import { runProgram, startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { makeNodeFolder, signInOn, visitorOf } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";
import { buyPremium, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripeForPrograms } from "#tests/support/providers/stripe/stripe-program.ts";

type Nodes = { first: Program; second: Program; ada: ProgramUser; cardId: string };

const textAt = async (program: Program, path: string) => (await visitorOf(program).get(path)).text();
const statusAt = async (program: Program, path: string) => (await visitorOf(program).get(path)).status;

// One test, because programs of its own for each part would take longer than the parts.
test.runIf(listEngines().includes("postgres"))(
  "two processes that start at once on one empty PostgreSQL database, and a later one, serve the same data and each other's changes",
  async () => {
    const { databaseUrl = "", db } = await makeDatabase("postgres", { migrated: false });
    const network = await openUnreliableProxy(databaseUrl);
    onTestFinished(network.close);
    const start = async (env: Record<string, string>) => {
      const program = await startProgram({ DEMO: "on", ...walletSettings, ...env });
      onTestFinished(program.remove);
      return program;
    };
    // The first two have the same sessions.
    const [first, second] = await Promise.all([
      start({ DATABASE_URL: databaseUrl, DATA_DIR: makeNodeFolder() }),
      start({ DATABASE_URL: network.url, DATA_DIR: makeNodeFolder() }),
    ]);
    for (const node of [first, second]) expect(await node.isUp(), node.errors()).toBe(true);
    const third = await start({ DATABASE_URL: databaseUrl });
    for (const node of [first, second, third]) {
      expect(await node.isUp(), node.errors()).toBe(true);
      for (const path of ["/card/demo-card", "/u/demo-user", "/healthz"]) expect(await statusAt(node, path)).toBe(200);
    }
    // A session of one node is unknown to a node with another secret; a log line at the start says so.
    const warned = () =>
      [first, second, third].map((node) => node.output().includes("secrets.json differs from the one"));
    await expect.poll(warned).toEqual([false, false, true]);

    const ada = await signInOn(first, db);
    const nodes = { first, second, ada, cardId: await makeCard(ada) };
    await expectSavesToShow(nodes);
    await expectAppToFollow(nodes, db);
    await expectPauseToShow(nodes);
    await expectLeadToArrive(nodes);

    // A save also shows when the notification was missed.
    await textAt(second, `/u/${ada.id}`);
    network.cut();
    await ada.post("/profile", profileForm({ version: "4", bio: "While it was away" }));
    await network.restore();
    await expect.poll(() => textAt(second, `/u/${ada.id}`)).toContain("While it was away");

    await ada.post(`/cards/${nodes.cardId}/delete`, {});
    await expect.poll(() => statusAt(second, `/card/${nodes.cardId}`)).toBe(404);
  },
);

async function expectSavesToShow({ second, ada, cardId }: Nodes) {
  const [profile, card] = [`/u/${ada.id}`, `/card/${cardId}`];
  for (const version of ["1", "2", "3"]) {
    for (const path of [profile, card]) await textAt(second, path);
    await ada.post("/profile", profileForm({ version, bio: `Bio ${version}` }));
    for (const path of [profile, card]) await expect.poll(() => textAt(second, path)).toContain(`Bio ${version}`);
    const company = `Company ${version}`;
    await ada.post(`/cards/edit/${cardId}`, { card_name: "Card", company, is_public: "on", version });
    await expect.poll(() => textAt(second, card)).toContain(company);
  }
}

/** An app on one node gets a change that was made on the other. */
async function expectAppToFollow({ second, ada, cardId }: Nodes, db: Db) {
  const client = await connectApp(second, { db, engine: "postgres", userId: ada.id });
  const [statuses, companies]: [string[], unknown[]] = [[], []];
  client
    .channel("cards")
    .on("postgres_changes", { event: "UPDATE", schema: "public", table: "business_cards" }, ({ new: card }) =>
      companies.push(card["company"]),
    )
    .subscribe((status) => void statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  await ada.post(`/cards/edit/${cardId}`, { card_name: "Card", company: "Engines", is_public: "on", version: "4" });
  await expect.poll(() => companies).toEqual(["Engines"]);
  await client.removeAllChannels();
}

/** Its pass was in the other's cache. */
async function expectPauseToShow({ second, ada, cardId }: Nodes) {
  const status = () => statusAt(second, `/card/${cardId}/pass.pkpass`);
  expect([await status(), await status()]).toEqual([200, 200]);
  await ada.post(`/cards/${cardId}/pause`, {});
  await expect.poll(status).toBe(404);
  await ada.post(`/cards/${cardId}/pause`, { pause: "off" });
  await expect.poll(status).toBe(200);
}

/** A lead on one node is announced and counted on the other. */
async function expectLeadToArrive({ first, second, ada, cardId }: Nodes) {
  await ada.post(`/cards/${cardId}/leads`, { is_on: "on", version: "0", months: "24" });
  const stream = readStream(await fetch(`${second.url}/events`, { headers: bearerOf(ada) }));
  onTestFinished(() => stream.cancel().catch(() => undefined));
  await stream.isOpen();
  const [grace, path] = [visitorOf(first), `/card/${cardId}/connect`];
  const form = await (await grace.get(path)).text();
  await pause(minFormAgeMs);
  const [formToken, consent] = [fieldValue(form, "formToken"), fieldValue(form, "consent-answer")];
  await grace.post(path, { formToken, name: "Grace", email: "grace@example.com", "consent-answer": consent });
  expect(Object.keys((await stream.waitFor("lead.created"))?.data ?? {})).toContain("leadId");
  const counts = await fetch(`${second.url}/functions/v1/lead-counts`, { headers: bearerOf(ada) });
  expect(await counts.json()).toEqual({ unread: 1 });
}

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
