import type {
  Charge,
  CheckoutSession,
  Customer,
  Invoice,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  StripeEvent,
  Subscription,
  WebhookEndpoint,
} from "./stripe-objects.ts";
import { periodEnd } from "./stripe-objects.ts";

export type StripeState = ReturnType<typeof createState>;

/** What an account at Stripe has, and its clock. A new one sells nothing yet. Everything that changes is recorded as an event. */
export function createState(startsAt: number, { isNew = false } = {}) {
  let time = startsAt;
  let count = 0;
  const state = {
    customers: new Map<string, Customer>(),
    prices: new Map<string, Price>(),
    sessions: new Map<string, CheckoutSession>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    charges: new Map<string, Charge>(),
    portalSessions: new Map<string, PortalSession>(),
    products: new Map<string, Product>(),
    portalConfigurations: new Map<string, PortalConfiguration>(),
    /** The prices that a portal configuration offers. */
    portalPrices: new Map<string, string[]>(),
    /** Whether the portal's settings were saved in the dashboard. */
    hasPortalSettings: !isNew,
    webhookEndpoints: new Map<string, WebhookEndpoint>(),
    /** In the order in which they happened. */
    events: [] as StripeEvent[],
    /** In epoch milliseconds. */
    clock: () => time,
    seconds: () => Math.floor(time / 1000),
    setTime: (ms: number) => void (time = ms),
    newId: (prefix: string) => `${prefix}_${(++count).toString(36).padStart(8, "0")}double`,
    record(type: string, object: unknown) {
      state.events.push({
        id: state.newId("evt"),
        object: "event",
        api_version: "2026-10-28.endive",
        created: state.seconds(),
        type,
        livemode: false,
        data: { object: structuredClone(object) },
      });
    },
  };
  if (!isNew) for (const price of premiumPrices) state.prices.set(price.id, structuredClone(price));
  return state;
}

const premiumPrice = (interval: "month" | "year", unit_amount: number): Price => ({
  id: `price_${interval}ly`,
  object: "price",
  active: true,
  currency: "usd",
  type: "recurring",
  product: "prod_premium",
  livemode: false,
  unit_amount,
  recurring: { interval, interval_count: 1 },
  lookup_key: null,
  metadata: {},
});

/** The prices that the pricing page shows. */
export const premiumPrices: readonly Price[] = [premiumPrice("month", 799), premiumPrice("year", 8000)];

type AddedInvoice = { amount: number } & Partial<Pick<Invoice, "status" | "currency" | "created" | "number">>;

