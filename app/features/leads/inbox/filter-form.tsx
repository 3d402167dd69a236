import type { ComponentProps } from "react";

import { consentPurposes, leadStatuses } from "#app/features/leads/rules.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Chevron } from "#app/ui/components/icon.tsx";
import { Field, FieldFrame, inputClass } from "#app/ui/forms/field.tsx";

import { countChoices } from "./filter-schema.ts";
import type { InboxFilter } from "./filter-schema.ts";
import { directSource, purposeLabels, sourceLabels, statusLabels } from "./messages.ts";

type FilterFormProps = {
  filter: InboxFilter;
  cards: readonly { id: string; name: string }[];
  tags: readonly string[];
};

/** The search, and filters below it that open on demand. A plain form, whose values are in the address. */
export function FilterForm({ filter, cards, tags }: FilterFormProps) {
  const choices = countChoices(filter);
  const all = filter.isSpam ? "/leads?view=spam" : "/leads";
  return (
    <form method="get" action="/leads" role="search" className="grid gap-3 print:hidden">
      {filter.isSpam && <input type="hidden" name="view" value="spam" />}
      <div className="flex flex-wrap items-end gap-2.5">
        <div className="min-w-0 grow basis-60">
          <Field
            label="Search leads"
            type="search"
            name="q"
            defaultValue={filter.search}
            placeholder="Name, email, phone, company or note"
          />
        </div>
        <Button type="submit">Search</Button>
        {(choices > 0 || filter.search) && <ButtonLink href={all}>Clear</ButtonLink>}
      </div>
      <details open={choices > 0} className="group rounded-control border border-line bg-raised">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-4 text-sm font-medium [&::-webkit-details-marker]:hidden">
          {choices > 0 ? `Filters (${choices})` : "Filters"}
          <Chevron className="transition-transform group-open:rotate-180 motion-reduce:transition-none" />
        </summary>
        <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2 lg:grid-cols-4">
          <Choice id="filter-card" label="Card" name="card" value={filter.card} options={cardOptions(cards)} />
          <Choice id="filter-source" label="Source" name="source" value={filter.source} options={sourceOptions} />
          <Choice id="filter-status" label="Status" name="status" value={filter.status} options={statusOptions} />
          <Choice id="filter-tag" label="Tag" name="tag" value={filter.tag} options={tagOptions(tags, filter.tag)} />
          <Choice id="filter-consent" label="Consent" name="consent" value={filter.consent} options={consentOptions} />
          <Field label="From" type="date" name="from" defaultValue={filter.from} />
          <Field label="To" type="date" name="to" defaultValue={filter.to} />
          <Button type="submit" className="self-end">
            Apply filters
          </Button>
        </div>
      </details>
    </form>
  );
}

type Options = readonly (readonly [value: string, text: string])[];

function cardOptions(cards: FilterFormProps["cards"]): Options {
  return [["", "All cards"], ...cards.map(({ id, name }) => [id, name] as const)];
}

/** With the tag of the filter, also when no lead has it any more. */
function tagOptions(tags: readonly string[], current: string): Options {
  const all = current === "" || tags.includes(current) ? tags : [current, ...tags];
  return [["", "All tags"], ...all.map((tag) => [tag, tag] as const)];
}

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

/** A list whose choice the browser keeps until the form is sent. */
export function Choice({ id = "", label, value, options, ...select }: ChoiceProps) {
  return (
    <FieldFrame id={id} label={label}>
      <span className="relative grid items-center">
        <select
          {...select}
          id={id}
          defaultValue={value}
          className={`${inputClass} h-12.5 cursor-pointer appearance-none pe-11 *:bg-raised *:text-text`}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
        <Chevron className="pointer-events-none absolute end-4" />
      </span>
    </FieldFrame>
  );
}

type ChoiceProps = ComponentProps<"select"> & { label: string; value: string; options: Options };
