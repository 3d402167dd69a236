import type { ColumnType } from "kysely";

/** The tables of wallet passes. */
export type WalletSchema = {
  wallet_pass: WalletPassTable;
  wallet_device: WalletDeviceTable;
  wallet_registration: WalletRegistrationTable;
  pass_design: PassDesignTable;
  google_pass: GooglePassTable;
};

/** The pass of a card, whose id is the serial number. */
type WalletPassTable = {
  card_id: string;
  /** "" once the account is deleted. */
  owner_id: string;
  token_seed: string;
  /** SHA-256 of the authentication token, in hexadecimal. */
  token_hash: string;
  /** Of what the pass shows. */
  content_hash: string;
  /** When something visible last changed: the tag of the update service. It only increases. */
  changed_at: number;
  /** The last update that a device was notified of. */
  pushed_at: Defaulted<number | null>;
  /** The last error in plain language; "" after a success. */
  push_error: Defaulted<string>;
  /** When the card was deleted. */
  deleted_at: Defaulted<number | null>;
  created_at: number;
};

/** A device that registered for changes of its passes. */
type WalletDeviceTable = {
  /** The device library identifier. */
  id: string;
  push_token: string;
  created_at: number;
  updated_at: number;
};

/** A pass on a device. */
type WalletRegistrationTable = {
  device_id: string;
  card_id: string;
  /** The device knows about changes of the pass up to this time, as in `changed_at`. */
  pushed_until: Defaulted<number>;
  created_at: number;
};

/** How a card's pass looks, as its owner chose it. */
type PassDesignTable = {
  card_id: string;
  owner_id: string;
  /** JSON: `PassDesign`. */
  design: string;
  version: Defaulted<number>;
  updated_at: number;
};

/** The pass of a card in Google Wallet. */
type GooglePassTable = {
  card_id: string;
  /** "" once the account is deleted. */
  owner_id: string;
  /** Of the object that Google has; "" before the first one; `refusedMark` after Google has refused one. */
  sent_hash: Defaulted<string>;
  sent_at: Defaulted<number | null>;
  /** The last error in plain language; "" after a success. */
  error: Defaulted<string>;
  /** When the card was deleted. */
  deleted_at: Defaulted<number | null>;
  created_at: number;
};

/** Optional in an insert, because the column has a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
