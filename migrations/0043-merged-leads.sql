-- The lead that this one was merged into, which may have been merged into another since. `merged_into` is the main lead of all.
alter table lead add column merge_parent text;
-- JSON: what that lead took from this one, because it had none: "status", "followUp".
alter table lead add column merge_filled text not null default '[]';

create index lead_merged_of_owner on lead (owner_id, merged_into) where merged_into is not null;

-- Two leads that share an address or a number and belong to different people. Each pair is stored in both directions.
create table lead_distinct (
  lead_id text not null,
  other_id text not null,
  owner_id text not null,
  primary key (lead_id, other_id)
);
create index lead_distinct_other on lead_distinct (other_id);
create index lead_distinct_owner on lead_distinct (owner_id);
