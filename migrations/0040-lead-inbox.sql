-- Deleted by the owner: hidden at once, and erased by a job after the time to undo it.
alter table lead add column deleted_at bigint;
-- Another submission of the same person, shown with this lead: each keeps its own proof of consent and its own links.
alter table lead add column merged_into text;

create index lead_in_inbox on lead (owner_id, created_at, id)
  where quarantined_at is null and deleted_at is null and merged_into is null;
create index lead_in_spam on lead (owner_id, created_at, id) where quarantined_at is not null;
create index lead_unread on lead (owner_id)
  where read_at is null and quarantined_at is null and deleted_at is null and merged_into is null;
create index lead_deleted on lead (owner_id, deleted_at) where deleted_at is not null;
create index lead_merged on lead (merged_into) where merged_into is not null;
