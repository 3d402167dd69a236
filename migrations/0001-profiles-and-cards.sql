-- Plain SQL that SQLite and PostgreSQL read alike; a statement ends with a semicolon at the end of a line.
-- Append-only: what was released is never edited, a change is a new file.
-- user_id is the id of better-auth's "user": no foreign key, because better-auth makes and changes that table itself.

create table profile (
  user_id text not null primary key,
  display_name text not null,
  bio text not null,
  theme text not null default 'default',
  show_business_card integer not null default 1 check (show_business_card in (0, 1)),
  links text not null default '[]',
  cards_owned integer not null default 0 check (cards_owned >= 0),
  version integer not null default 1,
  is_sample integer not null default 0 check (is_sample in (0, 1)),
  created_at bigint not null,
  updated_at bigint not null
);

-- Old handles stay for ever: they redirect, and nobody else can take them.
create table handle (
  handle text not null primary key,
  user_id text not null,
  is_current integer not null check (is_current in (0, 1)),
  created_at bigint not null
);

create index handle_by_user on handle (user_id);

create unique index handle_one_current on handle (user_id) where is_current = 1;

create table card (
  id text not null primary key,
  user_id text not null,
  card_name text not null,
  profession text not null default '',
  company text not null default '',
  position text not null default '',
  email text not null default '',
  phone text not null default '',
  years_experience integer,
  professional_links text not null default '[]',
  is_public integer not null default 1 check (is_public in (0, 1)),
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);

create index card_by_user on card (user_id, created_at, id);

create table subscription (
  user_id text not null primary key,
  plan text not null,
  ends_at bigint
);

create table setting (
  name text not null primary key,
  value text not null
);
