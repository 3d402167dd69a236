import type { ColumnType } from "kysely";

import type { BillingSchema } from "./billing-schema.ts";
import type { LeadSchema } from "./lead-schema.ts";
import type { SignInSchema } from "./sign-in-schema.ts";
import type { AnalyticsSchema } from "./analytics-schema.ts";
import type { WalletSchema } from "./wallet-schema.ts";
import type { IntegrationSchema, WebhookSchema } from "./webhook-schema.ts";

/**
 * The tables of migrations/*.sql for Kysely. Ids are text, times epoch milliseconds, booleans 1 and 0, and lists JSON text that
 * `data.server.ts` files validate. better-auth has its own tables (user, session, account, verification).
 */
export type Schema = SignInSchema &
  BillingSchema &
  LeadSchema &
  AnalyticsSchema &
  WalletSchema &
  WebhookSchema &
  IntegrationSchema & {
    api_key: ApiKeyTable;
    api_call: ApiCallTable;
    profile: ProfileTable;
    handle: HandleTable;
    retired_handle: RetiredHandleTable;
    card: CardTable;
    card_code: CardCodeTable;
    job: JobTable;
    attempt: AttemptTable;
    email_change: EmailChangeTable;
    sign_up_draft: SignUpDraftTable;
    data_export: DataExportTable;
    setting: SettingTable;
    asset: AssetTable;
    storage: StorageTable;
    status_day: StatusDayTable;
    instance: InstanceTable;
    event: EventTable;
    rendered_page: RenderedPageTable;
    sitemap_file: { section: string; start: string };
    migration: MigrationTable;
  };

export type ProfileTable = {
  owner_id: string;
  display_name: string;
  bio: string;
  theme: Defaulted<string>;
  show_business_card: Defaulted<Flag>;
  /** JSON: [{id, label, url, on, from, until, tab}] in display order. */
  links: Defaulted<string>;
  /** The number of cards. The write that adds one checks it against the plan's limit. */
  cards_owned: Defaulted<number>;
  /** Increases with each save, so that a form notices a save since it was opened. */
  version: Defaulted<number>;
  is_sample: Defaulted<Flag>;
  /** The storage key prefixes of avatar, banner and resume, as in `asset.key_prefix`. */
  avatar_key_prefix: Defaulted<string | null>;
  /** JSON: the options of a drawn avatar; null for an uploaded one. */
  avatar_options: Defaulted<string | null>;
  banner_key_prefix: Defaulted<string | null>;
  resume_key_prefix: Defaulted<string | null>;
  /** The file name for downloads of the resume. */
  resume_filename: Defaulted<string>;
  /** 0: search engines are asked not to list the page. */
  is_listed: Defaulted<Flag>;
  /** The card that Save Contact opens; "" for the first one that visitors can open. */
  contact_card_id: Defaulted<string>;
  /** Changes with each event of the owner: a stored page of another version is out of date. */
  pages_version: Defaulted<string>;
  created_at: number;
  updated_at: number;
};

/** Every handle ever chosen. Old ones redirect to the current one. */
export type HandleTable = {
  handle: string;
  owner_id: string;
  is_current: Flag;
  created_at: number;
};

/** A hash of a handle whose account was deleted. No one gets the handle again. */
export type RetiredHandleTable = { hash: string };

export type CardTable = {
  id: string;
  owner_id: string;
  card_name: string;
  profession: Defaulted<string>;
  company: Defaulted<string>;
  position: Defaulted<string>;
  email: Defaulted<string>;
  phone: Defaulted<string>;
  /** Of experience; may have decimals. */
  years: number | null;
  /** JSON: [{id, name, url}]. */
  professional_links: Defaulted<string>;
  is_public: Defaulted<Flag>;
  /** JSON: the optional fields, and the visibility of all fields. */
  optional_fields: Defaulted<string>;
  /** "" for the theme's own color, the id of a preset, or a color such as "#3a5f8c". */
  accent: Defaulted<string>;
  layout: Defaulted<string>;
  /** "light", "dark", or "" for the profile's theme. */
  paper: Defaulted<string>;
  logo_key_prefix: Defaulted<string | null>;
  /** Whether the owner hides it from the public. */
  is_paused: Defaulted<Flag>;
  /** The position in the list, highest first. A new card starts with its creation time. */
  list_position: Defaulted<number>;
  /** The short address, `/c/{code}`. */
  code: string;
  version: Defaulted<number>;
  created_at: number;
  updated_at: number;
};

/** Every short address ever given. */
export type CardCodeTable = { code: string };

/** Background work. A finished job is deleted. */
export type JobTable = {
  id: string;
  kind: string;
  /** Of the jobs of a kind with the same key at most one waits or runs. */
  key: string | null;
  /** JSON. */
  payload: string;
  run_at: number;
  /** It was scheduled again for this time while it ran. */
  again_at: Defaulted<number | null>;
  tries: Defaulted<number>;
  /** Until this time the job belongs to the worker that claimed it. */
  leased_until: Defaulted<number>;
  created_at: number;
  last_error: string | null;
};

