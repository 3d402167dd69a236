import { redirect, redirectDocument } from "react-router";

import { messages } from "#app/features/billing/messages.ts";
import { isFreshProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { requestId, requireUser, services } from "#app/services/http/context.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/portal-route.ts";
import { startPortal } from "./checkout-request.server.ts";

/**
 * Opens Stripe's customer portal: cancel, switch the period, change the card. It shows invoices with an address, and stays open after a
 * sign-out here, so it asks for a proof first.
 */
export async function action({ context }: Route.ActionArgs) {
  const { id: ownerId, verifiedAt } = requireUser(context);
  if (!isFreshProof(verifiedAt)) return redirectDocument("/account/verify?returnTo=%2Faccount");
  const result = await startPortal(services(context), { ownerId, requestId: requestId(context) });
  if (result.kind === "portal") return respondWithForwarding(result.url, { name: "Stripe", headers: new Headers() });
  return redirectWithToast("/account", { title: messages.portalFailed, text: result.text, tone: "error" });
}

export function loader() {
  return redirect("/account");
}
