import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { formatDateTime, parseLocalTime, toLocalTime } from "./local-time.ts";
import type { OffsetAt } from "./local-time.ts";

/** The offsets of a time zone according to Intl. */
function zone(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
}

const berlin = zone("Europe/Berlin");

describe("a local time", () => {
  test("is converted with the offset of its zone, in summer and in winter", () => {
    expect(parseLocalTime("2026-11-24T09:00", berlin)?.time).toBe(Date.UTC(2026, 10, 24, 8));
    expect(parseLocalTime("2026-07-24T09:00", berlin)?.time).toBe(Date.UTC(2026, 6, 24, 7));
    expect(parseLocalTime("2026-11-24T09:00", zone("Asia/Kathmandu"))?.time).toBe(Date.UTC(2026, 10, 24, 3, 15));
    expect(parseLocalTime("2026-11-24T09:00", zone("America/St_Johns"))?.time).toBe(Date.UTC(2026, 10, 24, 12, 30));
  });

  test("that clocks skip in spring moves past the gap and is reported", () => {
    const skipped = parseLocalTime("2026-03-29T02:30", berlin);
    expect(skipped).toEqual({ time: Date.UTC(2026, 2, 29, 1, 30), isSkipped: true, isTwice: false });
    expect(toLocalTime(skipped?.time ?? 0, berlin)).toBe("2026-03-29T03:30");
    // Half an hour on Lord Howe, and a whole day in Samoa.
    expect(parseLocalTime("2026-10-04T02:15", zone("Australia/Lord_Howe"))?.isSkipped).toBe(true);
    expect(parseLocalTime("2011-12-30T12:00", zone("Pacific/Apia"))?.isSkipped).toBe(true);
  });

  test("that occurs twice in autumn is the first, and is reported", () => {
    const twice = parseLocalTime("2026-10-25T02:30", berlin);
    expect(twice).toEqual({ time: Date.UTC(2026, 9, 25, 0, 30), isSkipped: false, isTwice: true });
    expect(parseLocalTime("2026-10-25T03:00", berlin)?.isTwice).toBe(false);
  });

  test("survives a round trip in any zone", () => {
    const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"].map(zone);
    const wall = fc.integer({ min: Date.UTC(2000, 0, 2) / 60_000, max: Date.UTC(2099, 11, 30) / 60_000 });
    fc.assert(
      fc.property(wall, fc.constantFrom(...zones), (minutes, offsetAt) => {
        const typed = new Date(minutes * 60_000).toISOString().slice(0, 16);
        const moment = parseLocalTime(typed, offsetAt);
        if (moment && !moment.isSkipped) expect(toLocalTime(moment.time, offsetAt)).toBe(typed);
        expect(moment).toBeDefined();
      }),
    );
  });

  test("is undefined for other text", () => {
    const others = ["", "2026-11-24", "24.11.2026 09:00", "2026-13-01T00:00", "2026-11-24T25:00", "2026-11-24T09:00Z"];
    for (const text of [...others, "275760-11-24T09:00"]) expect(parseLocalTime(text, berlin)).toBeUndefined();
    expect(parseLocalTime("12026-11-24T09:00", () => 0)?.time).toBe(Date.UTC(12026, 10, 24, 9));
  });
});

test("formats a time as UTC, and says so, when the reader's zone is unknown", () => {
  expect(formatDateTime(Date.UTC(2026, 10, 24, 9), false)).toBe("Nov 24, 2026, 09:00 UTC");
  expect(formatDateTime(8.64e15 + 1, false)).toBe("an invalid date");
});
