import { sql } from "kysely";
import type { Stripe } from "stripe";

import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { isRefusedByStripe, isUnknownAtStripe, stripeErrorCode } from "#app/services/stripe/stripe.server.ts";
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

/** Gives a customer at Stripe the email that its account has now: receipts go there. One that Stripe refuses is only logged. */
export async function updateToCurrentEmail(
  { db, log }: Pick<Services, "db" | "log">,
  send: StripeApi["forJob"],
  customerId: string,
): Promise<void> {
  const [current] = await findEmails(db, [customerId]);
  if (!current) return;
  try {
    await updateEmail(send, customerId, current.email);
  } catch (error) {
    // Another try would be refused too. The next comparison tries again.
    if (!isRefusedByStripe(error)) throw error;
    log.warn({ customer: customerId, code: stripeErrorCode(error) }, "Stripe refused the email of a customer");
  }
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
