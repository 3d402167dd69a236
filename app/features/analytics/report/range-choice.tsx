import { useId } from "react";
import { Form, Link } from "react-router";

import { Button } from "#app/ui/components/button.tsx";
import { describedBy, FieldError } from "#app/ui/forms/field.tsx";

import type { RangeId } from "./range-rules.ts";

/** The second label is for phones. */
const ranges: [Exclude<RangeId, "own">, string, string][] = [
  ["7", "7 days", "7 d"],
  ["30", "30 days", "30 d"],
  ["90", "90 days", "90 d"],
  ["12m", "12 months", "12 m"],
  ["all", "All time", "All"],
];

/** Links and a form, so that every range has an address. `typed`: what was entered as own dates. */
export function RangeChoice({ selected, show, filterQuery, typed, problem }: RangeChoiceProps) {
  const problemId = useId();
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1 print:hidden">
      <nav aria-label="Period" className="flex w-full gap-1 rounded-control border border-line bg-raised p-1 sm:w-auto">
        {ranges.map(([id, label, short]) => (
          <Link
            key={id}
            to={`?range=${id}&show=${show}${filterQuery}`}
            preventScrollReset
            aria-current={id === selected ? "true" : undefined}
            className={rangeClass}
          >
            <span className="sr-only sm:not-sr-only">{label}</span>
            <span aria-hidden="true" className="sm:hidden">
              {short}
            </span>
          </Link>
        ))}
      </nav>
      <details className="sm:pt-1" open={selected === "own" || problem !== undefined}>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted hover:text-text">
          Choose dates
        </summary>
        <Form method="get" preventScrollReset className="grid gap-2.5 pt-1 text-start">
          <input type="hidden" name="range" value="own" />
          <input type="hidden" name="show" value={show} />
          {[...new URLSearchParams(filterQuery)].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="flex flex-wrap items-end gap-2.5">
            {(["from", "to"] as const).map((name) => (
              <label key={name} className="grid gap-1 text-sm">
                {name === "from" ? "First day" : "Last day"}
                <input
                  type="date"
                  name={name}
                  required
                  defaultValue={typed[name]}
                  {...describedBy(problemId, problem ? { error: problem } : {})}
                  className="min-h-11 rounded-control border border-line-strong bg-ground px-3 text-base"
                />
              </label>
            ))}
            <Button type="submit" size="s">
              Show
            </Button>
          </div>
          {problem && <FieldError id={problemId}>{problem}</FieldError>}
        </Form>
      </details>
    </div>
  );
}

type RangeChoiceProps = {
  selected: RangeId;
  /** What the chart shows. */
  show: string;
  /** "&card=1", or "" without a filter. */
  filterQuery: string;
  typed: { from: string; to: string };
  problem: string | undefined;
};

const rangeClass =
  "inline-flex min-h-11 grow items-center justify-center rounded-[9px] px-2 text-sm whitespace-nowrap text-muted no-underline sm:px-3 hover:text-text " +
  "aria-[current]:bg-higher aria-[current]:font-semibold aria-[current]:text-text sm:grow-0";
