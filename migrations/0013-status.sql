-- What /status is computed from. Each process checks itself every minute and writes the result; `minute` is time / 60000.
-- Rows of the last days only: older ones are rolled up into status_day.
create table heartbeat (
  minute integer not null,
  instance text not null,
  looked_at bigint not null,
  database text not null check (database in ('well', 'failing', 'unset')),
  files text not null check (files in ('well', 'failing', 'unset')),
  mail text not null check (mail in ('well', 'failing', 'unset')),
  jobs text not null check (jobs in ('well', 'failing', 'unset')),
  primary key (minute, instance)
);

-- A row a day (`day` is time / 86400000), with one character for each of its 1440 minutes. Merging the same heartbeat again, in any order,
-- changes nothing, so a roll-up may be repeated and a late heartbeat is still counted.
create table status_day (
  day integer not null primary key,
  minutes text not null
);

-- The processes that run now; one that ends in order deletes its row.
create table instance (
  id text not null primary key,
  started_at bigint not null,
  seen_at bigint not null
);
