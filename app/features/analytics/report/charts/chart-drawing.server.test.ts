import { describe, expect, test } from "vitest";

import { drawChart } from "./chart-drawing.server.ts";

describe("the dates below a chart", () => {
  test.each([
    [1, [1]],
    [2, [1, 2]],
    [5, [1, 2, 3, 4, 5]],
    [7, [1, 3, 5, 7]],
    [12, [3, 6, 9, 12]],
    [30, [6, 14, 22, 30]],
    [90, [21, 44, 67, 90]],
  ])("of %i days have the same distance, and the last day has one", (count, days) => {
    expect(ticksOf(count)).toEqual(days.map(String));
  });

  test("are at most five", () => {
    for (let count = 1; count <= 400; count += 1) expect(ticksOf(count).length).toBeLessThanOrEqual(5);
  });
});

function ticksOf(count: number): string[] {
  const days = Array.from({ length: count }, (_, index) => ({
    n: 1,
    before: undefined,
    label: "",
    tick: String(index + 1),
    notes: [],
  }));
  return drawChart(days).xTicks.map(({ label }) => label);
}
