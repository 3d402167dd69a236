-- To which addresses a lead was forwarded, so that each is asked to delete it when its visitor wants that.
create table lead_recipient (
  lead_id text not null,
  owner_id text not null,
  address text not null,
  sent_at bigint not null,
  primary key (lead_id, address)
);
create index lead_recipient_owner on lead_recipient (owner_id);
