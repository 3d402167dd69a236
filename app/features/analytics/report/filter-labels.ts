import type { FilterDimension } from "#app/features/analytics/dimension-rules.ts";

import { filterQuery, listFilters, parameterOf } from "./filter-rules.ts";
import type { ReportFilter } from "./filter-rules.ts";
import { rangeQuery } from "./range-rules.ts";
import type { ReportOwner } from "./report-data.server.ts";
import { labelOf } from "./report-labels.ts";
import { filterLabels, sourceLabels } from "./report-messages.ts";
import type { Report } from "./report-rules.ts";

type Owner = Pick<ReportOwner, "ownerId" | "links" | "cards">;

/** The filters of a report as its page shows them: what can be chosen, and what is. */
export type FilterView = ReturnType<typeof viewFilters>;

export function viewFilters(filter: ReportFilter, { report, owner }: { report: Report; owner: Owner }) {
  const query = rangeQuery(report.range);
  const offered: Record<FilterDimension, string[]> = {
    page: [`profile:${owner.ownerId}`, ...owner.cards.map(({ id }) => `card:${id}`)],
    link: [...owner.links, ...owner.cards.flatMap(({ links }) => links)].map(({ id }) => id),
    source: [...Object.keys(sourceLabels), ...report.lists.source.map(({ value }) => value)],
  };
  return {
    fields: (["page", "link", "source"] as const).map((dimension) => {
      const current = filter[dimension];
      const values = new Set(current === undefined ? offered[dimension] : [...offered[dimension], current]);
      return {
        name: parameterOf(dimension, "").name,
        label: filterLabels[dimension].label,
        value: current === undefined ? "" : parameterOf(dimension, current).value,
        options: [
          ["", filterLabels[dimension].all] as const,
          ...[...values]
            .slice(0, maxOptions)
            .map((value) => [parameterOf(dimension, value).value, labelOf(dimension, value, owner)] as const),
        ],
      };
    }),
    active: listFilters(filter).map(([dimension, value]) => ({
      name: dimension,
      label: labelOf(dimension, value, owner),
      /** The address without it. */
      query: query + filterQuery({ ...filter, [dimension]: undefined }),
      /** The address with no other filter. */
      only: query + filterQuery({ [dimension]: filter[dimension] }),
    })),
    query: filterQuery(filter),
    clearQuery: query,
  };
}

/** Others can be chosen in the lists. */
const maxOptions = 200;

/** The address that adds a value of a list to the filters; undefined for a list that can't be one. */
export function addFilterQuery(filter: ReportFilter, dimension: string, value: string): string | undefined {
  if (dimension !== "page" && dimension !== "link" && dimension !== "source") return undefined;
  return filterQuery({ ...filter, [dimension]: value });
}
