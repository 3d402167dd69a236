-- What /status is computed from: a row a day (`day` is time / 86400000), with one character for each of its 1440 minutes. Each process merges
-- the result of its checks into the character of the minute. Merging it again, late or in any order changes nothing.
create table status_day (
  day integer not null primary key,
  minutes text not null check (length(minutes) = 1440)
);

-- The processes that run now, with the results of their last checks; one that ends in order deletes its row.
create table instance (
  id text not null primary key,
  started_at bigint not null,
  seen_at bigint not null,
  checked_at bigint not null default 0,
  database text not null default 'unset' check (database in ('well', 'failing', 'unset')),
  files text not null default 'unset' check (files in ('well', 'failing', 'unset')),
  mail text not null default 'unset' check (mail in ('well', 'failing', 'unset')),
  jobs text not null default 'unset' check (jobs in ('well', 'failing', 'unset'))
);
