-- What a person uploaded. `stem` is where it lies in the store ("avatars/<user id>/avatar_<time>"), `files` (JSON) what lies there.
-- A row is written before its files and made ready with whatever shows it; one that never became ready is swept, files first.
create table asset (
  id text not null primary key,
  owner_id text not null,
  area text not null,
  slot text not null,
  stem text not null,
  files text not null default '[]',
  bytes bigint not null,
  filename text not null default '',
  is_ready integer not null default 0 check (is_ready in (0, 1)),
  created_at bigint not null
);

create unique index asset_one_in_slot on asset (owner_id, slot) where is_ready = 1;

create index asset_by_owner on asset (owner_id, created_at);

create index asset_unready on asset (created_at) where is_ready = 0;

-- How much room an owner's files take: what the limits are checked against, in the write itself.
create table storage (
  owner_id text not null primary key,
  bytes bigint not null default 0 check (bytes >= 0),
  files integer not null default 0 check (files >= 0)
);

alter table profile add column avatar_stem text;

alter table profile add column avatar_options text;

alter table profile add column banner_stem text;

alter table profile add column resume_stem text;

alter table profile add column resume_filename text not null default '';

alter table profile add column is_listed integer not null default 1 check (is_listed in (0, 1));

alter table card add column more text not null default '{}';

alter table card add column logo_stem text;

alter table card add column is_paused integer not null default 0 check (is_paused in (0, 1));

alter table card add column place bigint not null default 0;

update card set place = created_at;

create index card_by_place on card (user_id, place, id);
