import type { ReactNode } from "react";
import { Link } from "react-router";

import type { ReportView } from "#app/features/analytics/report/view-report.server.ts";
import { formatNumber } from "#app/services/base/format.ts";

type Tile = ReportView["tiles"][number];

/** The totals of the period. Each one chooses what the chart shows. Without the report, they are neither links nor compared. */
export function TotalsList({ view, hasReport = true }: { view: ReportView; hasReport?: boolean }) {
  // Two in a row on a phone, then up to four, or three of five or six. The last row fills its line.
  const isInThrees = view.tiles.length === 5 || view.tiles.length === 6;
  const width = isInThrees ? "basis-[40%] sm:basis-[26%]" : "basis-[40%] sm:basis-1/5";
  return (
    <ul className="flex flex-wrap gap-px overflow-hidden rounded-card border border-line bg-line">
      {view.tiles.map((tile) => (
        <li key={tile.measure} className={`grid min-w-0 grow bg-raised ${width}`}>
          <TileFrame tile={tile} view={view} isLinked={hasReport}>
            <span className="flex items-baseline justify-between gap-2 text-sm text-muted">
              {tile.label}
              <Change change={hasReport ? tile.change : undefined} />
            </span>
            <span className="text-[1.75rem] leading-9 font-semibold">{formatNumber(tile.n)}</span>
            <span className="text-xs text-muted">{tileHint(tile)}</span>
          </TileFrame>
        </li>
      ))}
    </ul>
  );
}

function tileHint({ rate, hint, inPerson }: Tile): string {
  if (rate === undefined) return hint;
  const ofVisits = `${formatRate(rate)} of visits`;
  return inPerson > 0 ? `${ofVisits}, and ${formatNumber(inPerson)} in person` : ofVisits;
}

function TileFrame({
  tile,
  view,
  isLinked,
  children,
}: {
  tile: Tile;
  view: ReportView;
  isLinked: boolean;
  children: ReactNode;
}) {
  if (!isLinked) return <div className={tileClass}>{children}</div>;
  return (
    <Link
      to={`?${view.query}&show=${tile.measure}`}
      preventScrollReset
      aria-current={tile.measure === view.measure ? "true" : undefined}
      className={`${tileClass} hover:bg-higher`}
    >
      {children}
    </Link>
  );
}

function Change({ change }: { change: number | undefined }) {
  if (change === undefined) return null;
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  const tone = change > 0 ? "text-success" : "text-muted";
  return (
    <span className={`text-xs font-semibold whitespace-nowrap ${tone}`}>
      <span className="sr-only">compared with the period before: </span>
      {sign}
      {formatNumber(Math.abs(change))}%
    </span>
  );
}

/** 0.1234 -> "12%", 0.004 -> "0.4%" */
export function formatRate(rate: number): string {
  const percent = rate * 100;
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)}%`;
}

const tileClass =
  "grid content-start gap-0.5 p-4 no-underline sm:p-5 border-t-2 border-transparent aria-[current]:border-text " +
  "focus-visible:outline-offset-[-3px]";
