import { data } from "react-router";

import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { messages } from "#app/features/billing/messages.ts";
import { hasInvoice } from "#app/features/billing/stripe/invoice-data.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { isRefusedByStripe } from "#app/services/stripe/stripe.server.ts";

import type { Route } from "./+types/invoice-route.ts";

export { rejectWrites as action };

/**
 * Opens an invoice at Stripe, or its PDF. It shows an address, so it asks for a proof first, like the customer portal. Opened in a tab of
 * its own.
 */
export const loader = fileLoader(async ({ context, params, url }: Route.LoaderArgs) => {
  const { id, file = "page" } = params;
  if (file !== "page" && file !== "pdf") throw data(null, { status: 404 });
  const ownerId = requireUser(context).id;
  requireFresh(context, url);
  const result = await findInvoiceLink(services(context), { ownerId, id, file });
  if (result.kind === "unknown") throw data(null, { status: 404 });
  if (result.kind === "found") return respondWithForwarding(result.url, { name: "Stripe", headers: new Headers() });
  return redirectWithToast("/account", { title: messages.invoiceFailed, text: result.text, tone: "error" });
});

type InvoiceRequest = { ownerId: string; id: string; file: "page" | "pdf" };

type InvoiceResult = { kind: "found"; url: string } | { kind: "unknown" } | { kind: "failed"; text: string };

/** Stripe's current link to one of the owner's invoices. It isn't stored, because Stripe lets it expire after 30 days. */
async function findInvoiceLink(services: Services, request: InvoiceRequest): Promise<InvoiceResult> {
  const { db, log, stripe, rateLimits } = services;
  const { ownerId, id, file } = request;
  if (!(await hasInvoice(db, { ownerId, id }))) return { kind: "unknown" };
  if (!stripe) return { kind: "failed", text: messages.stripeUnavailable };
  if (await rateLimits.consume([{ limit: linksOfAccount, subject: ownerId }]))
    return { kind: "failed", text: messages.tooManyPortals };
  try {
    const invoice = await stripe.forPage((client) => client.invoices.retrieve(id));
    const url = file === "pdf" ? invoice.invoice_pdf : invoice.hosted_invoice_url;
    return url ? { kind: "found", url } : { kind: "failed", text: messages.noInvoiceLink };
  } catch (error) {
    logFailure(log, error, "an invoice could not be opened");
    return { kind: "failed", text: isRefusedByStripe(error) ? error.message : messages.stripeUnavailable };
  }
}

const linksOfAccount = { name: "links to invoices", max: 100, windowMs: 60 * 60_000 };
