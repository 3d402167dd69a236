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

export type ChartValue = { n: number; before: number | undefined; label: string; tick: string; notes: string[] };

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
      ? (drawLine(values.map(({ before }, index): [number, number] => [xOf(index), y(before ?? 0)])) ?? "")
      : undefined,
    yTicks: y
      .ticks(4)
      .filter(Number.isInteger)
      .map((tick) => ({ y: round(y(tick)), label: compact(tick) })),
    xTicks: pickTicks(values.length).map((index) => ({
      x: round(xOf(index)),
      label: values[index]?.tick ?? "",
      anchor:
        values.length > 1 && index === 0
          ? "start"
          : values.length > 1 && index === values.length - 1
            ? "end"
            : "middle",
    })),
  };
}

/** At most five labels at equal distances, counted back from the last one. */
function pickTicks(count: number): number[] {
  const distance = Math.max(1, Math.ceil((count - 1) / 4));
  return Array.from({ length: Math.ceil(count / distance) }, (_, index) => count - 1 - index * distance).toReversed();
}

const compactFormat = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

function compact(n: number): string {
  return compactFormat.format(n);
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