/** What the customer's bank and the owner do at Stripe, and what happens there as time passes. */
export function createBilling(state: StripeState) {
  const { subscriptions, invoices, customers, prices, record, seconds, newId } = state;

  function invoice(subscription: Subscription, amount: number): Invoice {
    const made: Invoice = {
      id: newId("in"),
      object: "invoice",
      number: `MEISHI-${String(invoices.size + 1).padStart(4, "0")}`,
      created: seconds(),
      currency: subscription.currency,
      amount_due: amount,
      amount_paid: 0,
      attempted: true,
      status: "open",
      customer: subscription.customer,
      hosted_invoice_url: `https://invoice.stripe.com/i/${newId("hosted")}`,
      invoice_pdf: `https://pay.stripe.com/invoice/${newId("pdf")}/pdf`,
      parent: { type: "subscription_details", subscription_details: { subscription: subscription.id } },
      status_transitions: { finalized_at: seconds(), paid_at: null },
    };
    invoices.set(made.id, made);
    subscription.latest_invoice = made.id;
    return made;
  }

  /** An invoice that was paid, or with another status. `amount` as Stripe counts it. */
  function addInvoice(subscription: Subscription, { amount, ...facts }: AddedInvoice): Invoice {
    const made = invoice(subscription, amount);
    return Object.assign(made, { status: "paid", amount_paid: facts.status ? 0 : amount, ...facts });
  }

  /** Charges the card. Returns whether it was accepted. */
  function charge(due: Invoice): boolean {
    if (customers.get(due.customer)?.card !== "works") {
      record("invoice.payment_failed", due);
      return false;
    }
    Object.assign(due, { status: "paid", amount_paid: due.amount_due });
    due.status_transitions.paid_at = seconds();
    record("invoice.paid", due);
    return true;
  }

  function subscribe(customer: string, priceId: string) {
    const price = found(prices, priceId);
    const item = { id: newId("si"), object: "subscription_item" as const, price, quantity: 1 };
    const subscription: Subscription = {
      id: newId("sub"),
      object: "subscription",
      status: "active",
      customer,
      currency: price.currency,
      created: seconds(),
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      metadata: {},
      latest_invoice: null,
      items: {
        object: "list",
        has_more: false,
        data: [{ ...item, current_period_start: seconds(), current_period_end: periodEnd(price, seconds()) }],
      },
    };
    subscriptions.set(subscription.id, subscription);
    record("customer.subscription.created", subscription);
    charge(invoice(subscription, price.unit_amount ?? 0));
    return subscription;
  }

  /** The end of a subscription, now. */
  function end(subscription: Subscription) {
    Object.assign(subscription, {
      status: "canceled",
      ended_at: seconds(),
      canceled_at: subscription.canceled_at ?? seconds(),
    });
    record("customer.subscription.deleted", subscription);
  }

  function cancelAtPeriodEnd(subscription: Subscription, isCanceled = true) {
    const [item] = subscription.items.data;
    const cancel_at = isCanceled ? (item?.current_period_end ?? null) : null;
    Object.assign(subscription, {
      cancel_at,
      cancel_at_period_end: isCanceled,
      canceled_at: isCanceled ? seconds() : null,
    });
    record("customer.subscription.updated", subscription);
  }

  function switchPrice(subscription: Subscription, priceId: string) {
    const [item] = subscription.items.data;
    if (!item) return;
    const price = found(prices, priceId);
    Object.assign(item, { price, current_period_start: seconds(), current_period_end: periodEnd(price, seconds()) });
    record("customer.subscription.updated", subscription);
    charge(invoice(subscription, price.unit_amount ?? 0));
  }

  function renew(subscription: Subscription) {
    const [item] = subscription.items.data;
    if (!item) return;
    Object.assign(item, {
      current_period_start: item.current_period_end,
      current_period_end: periodEnd(item.price, item.current_period_end),
    });
    const isPaid = charge(invoice(subscription, item.price.unit_amount ?? 0));
    subscription.status = isPaid ? "active" : "past_due";
    record("customer.subscription.updated", subscription);
  }

  /** Charges what is open again, after the customer changed the card. */
  function retryPayments(customer: string) {
    for (const due of invoices.values()) if (due.customer === customer && due.status === "open") charge(due);
    for (const subscription of subscriptions.values()) {
      if (subscription.customer !== customer || subscription.status !== "past_due") continue;
      if (customers.get(customer)?.card === "works") subscription.status = "active";
      record("customer.subscription.updated", subscription);
    }
  }

  /** Lets time pass. What happens meanwhile happens at its own time. */
  function advance(ms: number) {
    const target = state.clock() + ms;
    for (let next = nextChange(); next && next.at * 1000 <= target; next = nextChange()) {
      state.setTime(Math.max(state.clock(), next.at * 1000));
      if (next.subscription.cancel_at === next.at) end(next.subscription);
      else renew(next.subscription);
    }
    state.setTime(target);
  }

  function nextChange() {
    return [...subscriptions.values()]
      .filter(({ status }) => status === "active" || status === "trialing" || status === "past_due")
      .map((subscription) => {
        const renewal = subscription.items.data[0]?.current_period_end ?? Infinity;
        return { subscription, at: Math.min(renewal, subscription.cancel_at ?? Infinity) };
      })
      .toSorted((one, other) => one.at - other.at)
      .at(0);
  }

  function deleteCustomer(customer: Customer) {
    customer.deleted = true;
    for (const subscription of subscriptions.values())
      if (subscription.customer === customer.id && subscription.status !== "canceled") end(subscription);
    record("customer.deleted", customer);
  }

  return { subscribe, addInvoice, end, cancelAtPeriodEnd, switchPrice, retryPayments, advance, deleteCustomer };
}

function found<T>(all: Map<string, T>, id: string): T {
  const one = all.get(id);
  if (!one) throw new Error(`Stripe's double has no ${id}`);
  return one;
}
