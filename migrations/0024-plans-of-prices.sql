-- The plan that a price gives.
alter table stripe_price add column plan text not null default 'premium';
