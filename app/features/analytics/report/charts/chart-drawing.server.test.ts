import { expect, test } from "vitest";

import { drawChart } from "./chart-drawing.server.ts";

const point = { n: 1, before: undefined, label: "", notes: [] };

function ticksOf(count: number, tick: (index: number) => { label: string; withYear?: string; year?: number }) {
  const values = Array.from({ length: count }, (_, index) => ({ ...point, tick: tick(index) }));
  return drawChart(values).xTicks.map(({ label }) => label);
}

const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Months from December 2025. */
function month(index: number) {
  const [label = "", year] = [names[(index + 11) % 12], 2025 + Math.floor((index + 11) / 12)];
  return { label, withYear: `${label} ${year}`, year };
}

test("a month has its year where the year changes, so that December 2025 doesn't look like a day", () => {
  expect(ticksOf(12, month)).toEqual(["Dec 2025", "Mar 2026", "Jun", "Aug", "Nov"]);
  expect(ticksOf(1, month)).toEqual(["Dec 2025"]);
  expect(ticksOf(26, month)).toEqual(["Dec 2025", "Aug 2026", "May 2027", "Jan 2028"]);
});

test("at most five days have a label, with the first and the last one", () => {
  const day = (index: number) => ({ label: `Nov ${index + 1}` });
  expect(ticksOf(30, day)).toEqual(["Nov 1", "Nov 8", "Nov 16", "Nov 23", "Nov 30"]);
  expect(ticksOf(2, day)).toEqual(["Nov 1", "Nov 2"]);
});

test.each([
  [8, ["Nov 1", "Nov 5", "Nov 8"]],
  [9, ["Nov 1", "Nov 3", "Nov 5", "Nov 7", "Nov 9"]],
  [10, ["Nov 1", "Nov 4", "Nov 7", "Nov 10"]],
])("the labels of %i days don't touch on a phone, at distances as equal as possible", (count, labels) => {
  expect(ticksOf(count, (index) => ({ label: `Nov ${index + 1}` }))).toEqual(labels);
});

test("the line of a period before that has fewer months ends with its last month, and doesn't fall to zero", () => {
  const values = [9, 9, undefined].map((before) => ({ ...point, before, tick: { label: "" } }));
  expect(drawChart(values).before).toMatch(/^M0,[\d.]+L500,[\d.]+$/);
});
