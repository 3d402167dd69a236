import { expect, test } from "vitest";

import { dayOf, startOfDay } from "./lead-time.ts";

test.each([
  {
    name: "has 23 hours",
    timeZone: "Europe/Berlin",
    day: "2026-03-29",
    from: "2026-03-28T23:00Z",
    to: "2026-03-29T22:00Z",
  },
  {
    name: "has 25 hours",
    timeZone: "Europe/Berlin",
    day: "2026-10-25",
    from: "2026-10-24T22:00Z",
    to: "2026-10-25T23:00Z",
  },
  {
    name: "has no midnight",
    timeZone: "Africa/Cairo",
    day: "2026-04-24",
    from: "2026-04-23T22:00Z",
    to: "2026-04-24T21:00Z",
  },
  {
    name: "is in UTC without a time zone",
    timeZone: "",
    day: "2026-11-23",
    from: "2026-11-23T00:00Z",
    to: "2026-11-24T00:00Z",
  },
])("a day that $name is filtered from its first moment to its last", ({ timeZone, day, from, to }) => {
  const [start, end] = [startOfDay(day, { timeZone }), startOfDay(day, { timeZone }, 1)];
  expect([start, end]).toEqual([Date.parse(from), Date.parse(to)]);
  const choice = { locale: "", timeZone };
  expect([start - 1, start, end - 1, end].map((time) => dayOf(time, choice) === day)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
