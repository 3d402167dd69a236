import { randomUUID } from "node:crypto";

import type { Jobs } from "#app/services/jobs/jobs.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";

import { updateEmail } from "./customer-email-data.server.ts";

/** The owner's customer at Stripe. */
export async function findCustomerId(db: Db | Trx, ownerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("stripe_customer")
    .select("customer_id")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row?.customer_id;
}

type CustomerDeps = Pick<Services, "db" | "jobs" | "clock" | "sign"> & { stripe: StripeApi };

/**
 * The owner's customer at Stripe with their current email, created when there is none or when it was deleted there. Two requests at the
 * same time get the same one. Undefined when the account was deleted meanwhile.
 */
export async function ensureCustomer(
  deps: CustomerDeps,
  { ownerId, email }: { ownerId: string; email: string },
): Promise<string | undefined> {
  const { db, jobs, clock, sign, stripe } = deps;
  const existing = await findCustomerId(db, ownerId);
  if (existing !== undefined && (await updateEmail(stripe.forPage, existing, email))) return existing;
  // The earlier id makes the key a new one after the customer was deleted.
  const idempotencyKey = sign("stripe customer", JSON.stringify([ownerId, email, existing ?? ""]));
  const { id } = await stripe.forPage((client) => client.customers.create({ email }, { idempotencyKey }));
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) {
      await jobs.enqueue(trx, deleteCustomerJob, { customerId: id });
      return undefined;
    }
    const current = await findCustomerId(trx, ownerId);
    if (current !== existing && current !== undefined) return current;
    await trx
      .insertInto("stripe_customer")
      .values({ owner_id: ownerId, customer_id: id, created_at: clock() })
      .onConflict((conflict) => conflict.column("owner_id").doUpdateSet({ customer_id: id }))
      .execute();
    return id;
  });
}

/** Part of deleting an account: a job ends what the owner pays for. */
export async function deleteCustomerRows(
  trx: Trx,
  jobs: Jobs,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<void> {
  // The customer first: it waits for what is being read from Stripe, whose rows are then deleted too.
  const customer = await trx
    .deleteFrom("stripe_customer")
    .where("owner_id", "=", ownerId)
    .returning("customer_id")
    .executeTakeFirst();
  await anonymizeSubscriptions(trx, ownerId, now);
  await trx.deleteFrom("stripe_invoice").where("owner_id", "=", ownerId).execute();
  if (customer) await jobs.enqueue(trx, deleteCustomerJob, { customerId: customer.customer_id });
}

/** In the column `owner_id` of subscriptions whose owner deleted the account. */
export const deletedOwner = "";

/** How many subscriptions end is one of the operator's figures, so their dates stay for some weeks. Nothing says whose they were. */
async function anonymizeSubscriptions(trx: Trx, ownerId: string, now: number): Promise<void> {
  const rows = await trx.deleteFrom("stripe_subscription").where("owner_id", "=", ownerId).returningAll().execute();
  const anonymous = rows
    .filter(({ status }) => !status.startsWith("incomplete"))
    .map((row) => ({
      ...row,
      id: `deleted_${randomUUID()}`,
      owner_id: deletedOwner,
      status: "canceled",
      cancel_at: null,
      ended_at: row.ended_at ?? now,
      past_due_since: null,
    }))
    .filter(({ ended_at }) => ended_at > now - storedMs);
  if (anonymous.length > 0) await trx.insertInto("stripe_subscription").values(anonymous).execute();
}

const storedMs = 30 * 24 * 60 * 60 * 1000;

export const deleteCustomerJob = "delete-stripe-customer";

/** Deletes a customer at Stripe, which ends its subscriptions immediately. Its invoices stay there. */
export async function deleteCustomer(stripe: StripeApi, customerId: string): Promise<void> {
  try {
    await stripe.forJob((client) => client.customers.del(customerId));
  } catch (error) {
    if (!isUnknownAtStripe(error)) throw error;
  }
}
