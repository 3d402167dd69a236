import { filterQuery } from "#app/features/leads/inbox/filter-schema.ts";
import type { InboxFilter } from "#app/features/leads/inbox/filter-schema.ts";
import { countLabel } from "#app/features/leads/inbox-rules.ts";

type FilterBarProps = { filter: InboxFilter; today: string; weekStart: string; unread: number };

const noFilter: InboxFilter = {
  isSpam: false,
  search: "",
  show: "",
  card: "",
  source: "",
  status: "",
  tag: "",
  consent: "",
  from: "",
  to: "",
};

/** The filters that are used most, as links. Pressing the current one again shows all leads. */
export function FilterBar({ filter, today, weekStart, unread }: FilterBarProps) {
  return (
    <nav aria-label="Common filters" className="flex flex-wrap gap-2 max-sm:gap-1.5 print:hidden">
      {listCommonFilters({ today, weekStart }).map(({ label, change }) => {
        const query = filterQuery({ ...noFilter, ...change });
        const isCurrent = query === filterQuery(filter);
        return (
          <a
            key={label}
            href={isCurrent ? "/leads" : `/leads${query}`}
            aria-current={isCurrent ? "true" : undefined}
            className="inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border border-line-strong px-4 max-sm:px-2.5 text-sm font-medium text-muted no-underline hover:bg-higher hover:text-text aria-[current]:border-text aria-[current]:bg-picked aria-[current]:text-text"
          >
            {label}
            {label === "Unread" && unread > 0 && <span className="tabular-nums">{countLabel(unread)}</span>}
          </a>
        );
      })}
    </nav>
  );
}

/** Whether a filter is one of the links, which shows that it is active. */
export function isCommonFilter(filter: InboxFilter, days: Pick<FilterBarProps, "today" | "weekStart">): boolean {
  return listCommonFilters(days).some(({ change }) => filterQuery({ ...noFilter, ...change }) === filterQuery(filter));
}

function listCommonFilters({ today, weekStart }: Pick<FilterBarProps, "today" | "weekStart">) {
  return [
    { label: "Today", change: { from: today, to: today } },
    { label: "This week", change: { from: weekStart } },
    { label: "Unread", change: { show: "unread" } },
    { label: "Follow-up", change: { show: "due" } },
  ] as const;
}
