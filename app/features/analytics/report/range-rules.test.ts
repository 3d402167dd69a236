import { expect, test } from "vitest";

import { isoDayOf, parseIsoDay } from "#app/services/preferences/owner-days.ts";

import { readRange } from "./range-rules.ts";

function read(query: string, today: string) {
  const { range } = readRange(new URLSearchParams(query), { today: parseIsoDay(today) ?? 0, firstDay: undefined });
  return [range.from, range.to, range.before?.from, range.before?.to].map((day) => day && isoDayOf(day));
}

test("12 months are compared with the same months up to the same day", () => {
  expect(read("range=12m", "2026-11-05")).toEqual(["2025-12-01", "2026-11-05", "2024-12-01", "2025-11-05"]);
  expect(read("range=12m", "2026-11-30")).toEqual(["2025-12-01", "2026-11-30", "2024-12-01", "2025-11-30"]);
  // A year ago, February had a day less.
  expect(read("range=12m", "2028-02-29")).toEqual(["2027-03-01", "2028-02-29", "2026-03-01", "2027-02-28"]);
});

test("7, 30 and 90 days are compared with as many days before", () => {
  expect(read("range=7", "2026-11-05")).toEqual(["2026-10-30", "2026-11-05", "2026-10-23", "2026-10-29"]);
  expect(read("range=90", "2026-03-29")).toEqual(["2025-12-30", "2026-03-29", "2025-10-01", "2025-12-29"]);
});
