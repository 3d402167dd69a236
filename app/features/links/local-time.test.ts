import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { dateWords } from "./date-words.ts";
import { localText, momentOf } from "./local-time.ts";
import type { OffsetAt } from "./local-time.ts";

/** The offset of a zone as the browser's own calendar has it. */
function zone(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
}

const berlin = zone("Europe/Berlin");

describe("a time on the owner's clock", () => {
  test("is that moment in their zone, in summer and in winter", () => {
    expect(momentOf("2026-11-24T09:00", berlin)?.time).toBe(Date.UTC(2026, 10, 24, 8));
    expect(momentOf("2026-07-24T09:00", berlin)?.time).toBe(Date.UTC(2026, 6, 24, 7));
    expect(momentOf("2026-11-24T09:00", zone("Asia/Kathmandu"))?.time).toBe(Date.UTC(2026, 10, 24, 3, 15));
    expect(momentOf("2026-11-24T09:00", zone("America/St_Johns"))?.time).toBe(Date.UTC(2026, 10, 24, 12, 30));
  });

  test("that clocks skip in spring is taken as far behind the jump, and said", () => {
    const skipped = momentOf("2026-03-29T02:30", berlin);
    expect(skipped).toEqual({ time: Date.UTC(2026, 2, 29, 1, 30), isSkipped: true, isTwice: false });
    expect(localText(skipped?.time ?? 0, berlin)).toBe("2026-03-29T03:30");
    // Half an hour on Lord Howe, and a whole day in Samoa.
    expect(momentOf("2026-10-04T02:15", zone("Australia/Lord_Howe"))?.isSkipped).toBe(true);
    expect(momentOf("2011-12-30T12:00", zone("Pacific/Apia"))?.isSkipped).toBe(true);
  });

  test("that comes twice in autumn is the first, and said", () => {
    const twice = momentOf("2026-10-25T02:30", berlin);
    expect(twice).toEqual({ time: Date.UTC(2026, 9, 25, 0, 30), isSkipped: false, isTwice: true });
    expect(momentOf("2026-10-25T03:00", berlin)?.isTwice).toBe(false);
  });

  test("comes back as it was typed, wherever and whenever that is", () => {
    const zones = [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kolkata",
      "Pacific/Apia",
      "UTC",
    ].map(zone);
    const wall = fc.integer({ min: Date.UTC(2000, 0, 2) / 60_000, max: Date.UTC(2099, 11, 30) / 60_000 });
    fc.assert(
      fc.property(wall, fc.constantFrom(...zones), (minutes, offsetAt) => {
        const typed = new Date(minutes * 60_000).toISOString().slice(0, 16);
        const moment = momentOf(typed, offsetAt);
        if (moment && !moment.isSkipped) expect(localText(moment.time, offsetAt)).toBe(typed);
        expect(moment).toBeDefined();
      }),
    );
  });

  test("is none when it is no such text", () => {
    for (const text of [
      "",
      "2026-11-24",
      "24.11.2026 09:00",
      "2026-13-01T00:00",
      "2026-11-24T25:00",
      "2026-11-24T09:00Z",
    ])
      expect(momentOf(text, berlin)).toBeUndefined();
    expect(momentOf("275760-11-24T09:00", berlin)).toBeUndefined();
    expect(momentOf("12026-11-24T09:00", () => 0)?.time).toBe(Date.UTC(12026, 10, 24, 9));
  });
});

test("before the reader's zone is known a date says that it is in UTC", () => {
  expect(dateWords(Date.UTC(2026, 10, 24, 9), false)).toBe("24 Nov 2026, 09:00 UTC");
  expect(dateWords(8.64e15 + 1, false)).toBe("a date far off");
});
