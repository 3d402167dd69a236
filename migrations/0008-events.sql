-- The outbox: an event is recorded in the transaction of its write and deleted when every process has been told.
create table event (
  id text not null primary key,
  kind text not null,
  owner_id text not null,
  payload text not null,
  leased_until bigint not null default 0,
  created_at bigint not null
);

create index event_by_time on event (created_at);

-- Changes with each event of the owner. A stored page of another version is out of date.
alter table profile add column pages_version text not null default '';
