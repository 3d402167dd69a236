import type { ColumnType } from "kysely";

/** The tables that decide an owner's plan. */
export type BillingSchema = {
  subscription: SubscriptionTable;
  plan_grant: PlanGrantTable;
  stripe_customer: StripeCustomerTable;
  stripe_subscription: StripeSubscriptionTable;
  stripe_invoice: StripeInvoiceTable;
  stripe_event: StripeEventTable;
  stripe_price: StripePriceTable;
  plan_notice: PlanNoticeTable;
};

/** The plan that an owner has, derived from their grant and what they pay for. One row, so that every page reads it with a join. */
type SubscriptionTable = {
  owner_id: string;
  plan: string;
  /** Null: no end. */
  ends_at: number | null;
};

/** The plan that an operator gave an owner. */
type PlanGrantTable = {
  owner_id: string;
  plan: string;
  /** Null: no end. */
  ends_at: number | null;
  /** For operators only. */
  reason: string;
  /** The operator's account; "" for the command line. */
  granted_by: string;
  created_at: number;
};

/** An account's customer at Stripe. */
type StripeCustomerTable = {
  owner_id: string;
  customer_id: string;
  /** How many reads of its subscriptions were started, and which of them is stored. */
  reads: ColumnType<number, number | undefined>;
  stored_read: ColumnType<number, number | undefined>;
  /** 0 until it was read, and again after the change from a test key to a live one. */
  is_read: ColumnType<0 | 1, 0 | 1 | undefined>;
  created_at: number;
};

/** A subscription as last read from Stripe. */
export type StripeSubscriptionTable = {
  id: string;
  owner_id: string;
  /** Stripe's: "active", "past_due", "canceled". */
  status: string;
  price_id: string;
  period: string;
  /** Per period, in the currency's smallest unit. */
  amount: number;
  currency: string;
  started_at: number;
  current_period_end: number;
  /** When it ends; null while it renews. */
  cancel_at: number | null;
  ended_at: number | null;
  /** The first payment that failed; null while all is paid. */
  past_due_since: number | null;
};

/** An invoice as last read from Stripe. */
export type StripeInvoiceTable = {
  id: string;
  owner_id: string;
  number: string;
  /** Stripe's: "paid", "open", "void", "uncollectible". */
  status: string;
  /** In the currency's smallest unit, as Stripe counts it. */
  amount_due: number;
  amount_paid: number;
  currency: string;
  created_at: number;
};

/** Events of the webhook that were carried out. */
type StripeEventTable = { id: string; type: string; created_at: number; received_at: number };

/** A price that gives a plan. */
type StripePriceTable = { id: string; product_id: string; plan: string };

/** Which mails about the plan an owner got, so that each is sent once. */
export type PlanNoticeTable = {
  owner_id: string;
  /** The plan that the owner was last known to have. */
  plan: string;
  /** The start of the newest subscription that was welcomed; 0 for none. The others are also times of what was mailed. */
  welcomed_until: number;
  failed_since: number;
  ending_at: number;
  ended_at: number;
};
