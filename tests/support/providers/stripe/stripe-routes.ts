import { createCatalog } from "./stripe-catalog.ts";
import type { CheckoutSession, Customer, Invoice, PortalSession, Subscription } from "./stripe-objects.ts";
import { list, matches, missing, ok, refuse, textOf } from "./stripe-responses.ts";
import type { ApiResponse } from "./stripe-responses.ts";
import type { createBilling, StripeState } from "./stripe-state.ts";

export type ApiRequest = { method: string; path: string; fields: Record<string, unknown> };

/** Answers a request to the API from the state. The types of the SDK allow no unknown parameters. */
export function createRoutes(state: StripeState, billing: ReturnType<typeof createBilling>, baseUrl: () => string) {
  const { customers, prices, sessions, subscriptions, invoices, portalSessions, portalConfigurations } = state;

  const handlers: Record<string, (fields: Record<string, unknown>, id: string) => ApiResponse> = {
    ...createCatalog(state),
    "GET prices/:id": (_, id) => ok(prices.get(id), id),
    "POST customers": ({ email, metadata }) => {
      const customer: Customer = {
        id: state.newId("cus"),
        object: "customer",
        email: textOf(email) || null,
        created: state.seconds(),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the form had
        metadata: (metadata ?? {}) as Record<string, string>,
        card: "works",
      };
      customers.set(customer.id, customer);
      state.record("customer.created", customer);
      return ok(customer);
    },
    "GET customers/:id": (_, id) => ok(customers.get(id), id),
    "POST customers/:id": ({ email }, id) => {
      const customer = activeCustomer(id);
      if (!customer) return missing("customer", id);
      if (email !== undefined) customer.email = textOf(email);
      return ok(customer);
    },
    "DELETE customers/:id": (_, id) => {
      const customer = activeCustomer(id);
      if (!customer) return missing("customer", id);
      billing.deleteCustomer(customer);
      return ok({ id, object: "customer", deleted: true });
    },
    "GET charges/:id": (_, id) => ok(state.charges.get(id), id),
    "POST checkout/sessions": openSession,
    "GET checkout/sessions": (fields) =>
      list([...sessions.values()], fields, (session) => matches(session, fields, ["customer", "status"])),
    "GET checkout/sessions/:id": (_, id) => ok(sessions.get(id), id),
    "POST checkout/sessions/:id/expire": (_, id) => {
      const session = sessions.get(id);
      if (session?.status !== "open")
        return refuse(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
      session.status = "expired";
      return ok(session);
    },
    "GET subscriptions": (fields) =>
      fields.customer === undefined || customers.has(textOf(fields.customer))
        ? list(
            [...subscriptions.values()].map((one) => expandCustomer(one, fields.expand)),
            fields,
            (one) => matches(one, fields, ["customer"]) && isListed(one, fields.status),
          )
        : missing("customer", textOf(fields.customer)),
    "GET subscriptions/:id": (_, id) => ok(subscriptions.get(id), id),
    "DELETE subscriptions/:id": (_, id) => {
      const subscription = subscriptions.get(id);
      if (!subscription || subscription.status === "canceled") return missing("subscription", id);
      billing.end(subscription);
      return ok(subscription);
    },
    "GET invoices": (fields) =>
      list(
        [...invoices.values()],
        fields,
        (one) => matches(one, fields, ["customer", "status"]) && isOfSubscription(one, fields),
      ),
    "GET invoices/:id": (_, id) => ok(invoices.get(id), id),
    "POST billing_portal/sessions": ({ customer, return_url, configuration }) => {
      if (!activeCustomer(textOf(customer))) return missing("customer", textOf(customer));
      if (configuration === undefined && !state.hasPortalSettings)
        return refuse(400, "No configuration provided and your test mode default configuration has not been created.");
      if (configuration !== undefined && !portalConfigurations.has(textOf(configuration)))
        return missing("configuration", textOf(configuration));
      const id = state.newId("bps");
      const session: PortalSession = {
        id,
        object: "billing_portal.session",
        url: `${baseUrl()}/portal/${id}`,
        return_url: textOf(return_url) || null,
        created: state.seconds(),
        customer: textOf(customer),
        configuration: textOf(configuration),
      };
      portalSessions.set(id, session);
      return ok(session);
    },
  };

  function openSession(fields: Record<string, unknown>): ApiResponse {
    const customer = activeCustomer(textOf(fields.customer));
    if (!customer) return missing("customer", textOf(fields.customer));
    const [item] = Object.values((fields.line_items ?? {}) as Record<string, Record<string, unknown>>);
    const price = prices.get(textOf(item?.price));
    if (!price) return missing("price", textOf(item?.price));
    if (fields.mode !== "subscription") return refuse(400, "You must provide a mode.");
    const tax = fields.automatic_tax as Record<string, unknown> | undefined;
    const update = fields.customer_update as Record<string, unknown> | undefined;
    if (tax?.enabled === "true" && update?.address !== "auto")
      return refuse(400, "Automatic tax calculation in Checkout requires a valid address on the Customer.");
    const id = state.newId("cs_test");
    const session: CheckoutSession = {
      id,
      object: "checkout.session",
      url: `${baseUrl()}/pay/${id}`,
      success_url: textOf(fields.success_url),
      cancel_url: textOf(fields.cancel_url),
      client_reference_id: textOf(fields.client_reference_id) || null,
      created: state.seconds(),
      expires_at: Number(fields.expires_at ?? state.seconds() + 24 * 60 * 60),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the form had
      metadata: (fields.metadata ?? {}) as Record<string, string>,
      status: "open",
      payment_status: "unpaid",
      mode: "subscription",
      customer: customer.id,
      subscription: null,
      price: price.id,
      request: fields,
    };
    sessions.set(id, session);
    return ok(session);
  }

  /** With `expand[]=data.customer`, the customer instead of its id. */
  function expandCustomer(one: Subscription, expand: unknown) {
    const isExpanded = typeof expand === "object" && expand !== null && Object.values(expand).includes("data.customer");
    return isExpanded ? { ...one, customer: customers.get(one.customer) } : one;
  }

  function activeCustomer(id: string): Customer | undefined {
    const customer = customers.get(id);
    return customer?.deleted ? undefined : customer;
  }

  return ({ method, path, fields }: ApiRequest): ApiResponse => {
    const [route, id] = findRoute(Object.keys(handlers), method, path);
    const handle = handlers[route];
    if (!handle) return refuse(404, `Unrecognized request URL (${method}: /v1/${path}).`);
    return handle(fields, id);
  };
}

function findRoute(routes: string[], method: string, path: string): [route: string, id: string] {
  const parts = path.split("/");
  for (const route of routes) {
    const [wanted = "", pattern = ""] = route.split(" ");
    const names = pattern.split("/");
    if (wanted !== method || names.length !== parts.length) continue;
    if (names.every((name, at) => name === ":id" || name === parts[at]))
      return [route, parts[names.indexOf(":id")] ?? ""];
  }
  return ["", ""];
}

function isListed({ status }: Pick<Subscription, "status">, wanted: unknown): boolean {
  return wanted === "all" || (wanted === undefined ? status !== "canceled" : status === wanted);
}

function isOfSubscription({ parent }: Invoice, { subscription }: Record<string, unknown>): boolean {
  return subscription === undefined || parent.subscription_details.subscription === subscription;
}
