import type { Stripe } from "stripe";

import { notifyOperators, saveEntitlement } from "#app/features/billing/data.server.ts";
import type { StripeSubscriptionTable } from "#app/services/database/billing-schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";

import { readInvoices, storeInvoices } from "./invoice-data.server.ts";
import { idOf, learnPrices, listUnknownPrices } from "./price-data.server.ts";
import type { PriceOfProduct } from "./price-data.server.ts";

type SyncDeps = Pick<Services, "db" | "events" | "jobs" | "log" | "stripe" | "clock">;

/** How requests are sent: `forPage` or `forJob` of the API. */
type Send = StripeApi["forPage"];

/**
 * Reads a customer's subscriptions and invoices from Stripe, stores them and derives the plan. A read that started before the stored one
 * changes nothing: it may be older. Does nothing for a customer that is none of ours.
 */
export async function syncCustomer(deps: SyncDeps, send: Send, customerId: string): Promise<void> {
  const { db, events, stripe, clock } = deps;
  const read = await beginRead(db, customerId);
  if (!read) return;
  const of = { customer: customerId, ownerId: read.ownerId };
  const [{ rows, prices }, invoices] = await send((client) =>
    Promise.all([readSubscriptions(client, of), readInvoices(client, of)]),
  );
  if (stripe) await learnPrices({ db, stripe, send }, prices);
  await transact(db, async (trx) => {
    if (!(await claimRead(trx, customerId, read.number))) return;
    await storeSubscriptions(trx, read.ownerId, rows);
    await storeInvoices(trx, invoices);
    await saveEntitlement(trx, { events, now: clock() }, read.ownerId);
    await reportSubscriptions(trx, deps, rows);
  });
}

/** Tells operators about subscriptions that give no plan, and about an owner who pays more than once. */
async function reportSubscriptions(trx: Trx, deps: SyncDeps, rows: readonly SubscriptionRow[]): Promise<void> {
  const open = rows.filter(({ status }) => openStatuses.includes(status));
  const unknown = await listUnknownPrices(
    trx,
    open.map(({ price_id }) => price_id),
  );
  for (const { id, owner_id: ownerId, price_id } of open.filter((row) => unknown.includes(row.price_id)))
    await notifyOperators(trx, deps, { ownerId, kind: "unknown-price", detail: `${id}, ${price_id}` });
  const paid = open.filter(({ price_id }) => !unknown.includes(price_id));
  const detail = paid
    .map(({ id }) => id)
    .toSorted()
    .join(", ");
  const [first, second] = paid;
  if (first && second) await notifyOperators(trx, deps, { ownerId: first.owner_id, kind: "paid-twice", detail });
}

/** Numbers the reads of a customer in the order in which they start. */
async function beginRead(db: Db, customerId: string) {
  const row = await db
    .updateTable("stripe_customer")
    .set((column) => ({ reads: column("reads", "+", 1) }))
    .where("customer_id", "=", customerId)
    .returning(["owner_id as ownerId", "reads as number"])
    .executeTakeFirst();
  return row && { ownerId: row.ownerId, number: row.number };
}

/** Returns false when a later read is stored, or the account was deleted. */
async function claimRead(trx: Trx, customerId: string, number: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("stripe_customer")
    .set({ stored_read: number, is_read: 1 })
    .where("customer_id", "=", customerId)
    .where("stored_read", "<", number)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export type SubscriptionRow = StripeSubscriptionTable;

async function storeSubscriptions(trx: Trx, ownerId: string, rows: SubscriptionRow[]): Promise<void> {
  await trx.deleteFrom("stripe_subscription").where("owner_id", "=", ownerId).execute();
  if (rows.length > 0) await trx.insertInto("stripe_subscription").values(rows).execute();
}

/** A customer has one subscription at a time, so that a hundred are all of them. Deleted customers have none. */
async function readSubscriptions(
  client: Stripe,
  { customer, ownerId }: { customer: string; ownerId: string },
): Promise<ReadSubscriptions> {
  try {
    const { data } = await client.subscriptions.list({ customer, status: "all", limit: 100 });
    const prices = data.flatMap(({ items }) => items.data.slice(0, 1).map(({ price }) => price));
    const rows = await Promise.all(
      data.map(async (subscription) => ({
        ...toRow(subscription, ownerId),
        past_due_since: subscription.status === "past_due" ? await findFirstFailure(client, subscription) : null,
      })),
    );
    return { rows, prices: prices.map(({ id, product }) => ({ id, productId: idOf(product) })) };
  } catch (error) {
    if (isUnknownAtStripe(error)) return { rows: [], prices: [] };
    throw error;
  }
}

type ReadSubscriptions = { rows: SubscriptionRow[]; prices: PriceOfProduct[] };

/** When the oldest invoice was due that isn't paid. Stripe's own time, so that it is the same whenever it is read. */
async function findFirstFailure(client: Stripe, { id, items }: Stripe.Subscription): Promise<number> {
  const { data } = await client.invoices.list({ subscription: id, status: "open", limit: 100 });
  const times = data.map(({ status_transitions, created }) => status_transitions.finalized_at ?? created);
  return Math.min(...times, items.data[0]?.current_period_start ?? Infinity) * 1000;
}

/** What is stored of a subscription, but for its failed payments. */
export function toRow(subscription: Stripe.Subscription, ownerId: string): Omit<SubscriptionRow, "past_due_since"> {
  const [item] = subscription.items.data;
  return {
    id: subscription.id,
    owner_id: ownerId,
    status: subscription.status,
    price_id: item?.price.id ?? "",
    period: item?.price.recurring?.interval === "year" ? "yearly" : "monthly",
    amount: (item?.price.unit_amount ?? 0) * (item?.quantity ?? 1),
    currency: subscription.currency,
    started_at: subscription.created * 1000,
    current_period_end: (item?.current_period_end ?? subscription.created) * 1000,
    cancel_at: subscription.cancel_at === null ? null : subscription.cancel_at * 1000,
    ended_at: subscription.ended_at === null ? null : subscription.ended_at * 1000,
  };
}

/** The subscription to a plan that an owner manages in the customer portal; undefined for one that has ended or was never paid. */
export async function findOpenSubscription(
  db: Db,
  ownerId: string,
): Promise<(SubscriptionRow & { plan: string }) | undefined> {
  return db
    .selectFrom("stripe_subscription")
    .innerJoin("stripe_price", "stripe_price.id", "price_id")
    .selectAll("stripe_subscription")
    .select("stripe_price.plan")
    .where("owner_id", "=", ownerId)
    .where("status", "in", openStatuses)
    .orderBy("started_at", "desc")
    .executeTakeFirst();
}

/** Of subscriptions that may still be charged. */
export const openStatuses = ["active", "trialing", "past_due", "unpaid", "paused"];
