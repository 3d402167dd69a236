-- What visitors did, counted per hour. Stored for 30 days. No address, no browser and no cookie is stored.
create table hourly_count (
  owner_id text not null,
  -- Epoch milliseconds / 3600000.
  hour integer not null,
  -- "profile:<owner id>" or "card:<card id>".
  subject text not null,
  kind text not null,
  source text not null,
  -- The link that was followed.
  target text not null,
  device text not null,
  country text not null,
  -- The host of the site that led here.
  referrer text not null,
  -- The utm parameters of the address.
  campaign text not null,
  n bigint not null default 0,
  -- How many of them were the first visit of the day.
  firsts bigint not null default 0,
  -- How much of n and firsts is in daily_count.
  rolled bigint not null default 0,
  rolled_firsts bigint not null default 0,
  primary key (owner_id, hour, subject, kind, source, target, device, country, referrer, campaign)
);
create index hourly_count_by_hour on hourly_count (hour);
create index hourly_count_pending on hourly_count (owner_id) where n > rolled;

-- The same per day in the owner's time zone and one dimension. After 25 months, per month, on its first day.
create table daily_count (
  owner_id text not null,
  -- "all", "page", "link", "source", "device", "country", "referrer", "campaign" or "hour" (of the week, 0 to 167 from Monday); for the lists
  -- of one page, link or source "device@page:card:1".
  dimension text not null,
  -- Days since 1970-01-01.
  day integer not null,
  value text not null,
  visits bigint not null default 0,
  visitors bigint not null default 0,
  saves bigint not null default 0,
  clicks bigint not null default 0,
  wallets bigint not null default 0,
  leads bigint not null default 0,
  primary key (owner_id, dimension, day, value)
);
create index daily_count_by_day on daily_count (day);

-- Batches of counts that are written, so that a repeated one isn't counted twice.
create table count_batch (id text not null primary key, created_at bigint not null);
create index count_batch_by_time on count_batch (created_at);

-- The row "roll-up" is locked by whatever moves counts between these tables.
create table statistics_lock (name text not null primary key, taken_at bigint not null);

-- What an owner writes about days of the statistics ("trade fair").
create table day_note (
  owner_id text not null,
  -- Days since 1970-01-01.
  day integer not null,
  -- 0 to 2: the key limits the notes of a day.
  slot integer not null,
  text text not null,
  created_at bigint not null,
  primary key (owner_id, day, slot)
);

-- Owners who get a mail about their statistics each week. Without a row, an owner gets none.
create table weekly_mail (
  owner_id text not null primary key,
  -- The Monday of the next one, in days since 1970-01-01.
  monday integer not null,
  created_at bigint not null
);
create index weekly_mail_by_monday on weekly_mail (monday);
