-- Owners who get a mail about their statistics each week. Without a row, an owner gets none.
create table weekly_mail (
  owner_id text not null primary key,
  -- The Monday of the next one, in days since 1970-01-01.
  monday integer not null,
  created_at bigint not null
);
create index weekly_mail_by_monday on weekly_mail (monday);
