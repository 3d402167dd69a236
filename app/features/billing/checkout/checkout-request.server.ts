import type { Stripe } from "stripe";

import { findPlan } from "#app/features/billing/data.server.ts";
import { messages } from "#app/features/billing/messages.ts";
import { outranks } from "#app/features/billing/rules.ts";
import { ensureCustomer, findCustomerId } from "#app/features/billing/stripe/customer-data.server.ts";
import { hasInvoices } from "#app/features/billing/stripe/invoice-data.server.ts";
import { planPrices } from "#app/features/billing/stripe/price-data.server.ts";
import type { PlanPrice } from "#app/features/billing/stripe/price-data.server.ts";
import { findOpenSubscription, syncCustomer } from "#app/features/billing/stripe/subscription-data.server.ts";
import { isFreshProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";
import { isRefusedByStripe, stripeErrorCode } from "#app/services/stripe/stripe.server.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { services } from "#app/services/http/context.ts";

export type CheckoutResult =
  /** The page of Stripe to open: the checkout, or for a subscriber the customer portal. */
  | { kind: "checkout" | "portal"; url: string }
  /** They have this plan, or a higher one. */
  | { kind: "has-plan"; plan: string }
  /** Someone who has paid before must confirm who they are: the page of Stripe may show their name and address. */
  | { kind: "needs-proof"; page: "checkout" | "portal" }
  | {
      kind: "failed";
      reason: "not-sold" | "unknown-price" | "no-session" | "refused" | "unavailable";
      title: string;
      text: string;
    };

/** Counts a try to start a checkout. Each sends several requests to Stripe. */
export async function isTooManyCheckouts({ rateLimits }: Services, ownerId: string): Promise<boolean> {
  return (await rateLimits.consume([{ limit: checkoutsOfAccount, subject: ownerId }])) !== undefined;
}

const checkoutsOfAccount = { name: "checkouts of an account", max: 30, windowMs: 60 * 60_000 };

type CheckoutRequest = {
  owner: Pick<Viewer, "id" | "email" | "verifiedAt">;
  priceId: string;
};

/** Starts the purchase of a plan at one of our prices. Never throws: what failed is logged. */
export async function startCheckout(services: Services, { owner, priceId }: CheckoutRequest): Promise<CheckoutResult> {
  const { stripe, log } = services;
  if (!stripe) {
    const { id, name } = await findPlan(services, owner.id);
    return id === "free" ? failure("not-sold", messages.cannotBuy.reason) : { kind: "has-plan", plan: name };
  }
  const price = planPrices.find(({ name }) => stripe.settings[name] === priceId);
  if (!price) return failure("unknown-price", messages.unknownPrice);
  try {
    return await openCheckout({ ...services, stripe }, owner, { ...price, id: priceId });
  } catch (error) {
    logFailure(log, error, "a checkout could not be started");
    return isRefusedByStripe(error)
      ? failure("refused", error.message)
      : failure("unavailable", messages.stripeUnavailable);
  }
}

function failure(reason: "not-sold" | "unknown-price" | "refused" | "unavailable", message: string): CheckoutResult {
  return { kind: "failed", reason, title: messages.checkoutFailed(message), text: messages.cannotBuy.text };
}

type CheckoutDeps = Services & { stripe: StripeApi };

async function openCheckout(
  services: CheckoutDeps,
  owner: CheckoutRequest["owner"],
  { id: priceId, plan }: PlanPrice & { id: string },
): Promise<CheckoutResult> {
  const { db, stripe } = services;
  const customerId = await findCustomerId(db, owner.id);
  // A payment in another tab may not be known here yet.
  if (customerId !== undefined) await syncCustomer(services, stripe.forPage, customerId);
  if (await findOpenSubscription(db, owner.id)) return openPortalInstead(services, owner);
  const current = await findPlan(services, owner.id);
  if (!outranks(plan.id, current.id)) return { kind: "has-plan", plan: current.name };
  const needsProof = !isFreshProof(owner.verifiedAt);
  if (needsProof && (await hasInvoices(db, owner.id))) return { kind: "needs-proof", page: "checkout" };
  const customer = await ensureCustomer(services, { ownerId: owner.id, email: owner.email });
  if (customer === undefined) return noSession;
  const session = await openSession(services, { customer, priceId, ownerId: owner.id });
  if (!session?.url) return noSession;
  // Another session may have been paid since the first read. From here on this is the only one that can be.
  await syncCustomer(services, stripe.forPage, customer);
  if (!(await findOpenSubscription(db, owner.id))) return { kind: "checkout", url: session.url };
  await closeSession(stripe, session.id);
  return openPortalInstead(services, owner);
}

/** A subscriber doesn't pay twice: the portal has what they have. */
async function openPortalInstead(services: CheckoutDeps, owner: CheckoutRequest["owner"]): Promise<CheckoutResult> {
  if (!isFreshProof(owner.verifiedAt)) return { kind: "needs-proof", page: "portal" };
  return (await openPortal(services, owner.id)) ?? noSession;
}

const noSession: CheckoutResult = {
  kind: "failed",
  reason: "no-session",
  title: messages.noCheckoutSession,
  text: messages.cannotBuy.text,
};

/** Opens the customer portal of an owner who has a customer at Stripe. Never throws: what failed is logged. */
export async function startPortal(
  services: Services,
  { owner }: { owner: Pick<Viewer, "id" | "verifiedAt"> },
): Promise<PortalResult> {
  const { stripe, log, rateLimits } = services;
  // It shows invoices with an address, and stays open after a sign-out here.
  if (!isFreshProof(owner.verifiedAt)) return { kind: "needs-proof" };
  if (!stripe) return noCustomer;
  if (await rateLimits.consume([{ limit: portalsOfAccount, subject: owner.id }]))
    return { kind: "failed", reason: "too-many", text: messages.tooManyPortals };
  try {
    return (await openPortal({ ...services, stripe }, owner.id)) ?? noCustomer;
  } catch (error) {
    logFailure(log, error, "the customer portal could not be opened");
    return isRefusedByStripe(error)
      ? { kind: "failed", reason: "refused", text: error.message }
      : { kind: "failed", reason: "unavailable", text: messages.stripeUnavailable };
  }
}

/** The page that asks for the proof, and leads back to the button of the portal. */
export const portalProofPath = proofPath("/account");

/** The page that asks for the proof, and leads back to this path. */
export function proofPath(back: string): string {
  return `/account/verify?returnTo=${encodeURIComponent(back)}`;
}

const noCustomer: PortalResult = { kind: "failed", reason: "no-customer", text: messages.noCustomer };

const portalsOfAccount = { name: "portals of an account", max: 30, windowMs: 60 * 60_000 };

type PortalResult =
  | { kind: "portal"; url: string }
  | { kind: "needs-proof" }
  | { kind: "failed"; reason: "no-customer" | "too-many" | "refused" | "unavailable"; text: string };

async function openPortal(
  { db, stripe, config }: Pick<CheckoutDeps, "db" | "stripe" | "config">,
  ownerId: string,
): Promise<{ kind: "portal"; url: string } | undefined> {
  const customer = await findCustomerId(db, ownerId);
  if (customer === undefined) return undefined;
  const { portalConfiguration: configuration } = stripe.settings;
  const { url } = await stripe.forPage((client) =>
    client.billingPortal.sessions.create({
      customer,
      return_url: `${config.baseUrl}/account`,
      ...(configuration !== undefined && { configuration }),
    }),
  );
  return { kind: "portal", url };
}

type SessionRequest = { customer: string; priceId: string; ownerId: string };

/**
 * A customer has one open checkout session, so that no one pays twice: a second press, also in another tab, gets the same one, and one for
 * the other price replaces it. Requests at the same time have the same idempotency key.
 */
async function openSession(
  services: CheckoutDeps,
  request: SessionRequest,
): Promise<Stripe.Checkout.Session | undefined> {
  const { stripe, clock, sign } = services;
  const { customer, priceId } = request;
  for (let tries = 0; tries < maxTries; tries++) {
    const { data } = await stripe.forPage((client) => client.checkout.sessions.list({ customer, limit: 10 }));
    const open = data.filter(({ status }) => status === "open");
    const usable = open.find(
      ({ metadata, expires_at }) => metadata?.price === priceId && expires_at * 1000 > clock() + soonMs,
    );
    if (usable) return usable;
    const areClosed = await Promise.all(open.map(({ id }) => closeSession(stripe, id)));
    if (areClosed.includes(false)) continue;
    const idempotencyKey = sign("stripe checkout", JSON.stringify([customer, data[0]?.id ?? ""]));
    try {
      return await stripe.forPage((client) =>
        client.checkout.sessions.create(sessionParameters(services, request), { idempotencyKey }),
      );
    } catch (error) {
      // Another request has just opened a session for the other price.
      if (stripeErrorCode(error) !== "idempotency_error" && !isIdempotencyError(error)) throw error;
    }
  }
  return undefined;
}

const maxTries = 3;
/** A session that expires while the customer pays is of no use. */
const soonMs = 10 * 60_000;

/** Makes sure that a session can't be paid any more. Returns false when it isn't open, or is just being paid. */
async function closeSession(stripe: StripeApi, id: string): Promise<boolean> {
  try {
    await stripe.forPage((client) => client.checkout.sessions.expire(id));
    return true;
  } catch (error) {
    if (isRefusedByStripe(error)) return false;
    throw error;
  }
}

function isIdempotencyError(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "StripeIdempotencyError";
}

function sessionParameters(
  { config, stripe }: CheckoutDeps,
  { customer, priceId, ownerId }: SessionRequest,
): Stripe.Checkout.SessionCreateParams {
  const { hasTax } = stripe.settings;
  return {
    mode: "subscription",
    customer,
    client_reference_id: ownerId,
    line_items: [{ price: priceId, quantity: 1 }],
    metadata: { price: priceId },
    allow_promotion_codes: true,
    success_url: `${config.baseUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${config.baseUrl}/cancel`,
    ...(hasTax && {
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      customer_update: { address: "auto", name: "auto" },
    }),
  };
}

/** Throws the 404 where everyone has Premium: there are no plans to choose from. */
export function requirePlans(context: Parameters<typeof services>[0], url: URL): void {
  if (services(context).config.premium === "everyone") throwNotFound(context, url);
}
