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
