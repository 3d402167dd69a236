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

-- Whether the invoices of this customer were ever read.
alter table stripe_customer add column has_invoices integer not null default 0;
