import type { ColumnType } from "kysely";

/** The tables of outgoing webhooks. */
export type WebhookSchema = {
  webhook_endpoint: WebhookEndpointTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
};

/** Where an owner's events are sent. Address and secrets are encrypted for the owner. */
export type WebhookEndpointTable = {
  id: string;
  owner_id: string;
  url: string;
  /** JSON: `WebhookKind[]`. */
  kinds: string;
  secret: string;
  /** The secret before the last rotation, which also signs until `old_secret_until`. */
  old_secret: Defaulted<string>;
  old_secret_until: Defaulted<number>;
  is_on: Defaulted<0 | 1>;
  /** "owner", "gone" or "failing"; "" while it is on. */
  off_reason: Defaulted<string>;
  /** Since when no attempt has succeeded; null after a success. */
  failing_since: Defaulted<number | null>;
  /** It hasn't answered yet, or its last attempt failed or took long. */
  is_slow: Defaulted<0 | 1>;
  /** Attempts in a row that got no answer. */
  unanswered: Defaulted<number>;
  /** Nothing is sent before this time, because attempts got no answer. */
  paused_until: Defaulted<number>;
  /** How many messages weren't stored because too many waited, and when the last one wasn't. */
  left_out: Defaulted<number>;
  left_out_at: Defaulted<number>;
  created_at: number;
  updated_at: number;
};

/** An event on its way to an endpoint, and what became of it. */
export type WebhookDeliveryTable = {
  /** The `webhook-id`, the same in all attempts. */
  id: string;
  endpoint_id: string;
  owner_id: string;
  kind: string;
  /** JSON. Without anything about a lead, whose details are read when they are sent or shown. */
  content: string;
  /** "" without one, and once the lead is gone. */
  lead_id: Defaulted<string>;
  card_id: Defaulted<string>;
  /** How many events it stands for. */
  count: Defaulted<number>;
  is_test: Defaulted<0 | 1>;
  /** "waiting", "delivered", "failed" or "dropped". */
  state: string;
  /** Attempts since it was sent the first time, or by hand. */
  attempts: Defaulted<number>;
  first_attempt_at: Defaulted<number | null>;
  /** Null unless it waits. */
  next_attempt_at: Defaulted<number | null>;
  leased_until: Defaulted<number>;
  happened_at: number;
  created_at: number;
};

/** One request and its answer. */
export type WebhookAttemptTable = {
  id: string;
  delivery_id: string;
  owner_id: string;
  started_at: number;
  /** What was sent as `webhook-signature`. */
  signature: string;
  status: Defaulted<number | null>;
  /** Why there was no answer. */
  problem: Defaulted<string>;
  /** The beginning of the answer, encrypted; "" without one, and once the lead is gone that it may repeat. */
  answer: Defaulted<string>;
  duration_ms: number;
};

/** Optional in an insert, because the column has a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** The tables of services to which contacts are copied. */
export type IntegrationSchema = {
  integration: IntegrationTable;
  integration_contact: IntegrationContactTable;
};

export type IntegrationState = "on" | "paused" | "refused";

/** Where an owner's contacts are copied to. */
type IntegrationTable = {
  id: string;
  owner_id: string;
  kind: string;
  /** JSON, encrypted for the owner. */
  settings: string;
  state: Defaulted<IntegrationState>;
  /** Changes of the owner's contacts up to this revision are in `integration_contact`. */
  seen_revision: Defaulted<number>;
  /** Nothing is sent before this time. */
  paused_until: Defaulted<number>;
  created_at: number;
  updated_at: number;
};

export type CopyState = "waiting" | "sent" | "removed" | "kept" | "left-out" | "given-up";

/** A contact at the other side. */
type IntegrationContactTable = {
  integration_id: string;
  owner_id: string;
  /** As in `address_book_entry`. */
  name: string;
  /** How the other side names it; "" while it isn't there. */
  remote_id: Defaulted<string>;
  /** A keyed hash of what was sent last. */
  sent_hash: Defaulted<string>;
  state: CopyState;
  attempts: Defaulted<number>;
  first_attempt_at: Defaulted<number | null>;
  /** null when nothing is left to do. */
  next_attempt_at: Defaulted<number | null>;
  status: Defaulted<number | null>;
  answer: Defaulted<string>;
  updated_at: number;
};
