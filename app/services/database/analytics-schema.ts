import type { ColumnType } from "kysely";

/** The tables of what is counted. */
export type AnalyticsSchema = {
  hourly_count: HourlyCountTable;
  daily_count: DailyCountTable;
  count_batch: { id: string; created_at: number };
  statistics_lock: { name: string; taken_at: number };
  day_note: DayNoteTable;
  weekly_mail: WeeklyMailTable;
};

/** What visitors did in one hour (`time / 3600000`). Kept for 30 days. */
export type HourlyCountTable = {
  owner_id: string;
  hour: number;
  subject: string;
  kind: string;
  source: string;
  target: string;
  device: string;
  country: string;
  referrer: string;
  campaign: string;
  n: number;
  /** How many were the first visit of the day. */
  firsts: Defaulted<number>;
  /** How much of `n` and `firsts` is in `daily_count`. */
  rolled: Defaulted<number>;
  rolled_firsts: Defaulted<number>;
};

/** The same per day in the owner's time zone and value of one dimension; after 25 months per month, on its first day. */
export type DailyCountTable = {
  owner_id: string;
  /** See `analytics/dimension-rules.ts`: "device", or "device@page:card:1" for one page, link or source. */
  dimension: string;
  /** Days since 1970-01-01. */
  day: number;
  value: string;
  visits: Defaulted<number>;
  visitors: Defaulted<number>;
  saves: Defaulted<number>;
  clicks: Defaulted<number>;
  wallets: Defaulted<number>;
  leads: Defaulted<number>;
};

/** What an owner wrote about a day (days since 1970-01-01). `slot`: 0 to 2, which of the day's notes it is. */
type DayNoteTable = { owner_id: string; day: number; slot: number; text: string; created_at: number };

/** Owners who get a weekly mail. `monday`: of the next one, in days since 1970-01-01. */
type WeeklyMailTable = { owner_id: string; monday: number; created_at: number };

/** Optional in an insert, because the column has a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
