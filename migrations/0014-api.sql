-- A key with which programs act for its owner.
create table api_key (
  id text not null primary key,
  owner_id text not null,
  name text not null,
  -- SHA-256 of the key, which is shown once and not stored.
  key_hash text not null unique,
  -- Its last four characters, to recognize it.
  ending text not null,
  -- JSON: ["cards:read"].
  scopes text not null,
  created_at bigint not null,
  -- null: never. When a key is revoked, that time.
  expires_at bigint,
  revoked_at bigint,
  -- The day of the last call, in days since 1970, and the client's name.
  used_on integer,
  used_by text not null default ''
);
create index api_key_by_owner on api_key (owner_id, created_at);
create index api_key_by_end on api_key (expires_at);

-- The outcome of a call with an Idempotency-Key, for when it is repeated.
create table api_call (
  key_id text not null,
  idempotency_key text not null,
  owner_id text not null,
  request_hash text not null,
  -- null while the call runs.
  status integer,
  headers text not null default '{}',
  body text not null default '',
  created_at bigint not null,
  primary key (key_id, idempotency_key)
);
create index api_call_by_time on api_call (created_at);
create index api_call_by_owner on api_call (owner_id);
