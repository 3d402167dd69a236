import { z } from "zod";

import { transact } from "#app/services/database/database.server.ts";
import { saveSetting } from "#app/services/config/setting-rows.server.ts";
import { retryGivenUp } from "#app/services/jobs/job-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";
import { notifyOperators } from "#app/features/billing/data.server.ts";

import { deleteCustomer, deleteCustomerJob, deletedOwner } from "./customer-data.server.ts";
import { listChangedEmails, updateEmailJob, updateToCurrentEmail } from "./customer-email-data.server.ts";
import { idOf, listUnknownPrices } from "./price-data.server.ts";
import { openStatuses, syncCustomer, toRow } from "./subscription-data.server.ts";
import type { SubscriptionRow } from "./subscription-data.server.ts";

export const syncCustomerJob = "sync-stripe-customer";
export const syncChargeJob = "sync-stripe-charge";
export const reconcileJob = "reconcile-stripe";

export const stripeJobs = {
  [syncCustomerJob]: syncChangedCustomer,
  [syncChargeJob]: syncCustomerOfCharge,
  [deleteCustomerJob]: async (services: Services, payload: unknown) =>
    deleteCustomer(requireStripe(services), customerPayload.parse(payload).customerId),
  [updateEmailJob]: async (services: Services, payload: unknown) =>
    updateToCurrentEmail(services, requireStripe(services).forJob, customerPayload.parse(payload).customerId),
  [reconcileJob]: reconcile,
};

const customerPayload = z.object({ customerId: z.string(), reads: z.number().optional() });

/** Reads the customer of an event, unless a read that started after the event arrived is stored. */
async function syncChangedCustomer(services: Services, payload: unknown) {
  const { customerId, reads } = customerPayload.parse(payload);
  if (reads !== undefined) {
    const customer = await services.db
      .selectFrom("stripe_customer")
      .select("stored_read")
      .where("customer_id", "=", customerId)
      .executeTakeFirst();
    if (!customer || customer.stored_read > reads) return;
  }
  await syncCustomer(services, requireStripe(services).forJob, customerId);
}

/** Reads the customer of a charge, and tells operators if it is disputed or refunded in full: both leave the plan as it is. */
async function syncCustomerOfCharge(services: Services, payload: unknown) {
  const { db } = services;
  const { forJob } = requireStripe(services);
  const { chargeId } = z.object({ chargeId: z.string() }).parse(payload);
  const { customer, disputed, refunded } = await forJob((client) => client.charges.retrieve(chargeId));
  if (!customer) return;
  const customerId = idOf(customer);
  await syncCustomer(services, forJob, customerId);
  const ownerId = (await listOwners(db, [customerId])).get(customerId);
  if (ownerId === undefined) return;
  await transact(db, async (trx) => {
    if (disputed) await notifyOperators(trx, services, { ownerId, kind: "payment-disputed", detail: chargeId });
    if (refunded) await notifyOperators(trx, services, { ownerId, kind: "payment-refunded", detail: chargeId });
  });
}

/** A job of an installation whose settings were removed waits until they are back. */
function requireStripe({ stripe }: Services): StripeApi {
  if (!stripe) throw new Error("Stripe isn’t configured.");
  return stripe;
}

