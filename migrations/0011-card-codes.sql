-- The short address of a card, /c/{code}. Null for a card of an older release until maintenance gives it one.
alter table card add column code text;

create unique index card_by_code on card (code);

-- Every code ever given. Rows stay when their card is deleted: a printed code must never lead to another card.
create table card_code (
  code text not null primary key
);
