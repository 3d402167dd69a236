import type { ColumnType } from "kysely";

/** The tables about signing in that better-auth doesn't have. */
export type SignInSchema = {
  known_device: KnownDeviceTable;
  sign_in_challenge: SignInChallengeTable;
  second_factor: SecondFactorTable;
  backup_code: BackupCodeTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
  security_event: SecurityEventTable;
  account_block: AccountBlockTable;
  operator_log: OperatorLogTable;
  identity_code: IdentityCodeTable;
  replaced_token: ReplacedTokenTable;
  handed_over_session: HandedOverSessionTable;
  app_session: AppSessionTable;
  refresh_token: RefreshTokenTable;
  app_link: AppLinkTable;
  account_preference: AccountPreferenceTable;
  email_sign_in: EmailSignInTable;
  invitation: InvitationTable;
};

/** A browser that has signed in to an account. */
type KnownDeviceTable = {
  token_hash: string;
  owner_id: string;
  /** "Firefox on Windows". */
  browser: string;
  created_at: number;
  seen_at: number;
  /** Until this time a sign-in from the browser needs no second factor. */
  trusted_until: Defaulted<number>;
};

/** A sign-in that waits for the second factor. */
type SignInChallengeTable = { token_hash: string; owner_id: string; method: string; expires_at: number };

/** The second factor of an account. It is asked for once `enabled_at` is set. */
type SecondFactorTable = {
  owner_id: string;
  /** Encrypted; null for an account that only uses passkeys. */
  totp_secret: Defaulted<string | null>;
  /** The key of an app that is being set up. Encrypted. */
  pending_secret: Defaulted<string | null>;
  /** The time step of the last accepted code, which is not accepted again. */
  totp_step: Defaulted<number>;
  enabled_at: Defaulted<number | null>;
};

type BackupCodeTable = { owner_id: string; code_hash: string; used_at: Defaulted<number | null> };

type PasskeyTable = {
  id: string;
  owner_id: string;
  credential_id: string;
  /** In base64url, as COSE. */
  public_key: string;
  counter: number;
  /** JSON: ["internal", "hybrid"]. */
  transports: string;
  name: string;
  /** 1: synced between devices. */
  is_synced: 0 | 1;
  created_at: number;
  last_used_at: Defaulted<number | null>;
};

/** What a passkey is asked to sign, once and within five minutes. */
type PasskeyChallengeTable = {
  challenge: string;
  /** Empty for a sign-in: who it is turns out with the response. */
  owner_id: string;
  purpose: "sign-in" | "second-factor" | "add" | "confirm";
  expires_at: number;
};

/** What happened to the security of an account. */
type SecurityEventTable = {
  id: string;
  owner_id: string;
  event: string;
  detail: string;
  browser: string;
  /** A hash of the network, to tell networks apart. */
  network: string;
  created_at: number;
};

/** An account that the operator blocked. */
type AccountBlockTable = { owner_id: string; reason: string; created_at: number };

/** What an operator did to an account. `admin_id` is "" for the command line; `detail` is the reason for a block. */
type OperatorLogTable = {
  id: string;
  admin_id: string;
  owner_id: string;
  action: string;
  detail: string;
  created_at: number;
};

/** A code that was mailed to confirm who the user is. */
type IdentityCodeTable = { owner_id: string; code_hash: string; expires_at: number };

/** The token that a session had before. `is_valid`: it still stands for the session until `expires_at`. */
type ReplacedTokenTable = {
  token_hash: string;
  owner_id: string;
  session_id: string;
  is_valid: 0 | 1;
  expires_at: number;
};

/** A session whose browser shows visitors a form. `attempts`: PINs and passwords that were tried to take it back. */
type HandedOverSessionTable = {
  session_id: string;
  owner_id: string;
  pin_hash: string | null;
  form: string;
  attempts: Defaulted<number>;
  expires_at: number;
};

type AppSessionTable = { session_id: string; owner_id: string; is_full: 0 | 1; proofs: string; expires_at: number };

type RefreshTokenTable = {
  token_hash: string;
  session_id: string;
  owner_id: string;
  used_at: Defaulted<number | null>;
  expires_at: number;
};

type AppLinkTable = {
  token_hash: string;
  owner_id: string;
  kind: "sign-in" | "recovery" | "sign-up" | "code" | "used";
  detail: Defaulted<string>;
  digits_hash: Defaulted<string>;
  redirect_to: Defaulted<string>;
  challenge: Defaulted<string>;
  expires_at: number;
};

type AccountPreferenceTable = {
  owner_id: string;
  /** 1: the owner gets a mail about a sign-in from a new browser. */
  mails_sign_ins: Defaulted<0 | 1>;
  /** "de-DE", for dates; "" for American English. */
  locale: Defaulted<string>;
  /** "Europe/Berlin"; "" for UTC. */
  time_zone: Defaulted<string>;
};

/** A link and a code that were mailed to sign in with. */
type EmailSignInTable = {
  token_hash: string;
  code_hash: string;
  browser_hash: string;
  /** "Firefox on Windows": the browser that asked. */
  browser: string;
  owner_id: string;
  /** The path to open after signing in; empty for the usual one. */
  return_to: string;
  expires_at: number;
};

/** An invitation to sign up with an address. */
type InvitationTable = {
  id: string;
  email: string;
  /** Null once it was accepted. */
  token_hash: string | null;
  created_at: number;
  expires_at: number;
  accepted_at: Defaulted<number | null>;
};

type Defaulted<T> = ColumnType<T, T | undefined, T>;
