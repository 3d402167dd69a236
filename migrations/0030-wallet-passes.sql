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

-- A device that asked to hear about changes of its passes.
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
  -- When the device last loaded the pass through the update service; null: never since it was added.
  loaded_at bigint,
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
