import { setTimeout as pause } from "node:timers/promises";

import type { Db } from "#app/services/database/database.server.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";
import type { StripeDouble } from "#tests/support/providers/stripe/stripe-double.ts";
import type { Customer, StripeEvent } from "#tests/support/providers/stripe/stripe-objects.ts";

import { createDatabase, onBothDatabases } from "../pages/databases.ts";
import { addProfiles } from "../pages/profiles.ts";
import { median, startMeishi } from "../program.ts";
import { atLeast, atMost } from "../table.ts";
import type { Row } from "../table.ts";
import { addCustomers, changeCustomers } from "./customer-changes.ts";
import { countDifferences } from "./final-state.ts";

const eventCount = 10_000;
const customerCount = 400;
const senders = 8;

/**
 * Events of customers who subscribe, switch, cancel and fail to pay, each sent twice, in random order, some of them long after the others,
 * while Stripe's state goes on changing. Compares what the program has stored with Stripe's state. On SQLite and on PostgreSQL.
 */
export async function webhooks(): Promise<Row[]> {
  return onBothDatabases("webhook events", measure);
}

async function measure(label: string, settings: Record<string, string>): Promise<Row[]> {
  const { dataDir, db, close } = await createDatabase(settings["DATABASE_URL"]);
  const stripe = await openStripe({ closesAfterTest: false });
  const environment = { ...stripe.env, ...settings };
  const meishi = await startMeishi({ dataDir, environment });
  try {
    const result = await sendEvents(stripe, { db, url: meishi.url });
    return resultRows(label, { ...result, wrong: await countDifferences(stripe, db) });
  } finally {
    await close();
    await meishi.stop();
    await stripe.close();
  }
}

type Result = { made: number; received: number; sent: number; responseMs: number[]; seconds: number; wrong: number };

function resultRows(label: string, { made, received, sent, responseMs, seconds, wrong }: Result): Row[] {
  const slowestMs = Math.max(...responseMs);
  return [
    {
      what: `webhook: events shuffled and doubled, ${customerCount} customers, ${label}`,
      value: `${made} events in ${sent} requests, ${seconds.toFixed(0)} s`,
      bar: atLeast(eventCount, made),
    },
    {
      what: `webhook: events not carried out, and customers in a wrong state at the end, ${label}`,
      value: `${made - received} and ${wrong}`,
      bar: atMost(0, Math.abs(made - received) + wrong),
    },
    {
      what: `webhook: slowest of all responses, ${senders} requests at a time, ${label}`,
      value: `${slowestMs.toFixed(0)} ms (median ${median(responseMs).toFixed(0)} ms)`,
      bar: atMost(2_000, slowestMs, "ms"),
    },
  ];
}

type Target = { db: Db; url: string };

async function sendEvents(stripe: StripeDouble, { db, url }: Target): Promise<Omit<Result, "wrong">> {
  const random = randomNumbers(2026);
  const customers = await addOwners(stripe, db);
  const started = performance.now();
  const total = { made: 0, sent: 0, responseMs: [] as number[] };
  let late: StripeEvent[] = [];
  for (let isOver = false; !isOver; isOver = total.made >= eventCount && late.length === 0) {
    if (total.made > 0 && total.made < eventCount) changeCustomers(stripe, customers, random);
    const events = stripe.takeEvents();
    total.made += events.length;
    const waiting = shuffle([...late, ...events, ...events], random);
    // A third waits until more has happened.
    const now = waiting.splice(0, total.made < eventCount ? Math.ceil((waiting.length * 2) / 3) : waiting.length);
    late = waiting;
    for (const ms of await sendAll(stripe, url, now)) total.responseMs.push(ms);
    total.sent += now.length;
  }
  await waitForJobs(db);
  const { received } = await db
    .selectFrom("stripe_event")
    .select(({ fn }) => fn.countAll<number>().as("received"))
    .executeTakeFirstOrThrow();
  return { ...total, received, seconds: (performance.now() - started) / 1_000 };
}

/** Subscribers, each with a profile. */
async function addOwners(stripe: StripeDouble, db: Db): Promise<Customer[]> {
  await addProfiles(db, customerCount);
  const customers = addCustomers(stripe, customerCount);
  // Those that were never read are compared in the background, one every five seconds.
  const read = { is_read: 1, created_at: 1 } as const;
  const rows = customers.map(({ id, email }) => ({ owner_id: email ?? "", customer_id: id, ...read }));
  await db.insertInto("stripe_customer").values(rows).execute();
  return customers;
}

/** Returns how long each response took, in milliseconds. */
async function sendAll(stripe: StripeDouble, url: string, events: StripeEvent[]): Promise<number[]> {
  const waiting = events.values();
  const times: number[] = [];
  const send = async () => {
    for (const event of waiting) {
      const { payload, header } = stripe.sign(event, { at: Math.floor(Date.now() / 1_000) });
      const started = performance.now();
      const headers = { "content-type": "application/json", "stripe-signature": header };
      const response = await fetch(`${url}/webhooks/stripe`, { method: "POST", body: payload, headers });
      if (response.status !== 200) throw new Error(`the webhook responded with ${response.status}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  return times;
}

async function waitForJobs(db: Db): Promise<void> {
  for (const end = Date.now() + 5 * 60_000; Date.now() < end; await pause(200)) {
    const jobs = db.selectFrom("job").select("id").where("kind", "like", "%stripe%");
    // Not for those of the daily comparison that are spread over the time to come: the events alone must lead to the right state.
    const due = jobs.where((row) => row.or([row("run_at", "<=", Date.now()), row("tries", ">", 0)]));
    if (!(await due.executeTakeFirst())) return;
  }
  throw new Error("the jobs of the events don't end");
}

/** The same numbers in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffle<T>(all: T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ one }) => one);
}
