import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

import { Stripe } from "stripe";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import type { StripeEvent } from "./stripe-objects.ts";
import { refuse } from "./stripe-responses.ts";
import type { ApiResponse } from "./stripe-responses.ts";
import { createRoutes } from "./stripe-routes.ts";
import { createBilling, createState } from "./stripe-state.ts";
import type { StripeState } from "./stripe-state.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

/** "ok", or how the API fails; a number: it takes that many milliseconds. "waits" answers once it is "ok". "fails once" works at the second try. */
type StripeHealth = "ok" | "waits" | "down" | "error 500" | "fails once" | "rate-limited" | "refuses" | number;

export type StripeDouble = Awaited<ReturnType<typeof openStripe>>;

const keys = { secret: "sk_test_double", restricted: "rk_test_double", webhook: "whsec_double" };
/** As Stripe writes it; the key is shown in part. */
const noPermission =
  "The provided key 'rk_test_*********uble' does not have the required permissions for this endpoint on account 'acct_1'. " +
  "Having the 'rak_product_write' permission would allow this request to continue.";

/**
 * Stripe as an HTTP server with the state of one account: the product reaches it with the official SDK. `pay` and the pages below its
 * `url` do what a customer does there; `advance` lets time pass. Without `closesAfterTest` it ends with the worker.
 */
export async function openStripe({
  startsAt = Math.floor(Date.now() / 1000) * 1000,
  closesAfterTest = true,
  isNew = false,
} = {}) {
  const state = createState(startsAt, { isNew });
  const billing = createBilling(state);
  const double = {
    health: "ok" as StripeHealth,
    /** Whether events are sent when they happened, or with those of the next time. */
    sending: "in order" as "in order" | "late",
    requests: [] as string[],
    /** Does what a customer does at this moment, just before a request is answered. */
    beforeRequest: undefined as ((request: string) => void) | undefined,
    url: "",
  };
  const route = createRoutes(state, billing, () => double.url);
  const pages = openPages(state, billing);
  const replies = new Map<string, { request: string; response: ApiResponse }>();
  let delivered = 0;
  let late: StripeEvent[] = [];

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse) {
    const url = new URL(incoming.url ?? "/", "http://stripe");
    const body = await text(incoming);
    if (!url.pathname.startsWith("/v1/")) return pages.respond(incoming, outgoing, body);
    const { health } = double;
    const line = `${incoming.method} ${url.pathname}${url.search}`;
    double.requests.push(line);
    double.beforeRequest?.(line);
    if (health === "down") return incoming.socket.destroy();
    if (typeof health === "number") await pause(health);
    while (double.health === "waits" && !incoming.socket.destroyed) await pause(10);
    const response = failure(health) ?? answer(incoming, url, body);
    if (health === "fails once") double.health = "ok";
    outgoing.writeHead(response.status, { "content-type": "application/json", "request-id": state.newId("req") });
    return outgoing.end(JSON.stringify(response.body));
  }

  /** A repeated request with the same idempotency key gets the first response again; another one is refused. */
  function answer(incoming: IncomingMessage, url: URL, body: string): ApiResponse {
    const { authorization } = incoming.headers;
    if (authorization === `Bearer ${keys.restricted}`) return refuse(403, noPermission);
    if (authorization !== `Bearer ${keys.secret}`) return refuse(401, "Invalid API Key provided");
    const request = `${incoming.method} ${url.pathname} ${body}`;
    const key = String(incoming.headers["idempotency-key"] ?? "");
    const earlier = key ? replies.get(key) : undefined;
    if (earlier && earlier.request !== request)
      return refuse(
        400,
        "Keys for idempotent requests can only be used with the same parameters.",
        "idempotency_error",
      );
    if (earlier) return earlier.response;
    const fields = readFields(body || url.search);
    const response = structuredClone(
      route({ method: incoming.method ?? "", path: url.pathname.slice("/v1/".length), fields }),
    );
    if (key && response.status < 500) replies.set(key, { request, response });
    return response;
  }

  /** The events since the last call, as `sending` says. */
  function takeEvents(): StripeEvent[] {
    const events = state.events.slice(delivered, (delivered = state.events.length));
    const waiting = late;
    late = double.sending === "late" ? events : [];
    return double.sending === "late" ? waiting : [...waiting, ...events];
  }

  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  double.url = `http://127.0.0.1:${await listenAnywhere(server)}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  if (closesAfterTest) cleanUpAfterTest(close);

  return Object.assign(double, {
    state,
    billing,
    clock: state.clock,
    /** The settings of an installation that sells with this account. */
    env: {
      STRIPE_SECRET_KEY: keys.secret,
      STRIPE_WEBHOOK_SECRET: keys.webhook,
      STRIPE_PRICE_MONTHLY: "price_monthly",
      STRIPE_PRICE_YEARLY: "price_yearly",
      STRIPE_API_URL: double.url,
    },
    /** What the customer does on the page of a checkout session. Returns where the browser is sent. */
    pay: (checkoutUrl: string) => pages.pay(checkoutUrl.split("/").at(-1) ?? ""),
    advance: billing.advance,
    close,
    takeEvents,
    /** A request to the webhook: its body and its signature. */
    sign: (event: StripeEvent, { secret = keys.webhook, at = state.seconds() } = {}) => {
      const payload = JSON.stringify(event);
      return { payload, header: Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at }) };
    },
  });
}

function failure(health: StripeHealth): ApiResponse | undefined {
  if (health === "error 500" || health === "fails once") return refuse(500, "An unknown error occurred.");
  if (health === "rate-limited") return refuse(429, "Request rate limit exceeded.", "rate_limit");
  return health === "refuses" ? refuse(400, "Your account cannot currently make charges.") : undefined;
}

/** "a[b][0]=c" -> { a: { b: { 0: "c" } } } */
function readFields(form: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split("[").map((part) => part.replace(/\]$/, ""));
    let inside = fields;
    for (const part of path.slice(0, -1)) inside = (inside[part] ??= {}) as Record<string, unknown>;
    inside[path.at(-1) ?? ""] = value;
  }
  return fields;
}

/** Stripe's checkout and customer portal, as plain pages that a browser test uses. */
function openPages(state: StripeState, billing: ReturnType<typeof createBilling>) {
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
