import { findCustomerId } from "#app/features/billing/stripe/customer-data.server.ts";
import { syncCustomer } from "#app/features/billing/stripe/subscription-data.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";

type PaymentRequest = { ownerId: string; sessionId: string };

const confirmationsOfAccount = { name: "confirmations of a payment", max: 60, windowMs: 60 * 60_000 };

/**
 * Asks Stripe for the checkout session that a browser comes back from, and stores what was bought: the event about it may arrive later.
 * Returns whether the payment may still be on its way; false after too many questions. Never throws: what failed is logged.
 */
export async function confirmPayment(services: Services, request: PaymentRequest): Promise<boolean> {
  const { db, log, stripe, rateLimits } = services;
  const { ownerId, sessionId } = request;
  if (!stripe || !/^cs_\w{1,200}$/.test(sessionId)) return false;
  const customerId = await findCustomerId(db, ownerId);
  if (customerId === undefined) return false;
  if (await rateLimits.consume([{ limit: confirmationsOfAccount, subject: ownerId }])) return false;
  try {
    const session = await stripe.forPage((client) => client.checkout.sessions.retrieve(sessionId));
    const customer = typeof session.customer === "string" ? session.customer : session.customer?.id;
    if (customer !== customerId) return false;
    if (session.status !== "complete") return false;
    await syncCustomer(services, stripe.forPage, customerId);
    return true;
  } catch (error) {
    if (isUnknownAtStripe(error)) return false;
    logFailure(log, error, "a payment could not be confirmed");
    return true;
  }
}
