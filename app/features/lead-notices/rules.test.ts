import { describe, expect, test } from "vitest";

import { dueTime, nextDailyTime, nextGap } from "./rules.ts";

const minute = 60_000;
const hour = 60 * minute;
const iso = (time: number) => new Date(time).toISOString();

const base = { timing: "now", hour: 8, timeZone: "", now: 1_000 * minute } as const;

test("a notice without delay waits for nothing the first time, and ten minutes after another one", () => {
  expect(dueTime({ ...base, sentAt: 0, gapMs: 0 })).toBe(base.now);
  expect(dueTime({ ...base, sentAt: base.now - 3 * minute, gapMs: 10 * minute })).toBe(base.now + 7 * minute);
  expect(dueTime({ ...base, sentAt: base.now - 11 * minute, gapMs: 10 * minute })).toBe(base.now);
});

test("a notice without delay comes at most ten times in eight hours in which leads never stop", () => {
  let [sentAt, gapMs, now] = [0, 0, 24 * hour];
  const end = now + 8 * hour;
  let count = 0;
  for (;;) {
    now = dueTime({ ...base, now, sentAt, gapMs });
    if (now >= end) break;
    gapMs = nextGap("mail", { sentAt, gapMs, now });
    sentAt = now;
    count++;
  }
  expect(count).toBe(10);
  // After a quiet night the next one waits ten minutes again.
  expect(nextGap("mail", { sentAt, gapMs, now: sentAt + 10 * hour })).toBe(10 * minute);
});

describe("a daily summary", () => {
  const next = (hourOfDay: number, timeZone: string, now: string) =>
    iso(nextDailyTime({ hour: hourOfDay, timeZone, now: Date.parse(now) }));

  test("comes at the hour of the owner's time zone", () => {
    expect(next(8, "", "2026-11-23T07:59:59Z")).toBe("2026-11-23T08:00:00.000Z");
    expect(next(8, "", "2026-11-23T08:00:00Z")).toBe("2026-11-24T08:00:00.000Z");
    expect(next(8, "Asia/Tokyo", "2026-11-23T07:00:00Z")).toBe("2026-11-23T23:00:00.000Z");
    expect(next(23, "Asia/Kolkata", "2026-11-23T07:00:00Z")).toBe("2026-11-23T17:30:00.000Z");
  });

  test("comes once on the day when clocks go forward over its hour", () => {
    // 02:00 doesn't exist in Berlin on 2026-03-29.
    expect(next(2, "Europe/Berlin", "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z");
    expect(next(2, "Europe/Berlin", "2026-03-29T01:00:00Z")).toBe("2026-03-30T00:00:00.000Z");
  });

  test("comes once on the day when clocks go back and its hour comes twice", () => {
    expect(next(2, "Europe/Berlin", "2026-10-24T12:00:00Z")).toBe("2026-10-25T00:00:00.000Z");
    // In the second 02:30 of that night.
    expect(next(2, "Europe/Berlin", "2026-10-25T01:30:00Z")).toBe("2026-10-26T01:00:00.000Z");
  });
});
