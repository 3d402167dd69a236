-- The page of an owner.
create table profile (
  owner_id text not null primary key,
  display_name text not null,
  bio text not null,
  theme text not null default 'default',
  -- JSON: [{id, label, url, on, from, until, tab}] in display order.
  links text not null default '[]',
  show_business_card integer not null default 1 check (show_business_card in (0, 1)),
  -- The card that Save Contact opens: "" for the first one that visitors can open.
  contact_card_id text not null default '',
  -- The storage key prefixes of the images and the resume, as in the table asset; null without one.
  avatar_key_prefix text,
  -- JSON: the options of a drawn avatar; null for an uploaded one.
  avatar_options text,
  banner_key_prefix text,
  resume_key_prefix text,
  -- The file name for downloads of the resume.
  resume_filename text not null default '',
  -- 0: search engines are asked not to list the page.
  is_listed integer not null default 1 check (is_listed in (0, 1)),
  is_sample integer not null default 0 check (is_sample in (0, 1)),
  -- The number of cards. The write that adds one checks it against the plan's limit.
  cards_owned integer not null default 0 check (cards_owned >= 0),
  -- Increases with each save, so that a form notices a save since it was opened.
  version integer not null default 1,
  -- Changes with each event of the owner. A stored page of another version is out of date.
  pages_version text not null default '',
  created_at bigint not null,
  updated_at bigint not null
);
-- For the operator's search.
create index profile_name on profile (display_name, owner_id);

-- Every handle ever chosen. Old ones redirect, and no one else can take them.
create table handle (
  handle text not null primary key,
  owner_id text not null,
  is_current integer not null check (is_current in (0, 1)),
  created_at bigint not null
);
create index handle_by_owner on handle (owner_id);
create unique index handle_one_current on handle (owner_id) where is_current = 1;

-- Hashes of the handles of deleted accounts: no one gets them again, because printed codes still lead there. A row identifies no one.
create table retired_handle (
  hash text not null primary key
);

-- Finished public pages, compressed with brotli, so that a page is rendered once for all processes and restarts.
-- A row is served only while pages_version is the owner's and build_id the process's.
create table rendered_page (
  path text not null primary key,
  owner_id text not null,
  pages_version text not null,
  build_id text not null,
  etag text not null,
  body bytea not null,
  bytes integer not null,
  -- JSON.
  options text not null default '{}',
  rendered_at bigint not null
);
-- Has all columns that the cleanup reads, so that it reads no bodies.
create index rendered_page_by_owner on rendered_page (owner_id, path, pages_version, build_id, bytes);
create index rendered_page_by_time on rendered_page (rendered_at);

-- After which id a file of the sitemap starts; the first file of a section has no row.
create table sitemap_file (
  -- "profiles" or "cards".
  section text not null,
  start text not null,
  primary key (section, start)
);
