import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "pg";
import { describe, expect, test } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";
import { runProgram } from "#tests/support/program/program.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import { pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripeForPrograms } from "#tests/support/providers/stripe/stripe-program.ts";

/** Longer than a job's lease. */
const leaseMs = 3 * 60_000;

describe.each(listEngines())("an event whose program is killed (kill -9), on %s", (engine) => {
  /** A program whose user has just paid. The events about it have not arrived yet. */
  async function openPaid() {
    const sale = await openStripeForPrograms();
    const database = await makeDatabase(engine, { migrated: engine === "sqlite" });
    const { databaseUrl, dataDir, db } = database;
    const settings = { ...sale.env, PORT: String(await freePort()), DATA_DIR: dataDir };
    const env = { ...settings, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
    const start = () => runProgram(env);
    const program = await start();
    sale.stripe.pay((await pressPremium(await signUpAt(program, "ada@example.com"))) ?? "");
    const events = sale.stripe.takeEvents().filter(({ type }) => type !== "customer.created");
    const readState = async () => ({
      plans: await db.selectFrom("subscription").select(["plan", "ends_at"]).execute(),
      payments: await db.selectFrom("stripe_subscription").select(["id", "status"]).execute(),
      events: (await db.selectFrom("stripe_event").select("id").orderBy("id").execute()).map(({ id }) => id),
      jobs: await db.selectFrom("job").select("kind").where("kind", "like", "%stripe%").execute(),
    });
    const [subscription] = sale.stripe.state.subscriptions.keys();
    const done = {
      plans: [{ plan: "premium", ends_at: null }],
      payments: [{ id: subscription, status: "active" }],
      events: events.map(({ id }) => id).toSorted(),
      jobs: [],
    };
    return { ...sale, database, program, start, events, readState, done };
  }

  type Paid = Awaited<ReturnType<typeof openPaid>>;

  async function sendAll({ events, send, program }: Paid) {
    for (const event of events) expect((await send(program, event)).status).toBe(200);
  }

  /** Sends the events, and waits until their job has asked Stripe, which doesn't answer. */
  async function sendWhileStripeWaits(paid: Paid) {
    const { stripe } = paid;
    stripe.requests.length = 0;
    stripe.health = "waits";
    await sendAll(paid);
    await expect.poll(() => stripe.requests.some((line) => line.includes("/v1/subscriptions"))).toBe(true);
  }

  async function expectEffectAfterStart({ advance, start, readState, done }: Paid) {
    advance(leaseMs);
    await start();
    await expect.poll(readState).toEqual(done);
  }

  test("right after the response has its effect after the start", async () => {
    const paid = await openPaid();
    await sendAll(paid);
    await paid.program.kill("SIGKILL");
    await expectEffectAfterStart(paid);
  });

  test("while its job waits for Stripe has its effect after the start", async () => {
    const paid = await openPaid();
    await sendWhileStripeWaits(paid);
    await paid.program.kill("SIGKILL");
    expect((await paid.readState()).payments).toEqual([]);
    paid.stripe.health = "ok";
    await expectEffectAfterStart(paid);
  });

  test("while its job stores what it read has its effect after the start", async () => {
    const paid = await openPaid();
    await sendWhileStripeWaits(paid);
    const unlock = await lock(paid.database, "stripe_subscription");
    paid.stripe.health = "ok";
    // Until the job waits for the lock.
    await pause(500);
    await paid.program.kill("SIGKILL");
    await unlock();
    expect((await paid.readState()).payments).toEqual([]);
    await expectEffectAfterStart(paid);
  });

  test("between its receipt and the commit leaves nothing, and has its effect when Stripe repeats it", async () => {
    const { database, program, start, events, send, readState, done } = await openPaid();
    const unlock = await lock(database, "stripe_event");
    const responses = Promise.allSettled(events.map((event) => send(program, event)));
    expect(await Promise.race([responses, pause(500, "none yet")])).toBe("none yet");
    await program.kill("SIGKILL");
    await unlock();
    expect((await responses).map(({ status }) => status)).toEqual(events.map(() => "rejected"));
    expect(await readState()).toMatchObject({ payments: [], events: [], jobs: [] });
    const next = await start();
    for (const event of events) expect((await send(next, event)).status).toBe(200);
    await expect.poll(readState).toEqual(done);
  });
});

/** Makes every write to the table wait until the returned function is called; on SQLite those to all tables. */
async function lock({ dataDir, databaseUrl }: TestDatabase, table: string): Promise<() => Promise<void>> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, "meishi.db"), { timeout: 5_000 });
    database.exec("begin immediate");
    return async () => database.close();
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query(`lock table ${table} in exclusive mode`);
  return () => client.end();
}
