import { filterDimensions, filteredDimension, filteredLists } from "#app/features/analytics/dimension-rules.ts";
import type { Dimension, FilterDimension } from "#app/features/analytics/dimension-rules.ts";

import { listDimensions } from "./report-rules.ts";

/** What a report is limited to: values of `daily_count`. */
export type ReportFilter = Partial<Record<FilterDimension, string>>;

/** The names in the address: `?card=<id>&link=<id>&source=qr`. */
const parameters: Record<FilterDimension, string> = { page: "card", link: "link", source: "source" };

/** Stand for the profile's page, whose value has the owner's ID, and for visits without a source. */
const words = { profile: "profile", direct: "direct" };

const maxLength = 120;

/** Reads the filters of an address. A value that no one has matches nothing. */
export function readFilter(query: URLSearchParams, ownerId: string): ReportFilter {
  const filter: ReportFilter = {};
  for (const dimension of filterDimensions) {
    // PostgreSQL rejects a text with a NUL.
    const value = query
      .get(parameters[dimension])
      ?.replaceAll(/\p{Cc}/gu, "?")
      .slice(0, maxLength)
      // The end of a cut pair can't be part of an address.
      .toWellFormed();
    if (value) filter[dimension] = readValue(dimension, value, ownerId);
  }
  return filter;
}

function readValue(dimension: FilterDimension, value: string, ownerId: string): string {
  if (dimension === "page") return value === words.profile ? `profile:${ownerId}` : `card:${value}`;
  return dimension === "source" && value === words.direct ? "" : value;
}

/** How an address names a value: "card:1" -> "1". */
export function parameterOf(dimension: FilterDimension, value: string): { name: string; value: string } {
  const name = parameters[dimension];
  if (dimension === "page")
    return { name, value: value.startsWith("profile:") ? words.profile : value.replace("card:", "") };
  return { name, value: dimension === "source" && value === "" ? words.direct : value };
}

/** "&card=1&source=qr", or "" without a filter. */
export function filterQuery(filter: ReportFilter): string {
  return listFilters(filter)
    .map(([dimension, value]) => {
      const parameter = parameterOf(dimension, value);
      return `&${parameter.name}=${encodeURIComponent(parameter.value)}`;
    })
    .join("");
}

export function listFilters(filter: ReportFilter): [FilterDimension, string][] {
  return filterDimensions.flatMap((dimension): [FilterDimension, string][] => {
    const value = filter[dimension];
    return value === undefined ? [] : [[dimension, value]];
  });
}

/** A dimension and value of `daily_count`; of lists, every value. */
export type StoredCounts = { dimension: string; value: string };

/** The rows with a filter's counts per day; undefined for a combination that isn't stored. */
export function dayCountsOf(filter: ReportFilter): StoredCounts | undefined {
  const [first, second, third] = listFilters(filter);
  if (!first) return { dimension: "all", value: "" };
  if (!second) return { dimension: first[0], value: first[1] };
  const lists: readonly Dimension[] = filteredLists[first[0]];
  if (third || !lists.includes(second[0])) return undefined;
  return { dimension: filteredDimension(second[0], ...first), value: second[1] };
}

/** The sources of a filter's visits, as `daily_count` names them; undefined where they aren't stored, or are the filter itself. */
export function sourcesOf(filter: ReportFilter): string | undefined {
  if (filter.source !== undefined || filter.link !== undefined) return undefined;
  return filter.page === undefined ? "source" : filteredDimension("source", "page", filter.page);
}

/** The lists that a report has, by their names in `daily_count`. With two filters, none is stored. */
export function storedLists(filter: ReportFilter): Map<string, Dimension> {
  const [first, second] = listFilters(filter);
  if (!first) return new Map([...listDimensions, "hour" as const].map((list) => [list, list]));
  if (second) return new Map();
  return new Map(filteredLists[first[0]].map((list) => [filteredDimension(list, ...first), list]));
}
