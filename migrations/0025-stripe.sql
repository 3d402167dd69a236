-- An account's customer at Stripe. An account keeps it, so that it has one list of invoices.
create table stripe_customer (
  owner_id text not null primary key,
  customer_id text not null unique,
  -- How many reads of this customer's subscriptions were started, and which of them is stored.
  reads bigint not null default 0,
  stored_read bigint not null default 0,
  created_at bigint not null
);

-- Subscriptions as last read from Stripe.
create table stripe_subscription (
  id text not null primary key,
  owner_id text not null,
  -- Stripe's: "active", "past_due", "canceled".
  status text not null,
  price_id text not null,
  -- "monthly" or "yearly".
  period text not null,
  -- Per period, in the currency's smallest unit.
  amount bigint not null,
  currency text not null,
  started_at bigint not null,
  current_period_end bigint not null,
  -- When it ends; null while it renews.
  cancel_at bigint,
  ended_at bigint,
  -- The first payment that failed; null while all is paid.
  past_due_since bigint
);
create index stripe_subscription_owner on stripe_subscription (owner_id);

-- Events of the webhook that were carried out, so that a repeated one is not.
create table stripe_event (
  id text not null primary key,
  type text not null,
  created_at bigint not null,
  received_at bigint not null
);
create index stripe_event_received on stripe_event (received_at);
