import { data, redirect, redirectDocument } from "react-router";

import { messages } from "#app/features/billing/messages.ts";
import { planPrices } from "#app/features/billing/stripe/price-data.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/checkout-route.ts";
import {
  isTooManyCheckouts,
  portalProofPath,
  proofPath,
  requirePlans,
  startCheckout,
} from "./checkout-request.server.ts";

/** The button of a paid plan on the pricing page: opens Stripe's checkout, or the customer portal for a subscriber. */
export async function action({ request, context, url }: Route.ActionArgs) {
  requirePlans(context, url);
  const all = services(context);
  const form = await readForm(request);
  const [period, plan] = [fieldText(form, "period"), fieldText(form, "plan") || "premium"];
  const price = planPrices.find((one) => one.period === period && one.plan.id === plan);
  if (!price) throw data(null, { status: 400 });
  const page = period === "yearly" ? "/pricing?period=yearly" : "/pricing";
  const user = viewer(context);
  if (!user) {
    const back = period === "yearly" ? encodeURIComponent(page) : page;
    return redirectWithToast(`/auth?redirect=${back}`, { title: messages.logInToSubscribe, tone: "warning" });
  }
  if (await isTooManyCheckouts(all, user.id))
    return redirectWithToast(page, { ...messages.tooManyCheckouts, tone: "error" });
  const result = await startCheckout(all, {
    owner: user,
    priceId: all.stripe?.settings[price.name] ?? "",
  });
  if (result.kind === "needs-proof")
    return redirectDocument(result.page === "portal" ? portalProofPath : proofPath(page));
  if (result.kind === "has-plan")
    return redirectWithToast("/pricing", { ...messages.hasPlan(result.plan), tone: "info" });
  if (result.kind === "failed")
    return redirectWithToast(page, { title: result.title, text: result.text, tone: "error" });
  return respondWithForwarding(result.url, { name: "Stripe", headers: new Headers() });
}

/** A GET buys nothing: an image on another site could request it. */
export function loader() {
  return redirect("/pricing");
}
