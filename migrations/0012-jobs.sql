-- Work to do later. A worker takes a row by moving leased_until; a finished job is deleted.
create table job (
  id text not null primary key,
  kind text not null,
  -- Of the jobs of a kind with the same key at most one waits or runs. Most jobs have none.
  key text,
  -- JSON.
  payload text not null,
  run_at bigint not null,
  -- It was scheduled again for this time while it ran.
  again_at bigint,
  tries integer not null default 0,
  leased_until bigint not null default 0,
  created_at bigint not null,
  last_error text
);
create index job_by_time on job (run_at);
create unique index job_by_key on job (kind, key);

-- The outbox: an event is recorded in the transaction of its write and deleted when every process has been told.
create table event (
  id text not null primary key,
  kind text not null,
  owner_id text not null,
  -- JSON: the event.
  payload text not null,
  -- Until this time one process delivers it.
  leased_until bigint not null default 0,
  created_at bigint not null
);
create index event_by_time on event (created_at);

-- Rate limits: how often something was tried until resets_at.
create table attempt (
  key text not null primary key,
  count integer not null,
  resets_at bigint not null
);
create index attempt_by_reset on attempt (resets_at);

-- What the installation remembers about itself.
create table setting (
  name text not null primary key,
  value text not null
);
