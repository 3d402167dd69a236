-- Work to do later. A worker takes a row by moving leased_until; a row goes when it is done.
create table job (
  id text not null primary key,
  kind text not null,
  payload text not null,
  run_at bigint not null,
  tries integer not null default 0,
  leased_until bigint not null default 0,
  created_at bigint not null,
  last_error text
);

create index job_by_time on job (run_at);
