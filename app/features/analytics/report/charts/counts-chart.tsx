import { useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";

import { formatNumber } from "#app/services/base/format.ts";
import { useIsHydrated } from "#app/ui/components/hydration.ts";

import type { Chart } from "./chart-drawing.server.ts";

/**
 * A line chart that is complete as the server sends it. With script, the pointer and the arrow keys show the number of each day. `label` says
 * what is counted; a table with the same numbers belongs beside it.
 */
export function CountsChart({ chart, label, period }: { chart: Chart; label: string; period: string }) {
  const isHydrated = useIsHydrated();
  const [active, setActive] = useState<number>();
  const { points } = chart;
  const point = active === undefined ? undefined : points[active];
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setActive(nearest(points.length, (event.clientX - box.left) / box.width));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keyTarget(event.key, { active, last: points.length - 1 });
    if (next === undefined) return;
    event.preventDefault();
    setActive(next === "none" ? undefined : next);
  };
  return (
    <figure>
      <div className="grid grid-cols-[2.25rem_minmax(0,1fr)]">
        <svg aria-hidden="true" className="h-52 w-full overflow-visible text-xs sm:h-72">
          {chart.yTicks.map((tick) => (
            <text key={tick.y} x="0" y={percent(tick.y)} dy="0.35em" className="fill-muted tabular-nums">
              {tick.label}
            </text>
          ))}
        </svg>
        <div className="relative">
          <Drawing chart={chart} active={active} hasTitles={!isHydrated} />
          {point && <Tooltip point={point} hasBefore={chart.before !== undefined} />}
          {isHydrated && (
            <div
              role="slider"
              tabIndex={0}
              aria-label={`${label}, ${period}`}
              aria-valuemin={0}
              aria-valuemax={points.length - 1}
              aria-valuenow={active ?? points.length - 1}
              aria-valuetext={valueText(point ?? points.at(-1))}
              onPointerMove={onPointer}
              onPointerDown={onPointer}
              onPointerLeave={() => setActive(undefined)}
              onFocus={() => setActive((current) => current ?? points.length - 1)}
              onBlur={() => setActive(undefined)}
              onKeyDown={onKeyDown}
              className="absolute inset-0 touch-pan-y rounded-sm"
            />
          )}
        </div>
        <svg aria-hidden="true" className="col-start-2 h-6 w-full overflow-visible text-xs">
          {chart.xTicks.map((tick, index) => (
            <text
              key={tick.x}
              x={percentX(tick.x)}
              y="18"
              textAnchor={tick.anchor}
              className={`fill-muted ${isLeftOut(index, chart.xTicks.length) ? "max-[23rem]:hidden" : ""}`}
            >
              {tick.label}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

/** Lines and texts are placed in percent, so that only the curve is stretched to the size of the screen. */
function Drawing({ chart, active, hasTitles }: { chart: Chart; active: number | undefined; hasTitles: boolean }) {
  const { points } = chart;
  const point = active === undefined ? undefined : points[active];
  return (
    <svg className="block h-52 w-full overflow-visible sm:h-72" aria-hidden="true">
      {chart.yTicks.map((tick) => (
        <line key={tick.y} x1="0" x2="100%" y1={percent(tick.y)} y2={percent(tick.y)} className="stroke-line" />
      ))}
      <svg viewBox={`0 0 ${chart.width} ${chart.height}`} preserveAspectRatio="none" width="100%" height="100%">
        <path d={chart.area} className="fill-text/7" />
        {chart.before && (
          <path
            d={chart.before}
            {...lineProps}
            strokeDasharray="2 5"
            className="stroke-muted forced-color-adjust-auto"
          />
        )}
        <path d={chart.line} {...lineProps} className="stroke-text" />
      </svg>
      {points.length === 1 && points[0] && (
        <circle cx={percentX(points[0].x)} cy={percent(points[0].y)} r="4" className="fill-text" />
      )}
      {points
        .filter(({ notes }) => notes.length > 0)
        .map(({ x }) => (
          <g key={x}>
            <line x1={percentX(x)} x2={percentX(x)} y1="0" y2="100%" strokeDasharray="3 3" className="stroke-muted" />
            <rect
              x={percentX(x)}
              y="0"
              width="9"
              height="9"
              transform="translate(-4.5 -4.5)"
              rx="2"
              className="fill-text"
            />
          </g>
        ))}
      {point && (
        <>
          <line x1={percentX(point.x)} x2={percentX(point.x)} y1="0" y2="100%" className="stroke-line-strong" />
          <circle
            cx={percentX(point.x)}
            cy={percent(point.y)}
            r="5"
            strokeWidth="2"
            className="fill-text stroke-raised"
          />
        </>
      )}
      {hasTitles &&
        points.map(({ x }, index) => (
          <rect
            key={x}
            x={`${(index / points.length) * 100}%`}
            width={`${100 / points.length}%`}
            height="100%"
            className="fill-transparent"
          >
            <title>{valueText(points[index])}</title>
          </rect>
        ))}
    </svg>
  );
}

const lineProps = {
  fill: "none",
  strokeWidth: 2,
  strokeLinejoin: "round",
  strokeLinecap: "round",
  vectorEffect: "non-scaling-stroke",
} as const;

function Tooltip({ point, hasBefore }: { point: Chart["points"][number]; hasBefore: boolean }) {
  const side =
    point.x < 250 ? "translate-x-2" : point.x > 750 ? "-translate-x-[calc(100%+0.5rem)]" : "-translate-x-1/2";
  return (
    <div
      style={{ left: percentX(point.x) }}
      className={`pointer-events-none absolute -top-3 z-10 rounded-control border border-line bg-ground px-3 py-2 text-sm whitespace-nowrap shadow-card ${side}`}
    >
      <p className="text-xs text-muted">{point.label}</p>
      <p className="font-semibold tabular-nums">{formatNumber(point.n)}</p>
      {hasBefore && point.before !== undefined && (
        <p className="text-xs text-muted tabular-nums">{formatNumber(point.before)} before</p>
      )}
      {point.notes.map((note) => (
        <p key={note} dir="auto" className="mt-1 w-max max-w-48 text-xs wrap-anywhere whitespace-normal">
          {note}
        </p>
      ))}
    </div>
  );
}

function valueText(point: Chart["points"][number] | undefined): string {
  if (!point) return "";
  const before = point.before === undefined ? "" : `, ${formatNumber(point.before)} before`;
  return [`${point.label}: ${formatNumber(point.n)}${before}`, ...point.notes].join(". ");
}

/** On the narrowest screens, four or five labels would touch. */
function isLeftOut(index: number, count: number): boolean {
  return count > 3 && index > 0 && index < count - 1 && index !== (count - 1) / 2;
}

const viewBox = { width: 1000, height: 300 };

function percent(y: number): string {
  return `${(y / viewBox.height) * 100}%`;
}

function percentX(x: number): string {
  return `${(x / viewBox.width) * 100}%`;
}

function nearest(count: number, part: number): number {
  return Math.max(0, Math.min(count - 1, Math.round(part * (count - 1))));
}

function keyTarget(
  key: string,
  { active, last }: { active: number | undefined; last: number },
): number | "none" | undefined {
  if (key === "Escape") return active === undefined ? undefined : "none";
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "ArrowLeft" || key === "ArrowDown") return active === undefined ? last : Math.max(0, active - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return active === undefined ? 0 : Math.min(last, active + 1);
  return undefined;
}
