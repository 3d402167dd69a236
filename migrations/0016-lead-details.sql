-- What owners correct and add. The columns name, email, phone and company have the corrected details, too.
alter table lead add column title text not null default '';
alter table lead add column website text not null default '';
-- JSON: further email addresses and phone numbers.
alter table lead add column other_emails text not null default '[]';
alter table lead add column other_phones text not null default '[]';
-- JSON: the details as they were sent, which never change; '' as long as the owner hasn't changed any.
alter table lead add column sent_details text not null default '';

-- The owner's template for replies to leads; '' for the one that comes with the program.
alter table lead_setting add column reply_subject text not null default '';
alter table lead_setting add column reply_text text not null default '';

-- A reply that an owner sent to a lead by email.
create table lead_reply (
  id text not null primary key,
  lead_id text not null,
  owner_id text not null,
  subject text not null,
  text text not null,
  created_at bigint not null
);
create index lead_reply_lead on lead_reply (lead_id, created_at);
create index lead_reply_owner on lead_reply (owner_id, created_at);
