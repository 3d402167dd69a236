import { expect, test } from "vitest";

import { timeZones } from "./owner-time.ts";
import { currentZone } from "./zone-rules.ts";

test("time zones are offered once, in order, by names that are in use today", () => {
  for (const name of ["Asia/Kolkata", "Asia/Ho_Chi_Minh", "Europe/Kyiv", "America/Argentina/Buenos_Aires"])
    expect(timeZones).toContain(name);
  for (const name of ["Asia/Calcutta", "Asia/Saigon", "Europe/Kiev", "America/Buenos_Aires"])
    expect(timeZones).not.toContain(name);
  expect(timeZones).toEqual([...new Set(timeZones)].toSorted());
});

test("each zone has the clock of the one that it replaces", () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const hourIn = (timeZone: string) => new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "full" }).format(noon);
    expect(hourIn(currentZone(zone))).toBe(hourIn(zone));
  }
});
