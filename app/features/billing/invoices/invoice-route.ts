import { data } from "react-router";

import { requireFresh } from "#app/features/account/settings/reauthentication.server.ts";
import { messages } from "#app/features/billing/messages.ts";
import { requestId, requireUser, services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/invoice-route.ts";
import { findInvoiceLink } from "./invoice-request.server.ts";

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
  const result = await findInvoiceLink(services(context), { ownerId, id, file, requestId: requestId(context) });
  if (result.kind === "unknown") throw data(null, { status: 404 });
  if (result.kind === "found") return respondWithForwarding(result.url, { name: "Stripe", headers: new Headers() });
  return redirectWithToast("/account", { title: messages.invoiceFailed, text: result.text, tone: "error" });
});
