-- What an owner uploaded. A row is written before its files, and made ready with the row that shows it. One that never became ready is
-- deleted, files first.
create table asset (
  id text not null primary key,
  owner_id text not null,
  -- "avatars", "banners", "resumes" or "pass-assets".
  area text not null,
  -- "avatar", "banner", "resume" or "logo:<card id>". Each slot has at most one ready asset.
  slot text not null,
  -- The storage key prefix: the part that the keys of its files have in common ("avatars/<user id>/avatar_<time>").
  key_prefix text not null,
  -- JSON: [{path, type, bytes}].
  files text not null default '[]',
  bytes bigint not null,
  -- The name on the owner's machine.
  filename text not null default '',
  is_ready integer not null default 0 check (is_ready in (0, 1)),
  created_at bigint not null
);
create unique index asset_one_in_slot on asset (owner_id, slot) where is_ready = 1;
create index asset_by_owner on asset (owner_id, created_at);
create index asset_unfinished on asset (created_at) where is_ready = 0;

-- The storage that an owner's files use. The write that adds a file checks it against the limits.
create table storage (
  owner_id text not null primary key,
  bytes bigint not null default 0 check (bytes >= 0),
  files integer not null default 0 check (files >= 0)
);