/** What is stored for some weeks, also when nothing is sold any more. */
export async function deleteOldEvents({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  await db
    .deleteFrom("stripe_event")
    .where("received_at", "<", clock() - storedEventsMs)
    .execute();
  await db
    .deleteFrom("stripe_subscription")
    .where("owner_id", "=", deletedOwner)
    .where("ended_at", "<", clock() - storedEventsMs)
    .execute();
}

/** For every day. */
export async function startReconciliation({ stripe, db, jobs, clock }: Services): Promise<void> {
  if (!stripe) return;
  // An account that is gone must not be charged, however long Stripe can't be reached.
  await retryGivenUp(db, { kind: deleteCustomerJob, now: clock() });
  const customers = new Set([...(await listUnreadCustomers(db)), ...(await listOverdueCustomers(db, clock()))]);
  await spreadJobs({ db, jobs, clock }, syncCustomerJob, { customers });
  await jobs.enqueue(db, reconcileJob, { compared: 0, fixed: 0 });
}

/** Customers that weren't read yet, or not with the live key: a thousand a day, for Stripe's sake. */
async function listUnreadCustomers(db: Services["db"]): Promise<string[]> {
  const query = db.selectFrom("stripe_customer").select("customer_id").where("is_read", "=", 0);
  return (await query.limit(1_000).execute()).map(({ customer_id }) => customer_id);
}

/** Customers with a subscription that should have been renewed or ended: Stripe's list may not have it, such as after a change of the key. */
async function listOverdueCustomers(db: Services["db"], now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("stripe_subscription")
    .innerJoin("stripe_customer", "stripe_customer.owner_id", "stripe_subscription.owner_id")
    .select("customer_id")
    .where("status", "in", openStatuses)
    .where("current_period_end", "<", now - overdueMs)
    .limit(1_000)
    .execute();
  return rows.map(({ customer_id }) => customer_id);
}

/** Adds a job for each of these customers, with time between them: mails of sign-ins wait in the same queue. `after`: how many are ahead. */
async function spreadJobs(
  { db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">,
  kind: string,
  { customers, after = 0 }: { customers: Iterable<string>; after?: number },
): Promise<void> {
  const now = clock();
  for (const [index, customerId] of [...customers].entries())
    await jobs.schedule(db, { kind, payload: { customerId }, runAt: now + (after + index) * spreadMs });
}

const spreadMs = 5_000;
const overdueMs = 2 * 24 * 60 * 60 * 1_000;
export const dailyLimit = {
  name: "stripe reconciliation",
  max: 1,
  windowMs: 20 * 60 * 60 * 1_000,
  isExpected: true,
} as const;
/** Stripe repeats an event for three days. */
const storedEventsMs = 35 * 24 * 60 * 60 * 1_000;

const reconcilePayload = z.object({ after: z.string().optional(), compared: z.number(), fixed: z.number() });

/** Compares a page of all subscriptions at Stripe with the stored ones; jobs read the customers that differ. The next job does the next page. */
async function reconcile(services: Services, payload: unknown) {
  const { db, jobs, log, clock } = services;
  const { after, ...before } = reconcilePayload.parse(payload);
  const page = await readPage(services, after);
  const customers = page.data.map(({ customer }) => idOf(customer));
  const owners = await listOwners(db, customers);
  const changed = new Set<string>();
  const unknown = await listUnknownPrices(
    db,
    page.data.map(({ items }) => items.data[0]?.price.id ?? ""),
  );
  const unpriced = new Set<string>();
  for (const [index, subscription] of page.data.entries()) {
    const customerId = customers[index] ?? "";
    const ownerId = owners.get(customerId);
    if (ownerId === undefined) continue;
    before.compared += 1;
    const stored = await findStored(db, subscription.id);
    if (!isSame(stored, toRow(subscription, ownerId))) changed.add(customerId);
    // The price may be one of ours by now.
    else if (unknown.includes(stored?.price_id ?? "")) unpriced.add(customerId);
  }
  // The jobs of earlier pages are ahead.
  await spreadJobs(services, syncCustomerJob, { customers: changed.union(unpriced), after: before.fixed });
  const emails = page.data.map(({ customer }) => customer);
  await spreadJobs(services, updateEmailJob, { customers: await listChangedEmails(db, emails), after: before.fixed });
  const total = { compared: before.compared, fixed: before.fixed + changed.size };
  const last = page.data.at(-1);
  if (page.has_more && last) return jobs.enqueue(db, reconcileJob, { ...total, after: last.id });
  log.info(total, "subscriptions compared with Stripe");
  return saveSetting(db, reconciliationSetting, JSON.stringify({ ...total, at: clock() }));
}

function readPage(services: Services, after: string | undefined) {
  return requireStripe(services).forJob((client) =>
    client.subscriptions.list({
      status: "all",
      limit: 100,
      expand: ["data.customer"],
      ...(after !== undefined && { starting_after: after }),
    }),
  );
}

/** The row of `setting` with the result of the last comparison: JSON of {compared, fixed, at}; `fixed` are the customers that are read again. */
export const reconciliationSetting = "stripe-reconciliation";

async function listOwners(db: Services["db"], customers: string[]): Promise<Map<string, string>> {
  if (customers.length === 0) return new Map();
  const rows = await db
    .selectFrom("stripe_customer")
    .select(["customer_id", "owner_id"])
    .where("customer_id", "in", customers)
    .execute();
  return new Map(rows.map(({ customer_id, owner_id }) => [customer_id, owner_id]));
}

function findStored(db: Services["db"], id: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom("stripe_subscription").selectAll().where("id", "=", id).executeTakeFirst();
}

function isSame(stored: SubscriptionRow | undefined, current: Omit<SubscriptionRow, "past_due_since">): boolean {
  return (
    stored !== undefined &&
    Object.entries(current).every(([name, value]) =>
      Object.entries(stored).some(([key, old]) => key === name && old === value),
    )
  );
}
