import type { IncomingMessage, ServerResponse } from "node:http";

import type { createBilling, StripeState } from "./stripe-state.ts";

/** Stripe's checkout and customer portal, as plain pages that a browser test uses. */
export function openPages(state: StripeState, billing: ReturnType<typeof createBilling>) {
  /** Pays for a checkout session. Returns the address that the browser is sent to. */
  function pay(sessionId: string): string {
    const session = state.sessions.get(sessionId);
    if (session?.status !== "open") throw new Error(`The checkout session ${sessionId} isn't open.`);
    const subscription = billing.subscribe(session.customer, session.price);
    Object.assign(session, { status: "complete", payment_status: "paid", subscription: subscription.id, url: null });
    state.record("checkout.session.completed", session);
    return session.success_url?.replace("{CHECKOUT_SESSION_ID}", session.id) ?? "";
  }

  function respond(incoming: IncomingMessage, outgoing: ServerResponse, body: string) {
    const [, page, id = ""] = (incoming.url ?? "").split("/");
    const isPost = incoming.method === "POST";
    const session = state.sessions.get(id);
    if (page === "pay" && session) {
      if (isPost) return outgoing.writeHead(303, { location: pay(id) }).end();
      return sendPage(outgoing, "Checkout", `${button("Subscribe", "pay")}<a href="${session.cancel_url}">Back</a>`);
    }
    const portal = state.portalSessions.get(id);
    if (page === "portal" && portal) {
      if (isPost) change(portal.customer, new URLSearchParams(body).get("do") ?? "");
      return sendPage(outgoing, "Billing", `${portalButtons}<a href="${portal.return_url}">Return to Meishi</a>`);
    }
    return outgoing.writeHead(404).end();
  }

  function change(customer: string, action: string) {
    const subscription = [...state.subscriptions.values()].findLast((one) => one.customer === customer);
    if (!subscription) return;
    if (action === "cancel" || action === "resume") billing.cancelAtPeriodEnd(subscription, action === "cancel");
    if (action === "yearly") billing.switchPrice(subscription, "price_yearly");
  }

  return { pay, respond };
}

const button = (label: string, action: string) =>
  `<form method="post"><button name="do" value="${action}">${label}</button></form>`;

const portalButtons = [
  button("Cancel subscription", "cancel"),
  button("Renew subscription", "resume"),
  button("Switch to yearly", "yearly"),
].join("");

function sendPage(outgoing: ServerResponse, title: string, content: string) {
  outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  return outgoing.end(
    `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${content}</main></html>`,
  );
}
