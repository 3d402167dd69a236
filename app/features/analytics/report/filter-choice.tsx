import { Form, Link } from "react-router";

import { Button } from "#app/ui/components/button.tsx";
import { Chevron, Icon } from "#app/ui/components/icon.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import type { FilterView } from "./filter-labels.ts";

type FilterChoiceProps = {
  filters: FilterView;
  /** What the chart shows. */
  show: string;
};

/** Lists that open on demand, as a plain form, and each active filter as a link that removes it. */
export function FilterChoice({ filters, show }: FilterChoiceProps) {
  const { active, fields, clearQuery } = filters;
  return (
    <div className="grid gap-3 print:hidden">
      {/* Closed also with active filters, which are listed below: on a phone it would hide the metrics. */}
      <details className="group rounded-control border border-line bg-raised">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-4 text-sm font-medium [&::-webkit-details-marker]:hidden">
          {active.length > 0 ? `Filters (${active.length})` : "Filter by card, link or source"}
          <Chevron className="transition-transform group-open:rotate-180 motion-reduce:transition-none" />
        </summary>
        <Form
          // The values of another address.
          key={`${clearQuery}${filters.query}`}
          method="get"
          preventScrollReset
          className="grid items-end gap-4 border-t border-line p-4 sm:grid-cols-[1fr_1fr_1fr_auto]"
        >
          {[...new URLSearchParams(`${clearQuery}&show=${show}`)].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {fields.map(({ name, ...field }) => (
            <SelectField key={name} id={`filter-${name}`} name={name} {...field} />
          ))}
          <Button type="submit">Apply</Button>
        </Form>
      </details>
      {active.length > 0 && (
        <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
          {active.map(({ name, label, query }) => (
            <li key={name} className="min-w-0">
              <Link
                to={`?${query}&show=${show}`}
                preventScrollReset
                className="flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-raised px-4 text-sm font-medium text-text no-underline hover:bg-higher"
              >
                <span className="sr-only">Remove filter: </span>
                <bdi className="truncate">{label}</bdi>
                <Icon name="close" size={14} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
