-- Leads in quarantine are counted from the index alone.
drop index lead_in_spam;
create index lead_in_spam on lead (owner_id, created_at, id)
  where quarantined_at is not null and deleted_at is null and merged_into is null;