/** Rate limits: the number of attempts in the window that ends at `resets_at`. */
export type AttemptTable = {
  key: string;
  count: number;
  resets_at: number;
};

/** The draft of a sign-up. `content` prefills the first steps. */
export type SignUpDraftTable = {
  attempt: string;
  owner_id: string;
  content: string;
  is_confirmed: Defaulted<Flag>;
  expires_at: number;
};

/** The latest export of an account's data. */
export type DataExportTable = {
  owner_id: string;
  /** The name of its file. */
  id: string;
  state: "running" | "ready" | "failed";
  /** How often the job has started. */
  tries: Defaulted<number>;
  files_done: Defaulted<number>;
  /** 0 until they are counted. */
  files_total: Defaulted<number>;
  bytes: Defaulted<number>;
  requested_at: number;
  /** When the row and its file are deleted. */
  expires_at: number;
};

/** An upload with all the variants that are served. */
export type AssetTable = {
  id: string;
  owner_id: string;
  /** "avatars", "banners", "resumes" or "pass-assets". */
  area: string;
  /** "avatar", "banner", "resume" or "logo:<card id>". Each slot has at most one ready asset. */
  slot: string;
  /** The storage key prefix: the part that the keys of its files have in common. */
  key_prefix: string;
  /** JSON: [{path, type, bytes}]. */
  files: Defaulted<string>;
  bytes: number;
  /** The name on the owner's machine. */
  filename: Defaulted<string>;
  /** The name in the path under which an app stored it; empty for other uploads. */
  path_name: Defaulted<string>;
  is_ready: Defaulted<Flag>;
  created_at: number;
};

/** The storage that an owner's files use. */
export type StorageTable = { owner_id: string; bytes: Defaulted<number>; files: Defaulted<number> };

/** A day (`time / 86400000`) of self-checks. `minutes` has one character for each of its 1440 minutes. */
export type StatusDayTable = { day: number; minutes: string };

/** A running process and the results of its last checks. */
export type InstanceTable = {
  id: string;
  started_at: number;
  /** When its last database check began. */
  seen_at: number;
  /** When its last recorded checks began; 0 before. */
  checked_at: Defaulted<number>;
  database: Defaulted<CheckState>;
  files: Defaulted<CheckState>;
  mail: Defaulted<CheckState>;
  jobs: Defaulted<CheckState>;
  /** Empty for a process that is too old to say. */
  version: Defaulted<string>;
};

/** A domain event that isn't delivered to every process yet. */
export type EventTable = {
  id: string;
  kind: string;
  owner_id: string;
  /** JSON: the event. */
  payload: string;
  /** Until this time one process delivers it. */
  leased_until: Defaulted<number>;
  created_at: number;
};

/** A finished public page. */
export type RenderedPageTable = {
  path: string;
  owner_id: string;
  /** `profile.pages_version` from before the page's data were read. */
  pages_version: string;
  /** The program that rendered it. */
  build_id: string;
  etag: string;
  /** HTML, compressed with brotli. */
  body: Uint8Array;
  bytes: number;
  /** JSON: the page's `PublicPageOptions` without `ownerId`. */
  options: Defaulted<string>;
  rendered_at: number;
};

/** A change of an account's email that the new address hasn't confirmed yet. */
export type EmailChangeTable = {
  owner_id: string;
  email: string;
  /** Identifies the link that was mailed. */
  link_id: string;
  expires_at: number;
};

export type SettingTable = { name: string; value: string };

export type MigrationTable = { name: string; applied_at: number };

/** `unset`: not configured, so there is nothing to check. */
type CheckState = "well" | "failing" | "unset";

type Flag = 0 | 1;

/** Optional in an insert, because the column has a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** A key with which programs act for its owner. */
type ApiKeyTable = {
  id: string;
  owner_id: string;
  name: string;
  key_hash: string;
  /** The last four characters of the key, to recognize it. */
  ending: string;
  /** JSON: ["cards:read"]. */
  scopes: string;
  created_at: number;
  /** null: never. */
  expires_at: Defaulted<number | null>;
  revoked_at: Defaulted<number | null>;
  /** The day of the last call, in days since 1970, and the client's name: "curl". */
  used_on: Defaulted<number | null>;
  used_by: Defaulted<string>;
};

/** The outcome of a call with an `Idempotency-Key`, for when it is repeated. */
type ApiCallTable = {
  key_id: string;
  idempotency_key: string;
  owner_id: string;
  /** A hash of the method, the path and the body. */
  request_hash: string;
  /** null while the call runs. */
  status: Defaulted<number | null>;
  /** JSON: the headers of the response. */
  headers: Defaulted<string>;
  body: Defaulted<string>;
  created_at: number;
};
