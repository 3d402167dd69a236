-- The secret address of an owner's calendar of follow-up dates. Only the hash of its secret is stored.
create table calendar_feed (
  owner_id text not null primary key,
  token_hash text not null unique,
  created_at bigint not null,
  -- When a calendar last asked for it, to the hour.
  fetched_at bigint
);

-- When the follow-up date was last changed, and how often: calendars take a newer version of an event.
alter table lead add column follow_up_changed_at bigint;
alter table lead add column follow_up_changes integer not null default 0;

create index lead_follow_up on lead (owner_id, follow_up, id) where follow_up <> '';
