import { expect, test } from "vitest";

import { parseIsoDay } from "#app/services/preferences/owner-days.ts";

import { dueMonday, nextMonday, weekBefore } from "./rules.ts";

const at = (time: string) => Date.parse(time);
const day = (text: string) => parseIsoDay(text) ?? -1;

test("the first mail comes on the Monday after, also for who turns it on on a Monday", () => {
  expect(nextMonday(at("2026-11-22T23:00Z"), "")).toBe(day("2026-11-23"));
  expect(nextMonday(at("2026-11-23T06:00Z"), "")).toBe(day("2026-11-30"));
  // Already Monday in Tokyo.
  expect(nextMonday(at("2026-11-22T23:00Z"), "Asia/Tokyo")).toBe(day("2026-11-30"));
});

test.each([
  ["2026-11-23", "", "2026-11-23T07:00Z"],
  ["2026-11-23", "Asia/Tokyo", "2026-11-22T22:00Z"],
  ["2026-11-23", "Pacific/Kiritimati", "2026-11-22T17:00Z"],
  ["2026-11-23", "America/Los_Angeles", "2026-11-23T15:00Z"],
  // Clocks went forward on Sunday, and back.
  ["2026-03-30", "Europe/Berlin", "2026-03-30T05:00Z"],
  ["2026-10-26", "Europe/Berlin", "2026-10-26T06:00Z"],
])("a mail is due at seven on Monday, %s in %j", (monday, timeZone, seven) => {
  const mail = { monday: day(monday), timeZone };
  expect(dueMonday({ ...mail, now: at(seven) - 1 })).toBeUndefined();
  expect(dueMonday({ ...mail, now: at(seven) })).toBe(day(monday));
});

test("after an outage only the latest mail is due, and it is about the week before it", () => {
  const due = dueMonday({ monday: day("2026-11-02"), timeZone: "", now: at("2026-11-26T03:00Z") });
  expect(due).toBe(day("2026-11-23"));
  expect(weekBefore(due ?? 0)).toEqual({ monday: day("2026-11-16"), sunday: day("2026-11-22") });
});
