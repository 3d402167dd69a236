import { z } from "zod";

import { invoicePath } from "#app/features/billing/invoices/invoice-rules.ts";
import { messages } from "#app/features/billing/messages.ts";
import { listInvoices } from "#app/features/billing/stripe/invoice-data.server.ts";
import type { InvoiceRow } from "#app/features/billing/stripe/invoice-data.server.ts";
import { findOwnSubscription, refreshPayments } from "#app/features/billing/stripe/payment-data.server.ts";
import { functionError } from "#app/services/features/server-function.ts";
import type { FunctionCall, FunctionResult, ServerFunction } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";

import {
  isTooManyCheckouts,
  portalProofPath,
  proofPath,
  startCheckout,
  startPortal,
} from "./checkout-request.server.ts";

/** The server functions of the specification (document 1, section 7), by the code of the pages. */
export const billingFunctions: readonly ServerFunction[] = [
  { name: "create-checkout", method: "POST", signedOut: messages.logInToSubscribe, run: createCheckout },
  { name: "check-subscription", method: "POST", run: checkSubscription },
  { name: "billing-history", method: "POST", run: listBillingHistory },
  { name: "customer-portal", method: "POST", run: openCustomerPortal },
];

const checkoutInput = z.object({ priceId: z.string().min(1).max(200) });

async function createCheckout(services: Services, { user, input }: FunctionCall): Promise<FunctionResult> {
  const parsed = checkoutInput.safeParse(input);
  if (!parsed.success) return functionError(400, messages.checkoutFailed(messages.noPrice));
  if (await isTooManyCheckouts(services, user.id))
    return functionError(429, messages.checkoutFailed(`${messages.tooManyCheckouts.title}.`), messages.waitAnHour);
  const result = await startCheckout(services, { owner: user, priceId: parsed.data.priceId });
  switch (result.kind) {
    case "has-plan": {
      const { title, text } = messages.hasPlan(result.plan);
      return functionError(409, messages.checkoutFailed(`${title}.`), text);
    }
    case "needs-proof":
      return result.page === "portal"
        ? functionError(403, messages.portalFailed, proofRequest(services, portalProofPath))
        : functionError(403, messages.noCheckoutSession, proofRequest(services, proofPath("/pricing")));
    case "failed":
      return functionError(checkoutStatus[result.reason], result.title, result.text);
    default:
      return { body: { url: result.url } };
  }
}

const checkoutStatus = {
  "unknown-price": 400,
  "not-sold": 503,
  "no-session": 502,
  refused: 502,
  unavailable: 503,
} as const;

function proofRequest({ config }: Services, path: string): string {
  return messages.confirmFirst(config.baseUrl + path);
}

/** Asks Stripe again, as the button Refresh does. `subscription_end`: when it renews or ends. */
async function checkSubscription(services: Services, { user }: FunctionCall): Promise<FunctionResult> {
  try {
    if (!(await refreshPayments(services, user.id)))
      return functionError(429, messages.statusFailed, messages.waitAnHour);
    const { plan, change } = await findOwnSubscription(services, user.id);
    const subscribed = plan.id !== "free";
    return {
      body: {
        subscribed,
        subscription_tier: subscribed ? plan.name : null,
        subscription_end: subscribed && change ? new Date(change.at).toISOString() : null,
      },
    };
  } catch (error) {
    logFailure(services.log, error, "a subscription could not be checked");
    return functionError(503, messages.statusFailed);
  }
}

const historyInput = z.object({ page: z.number().int().min(1).max(9_999).default(1) });

/**
 * 24 invoices, the newest first; `page` (2, 3 …) has the next ones. The links are ours, because Stripe's expire: they ask for the session
 * and a proof.
 */
async function listBillingHistory(services: Services, { user, input }: FunctionCall): Promise<FunctionResult> {
  const parsed = historyInput.safeParse(input);
  if (!parsed.success) return functionError(400, messages.historyFailed, messages.noPage);
  try {
    const { invoices, hasOlder } = await listInvoices(services.db, user.id, parsed.data.page);
    return { body: { invoices: invoices.map((row) => toInvoice(row, services.config)), has_more: hasOlder } };
  } catch (error) {
    logFailure(services.log, error, "the invoices could not be listed");
    return functionError(503, messages.historyFailed);
  }
}

function toInvoice(row: InvoiceRow, { baseUrl }: Services["config"]) {
  const { id, number, status, currency, amount_due, amount_paid, created_at } = row;
  const created = Math.floor(created_at / 1000);
  const links = { hosted_invoice_url: baseUrl + invoicePath(id), invoice_pdf: baseUrl + invoicePath(id, "pdf") };
  return { id, number, status, created, currency, amount_due, amount_paid, ...links };
}

async function openCustomerPortal(services: Services, { user }: FunctionCall): Promise<FunctionResult> {
  const result = await startPortal(services, { owner: user });
  if (result.kind === "portal") return { body: { url: result.url } };
  if (result.kind === "needs-proof")
    return functionError(403, messages.portalFailed, proofRequest(services, portalProofPath));
  return functionError(portalStatus[result.reason], messages.portalFailed, result.text);
}

const portalStatus = { "no-customer": 409, "too-many": 429, refused: 502, unavailable: 503 } as const;
