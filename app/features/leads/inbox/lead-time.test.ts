import { expect, test } from "vitest";

import { dayHeading, dayOf, startOfDay, startOfWeek } from "./lead-time.ts";

test.each([
  ["2026-11-24T10:00Z", "Today"],
  ["2026-11-23T10:59Z", "Yesterday"],
  ["2026-11-22T10:59Z", "Sunday, Nov 22"],
  ["2025-11-22T12:00Z", "Sunday, Nov 23, 2025"],
])("a lead of %s is below “%s”, in the owner's time zone", (time, heading) => {
  const choice = { locale: "en-US", timeZone: "Pacific/Auckland" };
  expect(dayHeading(Date.parse(time), Date.parse("2026-11-24T10:30Z"), choice)).toBe(heading);
});

test.each([
  ["", "2026-11-22"],
  ["de-DE", "2026-11-23"],
])("with the locale “%s” the week of a Tuesday starts on %s", (locale, day) => {
  expect(startOfWeek(Date.parse("2026-11-24T12:00Z"), { locale, timeZone: "UTC" })).toBe(day);
});

test.each([
  ["has 23 hours", "Europe/Berlin", "2026-03-29", "2026-03-28T23:00Z", "2026-03-29T22:00Z"],
  ["has 25 hours", "Europe/Berlin", "2026-10-25", "2026-10-24T22:00Z", "2026-10-25T23:00Z"],
  ["has no midnight", "Africa/Cairo", "2026-04-24", "2026-04-23T22:00Z", "2026-04-24T21:00Z"],
  ["is in UTC without a time zone", "", "2026-11-23", "2026-11-23T00:00Z", "2026-11-24T00:00Z"],
])("a day that %s is filtered from its first moment to its last", (...[, timeZone, day, from, to]) => {
  const [start, end] = [startOfDay(day, { timeZone }), startOfDay(day, { timeZone }, 1)];
  expect([start, end]).toEqual([Date.parse(from), Date.parse(to)]);
  const choice = { locale: "", timeZone };
  const isOnDay = [start - 1, start, end - 1, end].map((time) => dayOf(time, choice) === day);
  expect(isOnDay).toEqual([false, true, true, false]);
});
