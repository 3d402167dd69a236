import { messages } from "#app/features/billing/messages.ts";
import { hasInvoice } from "#app/features/billing/stripe/invoice-data.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { isRefusedByStripe } from "#app/services/stripe/stripe.server.ts";

type InvoiceRequest = { ownerId: string; id: string; file: "page" | "pdf"; requestId: string };

type InvoiceResult = { kind: "found"; url: string } | { kind: "unknown" } | { kind: "failed"; text: string };

/** Stripe's current link to one of the owner's invoices. It isn't stored, because Stripe lets it expire after 30 days. */
export async function findInvoiceLink(services: Services, request: InvoiceRequest): Promise<InvoiceResult> {
  const { db, log, stripe, rateLimits } = services;
  const { ownerId, id, file, requestId } = request;
  if (!(await hasInvoice(db, { ownerId, id }))) return { kind: "unknown" };
  if (!stripe) return { kind: "failed", text: messages.stripeUnavailable };
  if (await rateLimits.consume([{ limit: linksOfAccount, subject: ownerId }]))
    return { kind: "failed", text: messages.tooManyPortals };
  try {
    const invoice = await stripe.forPage((client) => client.invoices.retrieve(id));
    const url = file === "pdf" ? invoice.invoice_pdf : invoice.hosted_invoice_url;
    return url ? { kind: "found", url } : { kind: "failed", text: messages.noInvoiceLink };
  } catch (error) {
    log.error({ err: error, id: requestId }, "an invoice could not be opened");
    return { kind: "failed", text: isRefusedByStripe(error) ? error.message : messages.stripeUnavailable };
  }
}

const linksOfAccount = { name: "links to invoices", max: 100, windowMs: 60 * 60_000 };
