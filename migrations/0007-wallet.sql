-- The wallet pass of a card, from the first time it was made. Its serial number is the card's id.
create table wallet_pass (
  card_id text not null primary key,
  -- "" once the account is deleted.
  owner_id text not null,
  -- A random value. The authentication token is derived from it and the installation's secret; only its hash is stored.
  token_seed text not null,
  token_hash text not null,
  -- Of what the pass shows. A save that changes nothing visible leaves it, and the time below, unchanged.
  content_hash text not null,
  -- When something visible last changed: the tag of the update service. It only increases.
  changed_at bigint not null,
  -- The last update that a device was told about, and the last error, in plain language; "" after a success.
  pushed_at bigint,
  push_error text not null default '',
  -- The card was deleted. The row stays for a while, so that devices learn that the pass is void.
  deleted_at bigint,
  created_at bigint not null
);
create index wallet_pass_owner on wallet_pass (owner_id);
create index wallet_pass_deleted on wallet_pass (deleted_at) where deleted_at is not null;

-- A device that asked to be notified about changes of its passes.
create table wallet_device (
  -- The device library identifier, which the device chooses.
  id text not null primary key,
  push_token text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index wallet_device_token on wallet_device (push_token);

-- A pass on a device.
create table wallet_registration (
  device_id text not null,
  card_id text not null,
  -- The device was notified about changes of the pass up to this time, as in wallet_pass.changed_at.
  pushed_until bigint not null default 0,
  created_at bigint not null,
  primary key (device_id, card_id)
);
create index wallet_registration_card on wallet_registration (card_id);

-- How a card's pass looks, as its owner chose it.
create table pass_design (
  card_id text not null primary key,
  owner_id text not null,
  -- JSON.
  design text not null,
  version bigint not null default 1,
  updated_at bigint not null
);
create index pass_design_owner on pass_design (owner_id);

-- The pass of a card in Google Wallet, from the first time someone asked for it.
create table google_pass (
  card_id text not null primary key,
  -- "" once the account is deleted.
  owner_id text not null,
  -- Of the object that Google has; "" before the first one.
  sent_hash text not null default '',
  sent_at bigint,
  -- Why Google doesn't have the current one, in plain language; "" after a success.
  error text not null default '',
  -- The card was deleted. The row stays for a while, so that Google is told that the pass is void.
  deleted_at bigint,
  created_at bigint not null
);
create index google_pass_owner on google_pass (owner_id);
