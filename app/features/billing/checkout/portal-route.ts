import { redirect, redirectDocument } from "react-router";

import { messages } from "#app/features/billing/messages.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/portal-route.ts";
import { portalProofPath, startPortal } from "./checkout-request.server.ts";

/** Opens Stripe's customer portal: cancel, switch the period, change the card. */
export async function action({ context }: Route.ActionArgs) {
  const result = await startPortal(services(context), { owner: requireUser(context) });
  if (result.kind === "needs-proof") return redirectDocument(portalProofPath);
  if (result.kind === "portal") return respondWithForwarding(result.url, { name: "Stripe", headers: new Headers() });
  return redirectWithToast("/account", { title: messages.portalFailed, text: result.text, tone: "error" });
}

export function loader() {
  return redirect("/account");
}
