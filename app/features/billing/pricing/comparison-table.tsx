import type { ReactNode } from "react";

/**
 * A table that compares two or more columns row by row, in groups. On a phone each row is a block: its name, then the values, side by
 * side when there are two and stacked with their column names when there are more.
 */
export function ComparisonTable({ label, columns, groups }: ComparisonTableProps) {
  const isPair = columns.length === 2;
  // Browsers drop table semantics when rows are laid out as blocks or grids, so the roles are explicit.
  /* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
  return (
    <table role="table" aria-label={label} className={`${tableClass} ${isPair ? twoColumnClass : manyColumnClass}`}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            <span className="sr-only">Feature</span>
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

/** `values`: one for each column, in column order. */
export type ComparisonRow = { name: string; hint?: string; values: readonly ReactNode[] };

type ComparisonTableProps = {
  label: string;
  columns: readonly string[];
  groups: readonly { title?: string; rows: readonly ComparisonRow[] }[];
};

const tableClass =
  "w-full table-fixed border-collapse [&_th]:text-start [&_:is(td,th)]:align-top [&_tbody_th]:font-medium " +
  "[&_tr]:border-b [&_tr]:border-line [&_thead_tr]:border-line-strong [&_:is(td,th)]:py-3.5 [&_:is(td,th)]:pe-5 " +
  "[&_:is(td,th):last-child]:pe-0 [&_thead]:sticky [&_thead]:top-0 [&_thead]:z-1 [&_thead]:bg-ground";
const twoColumnClass =
  "sm:[&_thead_th:first-child]:w-[46%] max-sm:[&_tr]:grid max-sm:[&_tr]:grid-cols-2 max-sm:[&_tr>:first-child]:col-span-2 " +
  "max-sm:[&_thead_th:first-child]:sr-only max-sm:[&_tbody_th]:pb-0 max-sm:[&_td]:pt-1";
const manyColumnClass =
  "[&_thead_th:first-child]:w-[22%] md:[&_td:not(:nth-child(2))]:text-muted max-md:[&_thead_th]:sr-only max-md:[&_tr]:block " +
  "max-md:[&_tbody_tr]:py-3.5 max-md:[&_tbody_th]:block max-md:[&_tbody_th]:py-1 max-md:[&_td]:grid " +
  "max-md:[&_td]:grid-cols-[7rem_minmax(0,1fr)] max-md:[&_td]:gap-3 max-md:[&_td]:py-1 max-md:[&_td]:pe-0";
