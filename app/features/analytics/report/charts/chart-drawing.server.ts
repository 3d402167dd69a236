import { scaleLinear, scalePoint } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";

export type ChartPoint = {
  x: number;
  y: number;
  n: number;
  before: number | undefined;
  label: string;
  notes: string[];
};

/** A line chart, ready to be drawn: everything in the units of its view box. */
export type Chart = {
  width: number;
  height: number;
  /** The ends of the plot: the line is between left and right, zero at the bottom. */
  plot: { left: number; right: number; top: number; bottom: number };
  points: ChartPoint[];
  line: string;
  area: string;
  /** The period before; undefined without one. */
  before: string | undefined;
  yTicks: { y: number; label: string }[];
  /** Few enough for a phone. */
  xTicks: { x: number; label: string; anchor: "start" | "middle" | "end" }[];
};

const size = { width: 1000, height: 300 };
const plot = { left: 0, right: 1000, top: 12, bottom: 298 };

export type ChartValue = {
  n: number;
  before: number | undefined;
  label: string;
  /** A month has its year apart, which is only shown where it changes: "Nov", "Dec", "Jan 2026". */
  tick: { label: string; withYear?: string; year?: number };
  notes: string[];
};

export function drawChart(values: readonly ChartValue[]): Chart {
  const highest = Math.max(4, ...values.flatMap(({ n, before }) => [n, before ?? 0]));
  const y = scaleLinear([0, highest], [plot.bottom, plot.top]).nice(4);
  const x = scalePoint(
    values.map((_, index) => index),
    [plot.left, plot.right],
  );
  const xOf = (index: number) => (values.length === 1 ? (plot.left + plot.right) / 2 : (x(index) ?? plot.left));
  const points = values.map(({ n, before, label, notes }, index) => ({
    x: round(xOf(index)),
    y: round(y(n)),
    n,
    before,
    label,
    notes,
  }));
  const drawLine = line().curve(curveMonotoneX).digits(1);
  const hasBefore = values.some(({ before }) => before !== undefined);
  return {
    ...size,
    plot,
    points,
    line: drawLine(points.map((point) => [point.x, point.y])) ?? "",
    area:
      area<ChartPoint>()
        .x((point) => point.x)
        .y0(plot.bottom)
        .y1((point) => point.y)
        .curve(curveMonotoneX)
        .digits(1)(points) ?? "",
    before: hasBefore
      ? (drawLine(
          values.flatMap(({ before }, index): [number, number][] =>
            before === undefined ? [] : [[xOf(index), y(before)]],
          ),
        ) ?? "")
      : undefined,
    yTicks: y
      .ticks(4)
      .filter(Number.isInteger)
      .map((tick) => ({ y: round(y(tick)), label: compact(tick) })),
    xTicks: pickTicks(values).map(({ index, label }) => ({
      x: round(xOf(index)),
      label,
      anchor:
        values.length > 1 && index === 0
          ? "start"
          : values.length > 1 && index === values.length - 1
            ? "end"
            : "middle",
    })),
  };
}

/** Labels at equal distances, with the first and the last one. With a year they are longer: at most four with several years. */
function pickTicks(values: readonly ChartValue[]): { index: number; label: string }[] {
  const last = values.length - 1;
  const hasYears = new Set(values.map(({ tick }) => tick.year)).size > 2;
  const count = countTicks(values.length, hasYears ? 4 : 5);
  let year: number | undefined;
  return Array.from({ length: count }, (_, part) => {
    const index = count === 1 ? 0 : Math.round((part * last) / (count - 1));
    const tick = values[index]?.tick;
    const label = (tick?.year !== year && tick?.withYear) || tick?.label || "";
    year = tick?.year;
    return { index, label };
  });
}

/** Up to ten points are so far apart that unequal distances would show, and labels of neighbors would touch on a phone. */
function countTicks(points: number, most: number): number {
  if (points <= most || points > 10) return Math.min(points, most);
  return [most, most - 1].find((count) => (points - 1) % (count - 1) === 0) ?? 3;
}

const compactFormat = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

function compact(n: number): string {
  return compactFormat.format(n);
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
