import type { HourlyCountTable } from "#app/services/database/statistics-schema.ts";
import type { Selectable } from "kysely";

import { ownerHourOf } from "./owner-time.ts";

/** What counts are added up by. "page" is a profile or card; "hour" an hour of the week in the owner's time zone. */
export const dimensions = [
  "all",
  "page",
  "link",
  "source",
  "device",
  "country",
  "referrer",
  "campaign",
  "hour",
] as const;

export type Dimension = (typeof dimensions)[number];

/** Visitors are counted once a day. */
export const measures = ["visits", "visitors", "saves", "clicks", "wallets", "leads"] as const;

export type Measure = (typeof measures)[number];

export type Counts = Record<Measure, number>;

export const noCounts: Counts = { visits: 0, visitors: 0, saves: 0, clicks: 0, wallets: 0, leads: 0 };

/** A row of `daily_count`. */
export type DailyCount = { owner_id: string; dimension: Dimension; day: number; value: string } & Counts;

export type HourlyRow = Selectable<HourlyCountTable>;

const measureOf = new Map<string, Measure>([
  ["visit", "visits"],
  ["save", "saves"],
  ["click", "clicks"],
  ["wallet", "wallets"],
  ["lead", "leads"],
]);

/** What rows of `hourly_count` add to `daily_count`: the part of them that isn't there yet. */
export function sumByDimension(rows: readonly (HourlyRow & { timeZone: string })[]): DailyCount[] {
  const sums = new Map<string, DailyCount>();
  for (const row of rows) {
    const measure = measureOf.get(row.kind);
    if (!measure) continue;
    const { day, hourOfWeek } = ownerHourOf(row.hour * 3_600_000, row.timeZone);
    for (const [dimension, value] of valuesOf(row, hourOfWeek)) {
      const key = `${row.owner_id}|${dimension}|${day}|${value}`;
      const sum = sums.get(key) ?? { owner_id: row.owner_id, dimension, day, value, ...noCounts };
      sum[measure] += row.n - row.rolled;
      sum.visitors += row.firsts - row.rolled_firsts;
      sums.set(key, sum);
    }
  }
  return [...sums.values()];
}

/** The value of each dimension. Unknown devices, countries, referrers and campaigns aren't listed, an unmarked source is. */
function valuesOf(row: HourlyRow, hourOfWeek: number): [Dimension, string][] {
  const values: [Dimension, string][] = [
    ["all", ""],
    ["page", row.subject],
    // A host has a dot, a mark of ours has none.
    ["source", row.source || row.referrer],
    ["hour", String(hourOfWeek)],
  ];
  if (row.kind === "click") values.push(["link", row.target]);
  for (const dimension of ["device", "country", "referrer", "campaign"] as const)
    if (row[dimension] !== "") values.push([dimension, row[dimension]]);
  return values;
}
