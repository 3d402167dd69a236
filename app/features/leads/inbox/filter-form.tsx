import { consentPurposes, leadStatuses } from "#app/features/leads/rules.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Chevron, Icon } from "#app/ui/components/icon.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import { countChoices, filterQuery } from "./filter-schema.ts";
import type { InboxFilter } from "./filter-schema.ts";
import { directSource, purposeLabels, shownLabels, sourceLabels, statusLabels } from "./messages.ts";
import { shownLeads } from "#app/features/leads/inbox-rules.ts";

type FilterFormProps = {
  filter: InboxFilter;
  cards: readonly { id: string; name: string }[];
  tags: readonly string[];
  /** Whether a link above the form shows that this filter is active. */
  isCommon: boolean;
};

/** The search, and filters below it that open on demand. A plain form, whose values are in the address. */
export function FilterForm({ filter, cards, tags, isCommon }: FilterFormProps) {
  const choices = countChoices(filter);
  const all = filter.isSpam ? "/leads?view=spam" : "/leads";
  // Filters have their own link for that.
  const canClear = filter.search !== "" && choices === 0;
  return (
    <form method="get" action="/leads" role="search" className="grid gap-3 print:hidden">
      {filter.isSpam && <input type="hidden" name="view" value="spam" />}
      <div className="flex flex-wrap items-end gap-2.5">
        <div className={`min-w-0 grow basis-60 ${canClear ? "max-sm:basis-full" : ""}`}>
          <Field
            label="Search leads"
            type="search"
            name="q"
            defaultValue={filter.search}
            placeholder="Name, email, phone…"
          />
        </div>
        <Button type="submit" className={besideFieldClass}>
          Search
        </Button>
        {canClear && (
          <ButtonLink href={all} className={besideFieldClass}>
            Clear
          </ButtonLink>
        )}
      </div>
      {/* Closed also with active filters, which are listed below: on a phone it would hide the leads. */}
      <details className="group rounded-control border border-line bg-raised">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-4 text-sm font-medium [&::-webkit-details-marker]:hidden">
          {choices > 0 && !isCommon ? `Filter (${choices})` : "Filter"}
          <Chevron className="transition-transform group-open:rotate-180 motion-reduce:transition-none" />
        </summary>
        <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2 lg:grid-cols-4">
          <SelectField id="filter-show" label="Show" name="show" value={filter.show} options={showOptions} />
          <SelectField id="filter-card" label="Card" name="card" value={filter.card} options={cardOptions(cards)} />
          <SelectField id="filter-source" label="Source" name="source" value={filter.source} options={sourceOptions} />
          <SelectField id="filter-status" label="Status" name="status" value={filter.status} options={statusOptions} />
          <SelectField
            id="filter-tag"
            label="Tag"
            name="tag"
            value={filter.tag}
            options={tagOptions(tags, filter.tag)}
          />
          <SelectField
            id="filter-consent"
            label="Consent"
            name="consent"
            value={filter.consent}
            options={consentOptions}
          />
          <Field label="From" type="date" name="from" defaultValue={filter.from} />
          <Field label="To" type="date" name="to" defaultValue={filter.to} />
          <Button type="submit" className="min-h-12.5 self-end">
            Apply filters
          </Button>
        </div>
      </details>
      {choices > 0 && !isCommon && <ActiveFilters {...{ filter, cards, all }} />}
    </form>
  );
}

/** As high as a field; on a phone as wide as there is room. */
const besideFieldClass = "min-h-12.5 max-sm:grow";

/** What a filter lets through, in words. */
export function listActive({ filter, cards }: Pick<FilterFormProps, "filter" | "cards">) {
  const labelOf = (options: Options, value: string) => options.find(([id]) => id === value)?.[1] ?? value;
  return [
    { name: "show", text: filter.show && labelOf(showOptions, filter.show) },
    { name: "card", text: filter.card && labelOf(cardOptions(cards), filter.card) },
    { name: "source", text: filter.source && labelOf(sourceOptions, filter.source) },
    { name: "status", text: filter.status && labelOf(statusOptions, filter.status) },
    { name: "tag", text: filter.tag },
    { name: "consent", text: filter.consent && labelOf(consentOptions, filter.consent) },
    { name: "from", text: filter.from && `From ${filter.from}` },
    { name: "to", text: filter.to && `To ${filter.to}` },
  ].filter(({ text }) => text !== "");
}

/** Each filter as a link that removes it. */
function ActiveFilters({ filter, cards, all }: Pick<FilterFormProps, "filter" | "cards"> & { all: string }) {
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {listActive({ filter, cards }).map(({ name, text }) => (
        <li key={name} className="min-w-0">
          <a
            href={`/leads${filterQuery(filter, { [name]: "" })}`}
            className="flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-raised px-4 text-sm font-medium text-text no-underline hover:bg-higher"
          >
            <span className="sr-only">Remove filter: </span>
            <bdi className="truncate">{text}</bdi>
            <Icon name="close" size={14} />
          </a>
        </li>
      ))}
      <li>
        <a href={all} className="inline-flex min-h-11 items-center px-2 text-sm text-muted underline hover:text-text">
          Clear all
        </a>
      </li>
    </ul>
  );
}

type Options = readonly (readonly [value: string, text: string])[];

function cardOptions(cards: FilterFormProps["cards"]): Options {
  return [["", "All cards"], ...cards.map(({ id, name }) => [id, name] as const)];
}

/** With the tag of the filter, also when no lead has it anymore. */
function tagOptions(tags: readonly string[], current: string): Options {
  const all = current === "" || tags.includes(current) ? tags : [current, ...tags];
  return [["", "All tags"], ...all.map((tag) => [tag, tag] as const)];
}

const showOptions: Options = [["", "All leads"], ...shownLeads.map((show) => [show, shownLabels[show]] as const)];
const sourceOptions: Options = [
  ["", "All sources"],
  ...Object.entries(sourceLabels).map(([source, label]) => [source || directSource, label] as const),
];
const statusOptions: Options = [
  ["", "Any status"],
  ...leadStatuses.map((status) => [status, statusLabels[status]] as const),
];
const consentOptions: Options = [
  ["", "Any consent"],
  ...consentPurposes.map((purpose) => [purpose, purposeLabels[purpose]] as const),
  ["withdrawn", "Withdrawn"],
];
