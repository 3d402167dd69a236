import { expect, test } from "vitest";

import {
  formatBytes,
  formatDate,
  formatList,
  formatNumber,
  formatPercent,
  formatShortDate,
  formatTime,
  formatWait,
  formatWeekday,
} from "./format.ts";

const now = Date.UTC(2026, 10, 21, 14, 2);

test("formats dates and times in UTC", () => {
  expect(formatDate(now)).toBe("November 21, 2026");
  expect(formatShortDate(now)).toBe("Nov 21");
  expect(formatShortDate(Date.UTC(2026, 8, 1))).toBe("Sep 1");
  expect(formatWeekday(now)).toBe("Sat, Nov 21");
  expect(formatTime(now)).toBe("14:02");
  expect(formatTime(Date.UTC(2026, 10, 21))).toBe("00:00");
});

test("formats numbers, sizes and percentages", () => {
  expect([0, 999, 1_000, 1_296_000].map(formatNumber)).toEqual(["0", "999", "1,000", "1,296,000"]);
  expect([100_000, 999_999, 5_242_880, 73_000_000_000].map(formatBytes)).toEqual(["100 kB", "999 kB", "5 MB", "73 GB"]);
  expect([99.98, 99.9, 100].map(formatPercent)).toEqual(["99.98%", "99.90%", "100%"]);
});

test("rounds a wait up to whole minutes", () => {
  const waits = [0, 60_000, 60_001, 900_000].map((wait) => formatWait(now + wait, now));
  expect(waits).toEqual(["in one minute", "in one minute", "in 2 minutes", "in 15 minutes"]);
});

test("joins a list with a comma and 'and'", () => {
  const lists = [[], ["Mail"], ["Mail", "Files"], ["Mail", "Files", "Jobs"]].map(formatList);
  expect(lists).toEqual(["", "Mail", "Mail and Files", "Mail, Files and Jobs"]);
});
