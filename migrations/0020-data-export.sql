-- The latest export of an account's data. A new one replaces it.
create table data_export (
  owner_id text not null primary key,
  -- Identifies the export; its file has this name.
  id text not null,
  state text not null check (state in ('running', 'ready', 'failed')),
  -- How often the job has started.
  tries integer not null default 0,
  files_done integer not null default 0,
  -- 0 until they are counted.
  files_total integer not null default 0,
  -- Of the finished file.
  bytes bigint not null default 0,
  requested_at bigint not null,
  -- When the row and its file are deleted.
  expires_at bigint not null
);
create index data_export_expiry on data_export (expires_at);
