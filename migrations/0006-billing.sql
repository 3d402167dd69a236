-- The plan that an owner has, derived from their grant and what they pay for. One row, so that every page reads it with a join.
create table subscription (
  owner_id text not null primary key,
  plan text not null,
  -- Null: no end.
  ends_at bigint
);
create index subscription_end on subscription (ends_at);

-- The plan that an operator gave an owner.
create table plan_grant (
  owner_id text not null primary key,
  plan text not null,
  -- Null: no end.
  ends_at bigint,
  -- For operators only.
  reason text not null,
  -- The operator's account; "" for the command line.
  granted_by text not null,
  created_at bigint not null
);

-- Which mails about the plan an owner got, so that each is sent once.
create table plan_notice (
  owner_id text not null primary key,
  -- The plan that the owner was last known to have.
  plan text not null,
  -- The start of the newest subscription that was welcomed; 0 for none. The others are also times of what was mailed.
  welcomed_until bigint not null,
  failed_since bigint not null,
  ending_at bigint not null,
  ended_at bigint not null
);

-- An account's customer at Stripe. An account keeps it, so that it has one list of invoices.
create table stripe_customer (
  owner_id text not null primary key,
  customer_id text not null unique,
  -- How many reads of this customer's subscriptions were started, and which of them is stored.
  reads bigint not null default 0,
  stored_read bigint not null default 0,
  -- 0 until it was read, and again after the change from a test key to a live one.
  is_read integer not null default 0,
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

-- Invoices as last read from Stripe. Not its links to them, which expire.
create table stripe_invoice (
  id text not null primary key,
  owner_id text not null,
  number text not null,
  -- Stripe's: "paid", "open", "void", "uncollectible".
  status text not null,
  -- In the currency's smallest unit, as Stripe counts it.
  amount_due bigint not null,
  amount_paid bigint not null,
  currency text not null,
  created_at bigint not null
);
create index stripe_invoice_owner on stripe_invoice (owner_id, created_at);

-- The prices that give Premium: those that were ever for sale here, and the others of their products.
create table stripe_price (
  id text not null primary key,
  product_id text not null
);

-- Events of the webhook that were carried out, so that a repeated one is not.
create table stripe_event (
  id text not null primary key,
  type text not null,
  created_at bigint not null,
  received_at bigint not null
);
create index stripe_event_received on stripe_event (received_at);
