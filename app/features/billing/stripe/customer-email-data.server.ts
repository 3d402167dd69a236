import { sql } from "kysely";
import type { Stripe } from "stripe";

import type { Db } from "#app/services/database/database.server.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";

export const updateEmailJob = "update-stripe-email";

/** The customers whose email isn't that of their account any more. They are expanded in Stripe's list. */
export async function listChangedEmails(db: Db, customers: Stripe.Subscription["customer"][]): Promise<string[]> {
  const atStripe = new Map<string, string | null>();
  for (const customer of customers)
    if (typeof customer === "object" && !customer.deleted) atStripe.set(customer.id, customer.email);
  const emails = await findEmails(db, [...atStripe.keys()]);
  return emails.filter(({ id, email }) => atStripe.get(id) !== email).map(({ id }) => id);
}

/** Gives a customer at Stripe the email that its account has now: receipts go there. */
export async function updateToCurrentEmail(db: Db, send: StripeApi["forJob"], customerId: string): Promise<void> {
  const [current] = await findEmails(db, [customerId]);
  if (current) await updateEmail(send, customerId, current.email);
}

async function findEmails(db: Db, customerIds: string[]): Promise<{ id: string; email: string }[]> {
  if (customerIds.length === 0) return [];
  const { rows } = await sql<{ id: string; email: string }>`select stripe_customer.customer_id as id, "user"."email"
    from stripe_customer join "user" on "user"."id" = stripe_customer.owner_id
    where stripe_customer.customer_id in (${sql.join(customerIds)})`.execute(db);
  return rows;
}

/** Returns false when the customer was deleted at Stripe. */
export async function updateEmail(send: StripeApi["forJob"], customerId: string, email: string): Promise<boolean> {
  try {
    await send((client) => client.customers.update(customerId, { email }));
    return true;
  } catch (error) {
    if (isUnknownAtStripe(error)) return false;
    throw error;
  }
}
