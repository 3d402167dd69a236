-- The contacts that an owner's devices synchronize (CardDAV): how often they changed.
create table address_book (
  owner_id text not null primary key,
  -- Grows with each change, in the transaction that makes it. A sync token is a revision (RFC 6578).
  revision bigint not null,
  -- Older tokens are refused, because what has changed since isn't known: the database was restored from a backup.
  oldest_revision bigint not null default 0
);

-- A contact: all leads of a person. The row stays when the lead is erased, so that devices remove the contact, and then says nothing about
-- the person.
create table address_book_entry (
  owner_id text not null,
  -- The last part of its address, made of a revision and a number.
  name text not null,
  -- The main lead of the person; null once that is erased.
  lead_id text unique,
  -- That of its last change.
  revision bigint not null,
  primary key (owner_id, name)
);
create index address_book_entry_changes on address_book_entry (owner_id, revision);

-- A device that may read the contacts with a password of its own.
create table address_book_device (
  id text not null primary key,
  owner_id text not null,
  name text not null,
  -- SHA-256 of the password, in hexadecimal.
  password_hash text not null unique,
  created_at bigint not null,
  -- When it was last used, to the hour.
  used_at bigint
);
create index address_book_device_owner on address_book_device (owner_id);

insert into address_book (owner_id, revision) select distinct owner_id, 1 from lead;
insert into address_book_entry (owner_id, name, lead_id, revision)
  select owner_id, '1-' || row_number() over (partition by owner_id order by id), id, 1
  from lead where merged_into is null and quarantined_at is null;
