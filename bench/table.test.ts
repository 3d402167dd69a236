import { expect, test } from "vitest";

import { atLeast, atMost, markdownTable, missedBars, notMeasured } from "./table.ts";

const rows = [
  { what: "a page", value: "10.0 kB", bar: atMost(10, 10, "kB") },
  { what: "a script", value: "2.1 kB", bar: atMost(2, 2.1, "kB") },
  { what: "speed", value: "0.39", bar: atLeast(0.4, 0.39) },
  { what: "memory", value: "180 MB" },
  notMeasured("Lighthouse", new Error("NO_NAVSTART: no | navigation\n    at stack")),
];

test("the table has the target of each row that has one, and names the rows that miss it", () => {
  expect(markdownTable(rows).split("\n").slice(2)).toEqual([
    "| a page | 10.0 kB | at most 10 kB |",
    "| a script | 2.1 kB | at most 2 kB |",
    "| speed | 0.39 | at least 0.4 |",
    "| memory | 180 MB |  |",
    "| Lighthouse | not measured: NO_NAVSTART: no / navigation |  |",
  ]);
  expect(missedBars(rows)).toEqual(["a script: 2.1 kB, not at most 2 kB", "speed: 0.39, not at least 0.4"]);
  // What is not a number is missed.
  expect([atMost(10, Number.NaN).isMet, atLeast(10, Number.NaN).isMet]).toEqual([false, false]);
});
