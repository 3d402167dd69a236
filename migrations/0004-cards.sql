-- A business card.
create table card (
  id text not null primary key,
  owner_id text not null,
  -- The short address, /c/{code}.
  code text not null,
  card_name text not null,
  profession text not null default '',
  company text not null default '',
  position text not null default '',
  email text not null default '',
  phone text not null default '',
  -- Of experience; may have decimals, such as 2.5.
  years double precision,
  -- JSON: [{id, name, url}].
  professional_links text not null default '[]',
  -- JSON: the optional fields, and the visibility of all fields.
  optional_fields text not null default '{}',
  -- "" for the theme's own color, the id of a preset, or a color such as "#3a5f8c".
  accent text not null default '',
  layout text not null default 'classic',
  -- "light", "dark", or "" for the profile's theme.
  paper text not null default '',
  -- The storage key prefix of the logo, as in the table asset; null without one.
  logo_key_prefix text,
  is_public integer not null default 1 check (is_public in (0, 1)),
  -- Whether the owner hides it from the public.
  is_paused integer not null default 0 check (is_paused in (0, 1)),
  -- The position in the owner's list, highest first. A new card starts with its creation time.
  list_position bigint not null default 0,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index card_by_code on card (code);
create index card_by_owner on card (owner_id, created_at, id);
create index card_by_list_position on card (owner_id, list_position, id);

-- Every code ever given. Rows stay when their card is deleted: a printed code must never lead to another card.
create table card_code (
  code text not null primary key
);
