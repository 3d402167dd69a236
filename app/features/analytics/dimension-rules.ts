import type { HourlyCountTable } from "#app/services/database/analytics-schema.ts";
import type { Selectable } from "kysely";

import { ownerHourOf } from "#app/services/preferences/owner-days.ts";

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

/**
 * What reports can be filtered by, and the lists that are stored for each page, link and source. Not every one, because anyone can make up
 * sources and, without a proxy, countries: their combinations would be too many rows.
 */
export const filteredLists = {
  page: ["link", "source", "device", "country"],
  link: ["source", "device", "country"],
  source: ["page", "link", "device"],
} as const satisfies Partial<Record<Dimension, readonly Dimension[]>>;

export type FilterDimension = keyof typeof filteredLists;

export const filterDimensions = ["page", "link", "source"] as const satisfies readonly FilterDimension[];

/** A list of one page, link or source, as `daily_count` names it: "device@page:card:1". */
export type FilteredDimension = `${Dimension}@${FilterDimension}:${string}`;

export function filteredDimension(list: Dimension, filter: FilterDimension, value: string): FilteredDimension {
  return `${list}@${filter}:${value}`;
}

/** "device@page:card:1" -> the list "device" of the page "card:1"; "device" -> the list of everything. */
export function parseDimension(text: string): { list: string; filter?: { dimension: string; value: string } } {
  const [, list = text, dimension, value] = /^(\w+)@(\w+):(.*)$/s.exec(text) ?? [];
  return dimension === undefined || value === undefined ? { list } : { list, filter: { dimension, value } };
}

/** Visitors are counted once a day. */
export const measures = ["visits", "visitors", "saves", "clicks", "wallets", "leads"] as const;

export type Measure = (typeof measures)[number];

export type Counts = Record<Measure, number>;

export const noCounts: Counts = { visits: 0, visitors: 0, saves: 0, clicks: 0, wallets: 0, leads: 0 };

/** A row of `daily_count`. */
export type DailyCount = {
  owner_id: string;
  dimension: Dimension | FilteredDimension;
  day: number;
  value: string;
} & Counts;

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
    const values = valuesOf(row, hourOfWeek);
    for (const [dimension, value] of [...values, ...filteredValuesOf(values)]) {
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

function filteredValuesOf(values: readonly [Dimension, string][]): [FilteredDimension, string][] {
  const byDimension = new Map(values);
  return filterDimensions.flatMap((filter) => {
    const value = byDimension.get(filter);
    if (value === undefined) return [];
    return filteredLists[filter].flatMap((list): [FilteredDimension, string][] => {
      const listed = byDimension.get(list);
      return listed === undefined ? [] : [[filteredDimension(list, filter, value), listed]];
    });
  });
}
