import type { ReactNode } from "react";

/**
 * Things side by side, line by line, in groups. On a phone each line is a block: what is compared, then the values, beside each other
 * when there are two and below each other, with the name of each, when there are more.
 */
export function ComparisonTable({ label, columns, groups }: ComparisonProps) {
  const isPair = columns.length === 2;
  // Browsers forget what a table is once its rows are laid out as something else: the roles say it again.
  /* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
  return (
    <table role="table" aria-label={label} className={`${table} ${isPair ? pair : several}`}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            <span className="sr-only">What</span>
          </th>
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ title, rows }) => (
        <tbody key={title ?? ""} role="rowgroup">
          {title && (
            <tr role="row">
              <th role="rowheader" scope="rowgroup" colSpan={columns.length + 1} className="eyebrow pt-10! pb-3.5!">
                {title}
              </th>
            </tr>
          )}
          {rows.map(({ name, hint, values }) => (
            <tr key={name} role="row">
              <th role="rowheader" scope="row">
                {name}
                {hint && <span className="block text-sm font-normal text-muted">{hint}</span>}
              </th>
              {columns.map((column, index) => (
                <td key={column} role="cell">
                  {!isPair && (
                    <span aria-hidden="true" className="text-sm text-muted md:hidden">
                      {column}
                    </span>
                  )}
                  <span>{values[index]}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
  /* oxlint-enable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
}

/** One value for each column, in their order. */
export type ComparisonRow = { name: string; hint?: string; values: readonly ReactNode[] };

type ComparisonProps = {
  label: string;
  columns: readonly string[];
  groups: readonly { title?: string; rows: readonly ComparisonRow[] }[];
};

const table =
  "w-full table-fixed border-collapse [&_th]:text-start [&_:is(td,th)]:align-top [&_tbody_th]:font-medium " +
  "[&_tr]:border-b [&_tr]:border-line [&_thead_tr]:border-line-strong [&_:is(td,th)]:py-3.5 [&_:is(td,th)]:pe-5 " +
  "[&_:is(td,th):last-child]:pe-0 [&_thead]:sticky [&_thead]:top-0 [&_thead]:z-1 [&_thead]:bg-ground";
const pair =
  "sm:[&_thead_th:first-child]:w-[46%] max-sm:[&_tr]:grid max-sm:[&_tr]:grid-cols-2 max-sm:[&_tr>:first-child]:col-span-2 " +
  "max-sm:[&_thead_th:first-child]:sr-only max-sm:[&_tbody_th]:pb-0 max-sm:[&_td]:pt-1";
const several =
  "[&_thead_th:first-child]:w-[22%] md:[&_td:not(:nth-child(2))]:text-muted max-md:[&_thead_th]:sr-only max-md:[&_tr]:block " +
  "max-md:[&_tbody_tr]:py-3.5 max-md:[&_tbody_th]:block max-md:[&_tbody_th]:py-1 max-md:[&_td]:grid " +
  "max-md:[&_td]:grid-cols-[7rem_minmax(0,1fr)] max-md:[&_td]:gap-3 max-md:[&_td]:py-1 max-md:[&_td]:pe-0";
