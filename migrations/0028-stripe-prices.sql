-- The prices that give Premium: those that were ever for sale here, and the others of their products.
create table stripe_price (
  id text not null primary key,
  -- "" for the prices of subscriptions that gave Premium before this table existed.
  product_id text not null
);
insert into stripe_price (id, product_id) select distinct price_id, '' from stripe_subscription where price_id <> '';
