import type { Stripe } from "stripe";

/** The parts of Stripe's objects that the product reads, with the names and types of the SDK. */
export type Price = Pick<
  Stripe.Price,
  "id" | "object" | "active" | "currency" | "unit_amount" | "type" | "lookup_key" | "livemode"
> & {
  product: string;
  recurring: { interval: "month" | "year"; interval_count: number } | null;
  metadata: Record<string, string>;
};

export type Customer = Pick<Stripe.Customer, "id" | "object" | "email" | "created" | "metadata"> & {
  deleted?: boolean;
  /** Not Stripe's: whether payments succeed. */
  card: "works" | "declined";
};

export type Subscription = Pick<
  Stripe.Subscription,
  | "id"
  | "object"
  | "cancel_at"
  | "cancel_at_period_end"
  | "canceled_at"
  | "created"
  | "ended_at"
  | "metadata"
  | "currency"
> & {
  status: "active" | "trialing" | "past_due" | "canceled" | "incomplete" | "unpaid";
  customer: string;
  latest_invoice: string | null;
  items: { object: "list"; data: SubscriptionItem[]; has_more: boolean };
};

type SubscriptionItem = Pick<
  Stripe.SubscriptionItem,
  "id" | "object" | "current_period_end" | "current_period_start"
> & {
  price: Price;
  quantity: number;
};

export type Invoice = Pick<
  Stripe.Invoice,
  | "id"
  | "object"
  | "number"
  | "created"
  | "currency"
  | "amount_due"
  | "amount_paid"
  | "attempted"
  | "hosted_invoice_url"
  | "invoice_pdf"
> & {
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  customer: string;
  parent: { type: "subscription_details"; subscription_details: { subscription: string } };
  status_transitions: { finalized_at: number | null; paid_at: number | null };
};

export type Charge = Pick<Stripe.Charge, "id" | "object" | "refunded" | "disputed"> & { customer: string };

export type CheckoutSession = Pick<
  Stripe.Checkout.Session,
  "id" | "object" | "url" | "success_url" | "cancel_url" | "created" | "expires_at" | "metadata" | "client_reference_id"
> & {
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid" | "no_payment_required";
  mode: "subscription";
  customer: string;
  subscription: string | null;
  /** Not Stripe's: what the session was created with. */
  request: Record<string, unknown>;
  price: string;
};

export type PortalSession = Pick<Stripe.BillingPortal.Session, "id" | "object" | "url" | "return_url" | "created"> & {
  customer: string;
  /** "": the account's own settings. */
  configuration: string;
};

export type Product = Pick<Stripe.Product, "id" | "object" | "active" | "name">;

export type PortalConfiguration = Pick<
  Stripe.BillingPortal.Configuration,
  "id" | "object" | "active" | "is_default" | "default_return_url"
> & { business_profile: object; features: object; metadata: Record<string, string> };

export type WebhookEndpoint = Pick<
  Stripe.WebhookEndpoint,
  "id" | "object" | "api_version" | "description" | "enabled_events" | "status" | "url"
>;

export type StripeEvent = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  type: string;
  livemode: boolean;
  data: { object: unknown };
};

const day = 24 * 60 * 60;

/** The end of a period that starts at `from` (epoch seconds). A month is 30 days here. */
export function periodEnd({ recurring }: Price, from: number): number {
  return from + (recurring?.interval === "year" ? 365 : 30) * day;
}
