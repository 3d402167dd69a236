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
  options text not null default '{}',
  rendered_at bigint not null
);

-- Has all columns that the cleanup reads, so that it reads no bodies.
create index rendered_page_by_owner on rendered_page (owner_id, path, pages_version, build_id, bytes);

create index rendered_page_by_time on rendered_page (rendered_at);
