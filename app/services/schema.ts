import type { ColumnType } from "kysely";

/**
 * The tables of migrations/*.sql as Kysely sees them. Ids are text, times epoch milliseconds, yes and no are 1 and 0, lists are
 * JSON text that `data.server.ts` files read and check. better-auth keeps its own tables (user, session, account, verification).
 */
export type Schema = {
  profile: ProfileTable;
  handle: HandleTable;
  retired_handle: RetiredHandleTable;
  card: CardTable;
  subscription: SubscriptionTable;
  tally: TallyTable;
  job: JobTable;
  attempt: AttemptTable;
  setting: SettingTable;
  asset: AssetTable;
  storage: StorageTable;
  heartbeat: HeartbeatTable;
  status_day: StatusDayTable;
  instance: InstanceTable;
  migration: MigrationTable;
};

export type ProfileTable = {
  user_id: string;
  display_name: string;
  bio: string;
  theme: Defaulted<string>;
  show_business_card: Defaulted<Flag>;
  /** JSON: [{id, label, url, on, from, until, tab}] in the order they are shown. */
  links: Defaulted<string>;
  /** How many cards there are: what the plan's limit is checked against, in the write itself. */
  cards_owned: Defaulted<number>;
  /** One more with each save: tells a form that it was opened before somebody else's save. */
  version: Defaulted<number>;
  is_sample: Defaulted<Flag>;
  /** Where the picture, the banner and the resume lie in the store, as `asset.stem` says it. */
  avatar_stem: Defaulted<string | null>;
  /** JSON: what the avatar was drawn from, where it was drawn and not photographed. */
  avatar_options: Defaulted<string | null>;
  banner_stem: Defaulted<string | null>;
  resume_stem: Defaulted<string | null>;
  /** The name that the resume is saved under. */
  resume_filename: Defaulted<string>;
  /** 0: search engines are asked to leave the page out. */
  is_listed: Defaulted<Flag>;
  created_at: number;
  updated_at: number;
};

/** Every handle ever chosen; those that are not current redirect to the one that is. */
export type HandleTable = {
  handle: string;
  user_id: string;
  is_current: Flag;
  created_at: number;
};

/** A keyed hash of a handle whose owner deleted their account: nobody gets it again. */
export type RetiredHandleTable = { hash: string };

export type CardTable = {
  id: string;
  user_id: string;
  card_name: string;
  profession: Defaulted<string>;
  company: Defaulted<string>;
  position: Defaulted<string>;
  email: Defaulted<string>;
  phone: Defaulted<string>;
  years_experience: number | null;
  /** JSON: [{id, name, url}]. */
  professional_links: Defaulted<string>;
  is_public: Defaulted<Flag>;
  /** JSON: the optional fields, and which of all the fields are kept from the page or from the contact file. */
  more: Defaulted<string>;
  logo_stem: Defaulted<string | null>;
  /** Taken out of the public by its owner for a while. */
  is_paused: Defaulted<Flag>;
  /** The list shows higher places first; a new card's is the time it was made. */
  place: Defaulted<number>;
  version: Defaulted<number>;
  created_at: number;
  updated_at: number;
};

export type SubscriptionTable = {
  user_id: string;
  plan: string;
  /** Null: until it is ended. */
  ends_at: number | null;
};

/** What was counted, a row for each day (`time / 86400000`) and way of coming. */
export type TallyTable = {
  subject: string;
  kind: string;
  day: number;
  source: string;
  target: string;
  n: number;
};

/** Work to do later; a row goes when it is done. */
export type JobTable = {
  id: string;
  kind: string;
  /** JSON. */
  payload: string;
  run_at: number;
  tries: Defaulted<number>;
  /** Until then the worker that took it has it for itself. */
  leased_until: Defaulted<number>;
  created_at: number;
  last_error: string | null;
};

/** Limits on guessing: how often something was tried until `resets_at`. */
export type AttemptTable = {
  key: string;
  count: number;
  resets_at: number;
};

/** An uploaded file with all the forms that it is served in. */
export type AssetTable = {
  id: string;
  owner_id: string;
  /** "avatars", "banners", "resumes" or "pass-assets". */
  area: string;
  /** What it is for: "avatar", "banner", "resume", "logo:<card id>". One that is ready for each. */
  slot: string;
  /** Path in the store without the ends of its files' names. */
  stem: string;
  /** JSON: [{path, type, bytes}]. */
  files: Defaulted<string>;
  bytes: number;
  /** As the owner's machine called it. */
  filename: Defaulted<string>;
  is_ready: Defaulted<Flag>;
  created_at: number;
};

/** How much room an owner's files take. */
export type StorageTable = { owner_id: string; bytes: Defaulted<number>; files: Defaulted<number> };

/** What one process found when it looked at itself in one minute (`time / 60000`). */
export type HeartbeatTable = {
  minute: number;
  instance: string;
  looked_at: number;
  database: FoundState;
  files: FoundState;
  mail: FoundState;
  jobs: FoundState;
};

/** A day (`time / 86400000`) whose heartbeats were rolled up; `minutes` has a sign for each of its 1440. */
export type StatusDayTable = { day: number; minutes: string };

/** A process that runs now. */
export type InstanceTable = { id: string; started_at: number; seen_at: number };

export type SettingTable = { name: string; value: string };

export type MigrationTable = { name: string; applied_at: number };

/** `unset`: there is nothing to be well or not, it is not set up. */
type FoundState = "well" | "failing" | "unset";

type Flag = 0 | 1;

/** May be left out of an insert: the database fills it in. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
