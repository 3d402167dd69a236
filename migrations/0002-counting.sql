-- Visits, clicks and saves, added up by day. No address and nothing else about a visitor is kept.
create table tally (
  subject text not null,
  kind text not null,
  day integer not null,
  source text not null,
  target text not null,
  n bigint not null default 0,
  primary key (subject, kind, day, source, target)
);

-- Limits on guessing: how often something was tried until resets_at.
create table attempt (
  key text not null primary key,
  count integer not null,
  resets_at bigint not null
);

create index attempt_by_reset on attempt (resets_at);
