import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  decodeMinute,
  dayOf,
  unrecordedDay,
  mergeIntoDay,
  encodeMinute,
  mergeMinute,
  minuteOf,
  minutesPerDay,
  msPerMinute,
  parseDayCodes,
} from "./rules.ts";
import { countedDays, measureUptime, uptimePercent, windowDays } from "./uptime.ts";

const today = 20_778;
const noon = today * minutesPerDay + 720;

/** A history of these minutes and their failure bits. */
function history(minutes: ReadonlyMap<number, number>) {
  const byDay = Map.groupBy(minutes, ([minute]) => dayOf(minute));
  const codesOf = (day: number) =>
    mergeIntoDay(
      unrecordedDay,
      (byDay.get(day) ?? []).map(([minute, bits]) => ({ minute, bits })),
    );
  return { codesOf, first: minutes.size > 0 ? minutes.keys().reduce((one, other) => Math.min(one, other)) : undefined };
}

const wellFrom = (from: number, until: number) =>
  new Map(Array.from({ length: until - from }, (_, n) => [from + n, 0]));
const at = (minute: number) => minute * msPerMinute + 30_000;

describe("the uptime", () => {
  test("is undefined before the first minute is over", () => {
    expect(measureUptime(history(new Map()), at(noon))).toBeUndefined();
    expect(measureUptime(history(new Map([[noon, 0]])), at(noon))).toBeUndefined();
    expect(measureUptime(history(new Map([[noon, 0]])), at(noon + 1))?.total).toMatchObject({ minutes: 1, good: 1 });
  });

  test("ignores future minutes from a clock that was ahead", () => {
    expect(measureUptime(history(wellFrom(noon + 10, noon + 20)), at(noon))).toBeUndefined();
    const measured = measureUptime(history(wellFrom(noon - 5, noon + 60)), at(noon));
    expect(measured?.total).toEqual({ minutes: 5, good: 5, failing: 0, gap: 0 });
  });

  test("is truncated, so that only complete uptime is 100%", () => {
    expect(uptimePercent({ good: 129_600, minutes: 129_600 })).toBe(100);
    expect(uptimePercent({ good: 129_599, minutes: 129_600 })).toBe(99.99);
    expect(uptimePercent({ good: 0, minutes: 0 })).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.nat(), (minutes, n) => {
        const good = n % (minutes + 1);
        const percent = uptimePercent({ good, minutes });
        expect(percent === 100).toBe(good === minutes);
        expect(percent).toBeLessThanOrEqual((good / minutes) * 100 + 1e-9);
        expect(percent).toBeGreaterThan((good / minutes) * 100 - 0.010_001);
      }),
    );
  });

  test("covers the full days since the first record, at most 90", () => {
    const daysOf = (first: number) => {
      const measured = measureUptime(history(wellFrom(first, noon)), at(noon));
      return measured && countedDays(measured);
    };
    expect(daysOf(noon - 1_439)).toBe(0);
    expect(daysOf(noon - 1_440)).toBe(1);
    expect(daysOf(noon - 3 * 1_440 + 1)).toBe(2);
    expect(daysOf((today - 89) * minutesPerDay)).toBe(90);
    expect(daysOf((today - 89) * minutesPerDay + 1)).toBe(89);
  });
});

describe("the days", () => {
  test("are ninety, with every minute in exactly one of them", () => {
    const minute = fc.tuple(fc.integer({ min: -200 * 1_440, max: 2_000 }), fc.integer({ min: 0, max: 15 }));
    const minutesFound = fc.uniqueArray(minute, { selector: ([offset]) => offset, maxLength: 60 });
    fc.assert(
      fc.property(minutesFound, fc.integer({ min: 0, max: 1_439 }), (entries, time) => {
        const end = today * minutesPerDay + time;
        const found = new Map(entries.map(([offset, bits]) => [end + offset, bits]));
        const measured = measureUptime(history(found), at(end));
        const past = [...found].filter(([minute]) => minute < end);
        if (past.length === 0) {
          expect(measured).toBeUndefined();
          return;
        }
        const since = Math.max(Math.min(...found.keys()), (today - 89) * minutesPerDay);
        const counted = past.filter(([minute]) => minute >= since);
        expect(measured?.days.map(({ day }) => day)).toEqual(
          Array.from({ length: windowDays }, (_, n) => today - 89 + n),
        );
        expect(measured?.total).toEqual({
          minutes: end - since,
          good: counted.filter(([, bits]) => bits === 0).length,
          failing: counted.filter(([, bits]) => bits !== 0).length,
          gap: end - since - counted.length,
        });
        for (const { minutes, good, failing, gap } of measured?.days ?? []) expect(good + failing + gap).toBe(minutes);
        const wrong = measured?.incidents.reduce((sum, { from, until }) => sum + until - from, 0);
        expect(wrong).toBe(end - since - (measured?.total.good ?? 0));
      }),
    );
  });

  test("include only the recorded part of the first day and of today", () => {
    const measured = measureUptime(history(wellFrom(noon - 1_440 - 60, noon)), at(noon));
    expect(measured?.days.slice(-3).map(({ minutes }) => minutes)).toEqual([0, 780, 720]);
  });

  test("have incidents that continue over midnight and stay open while they last", () => {
    const midnight = today * minutesPerDay;
    const found = wellFrom(midnight - 100, noon - 5);
    for (let minute = midnight - 10; minute < midnight + 10; minute++) found.set(minute, minute < midnight ? 4 : 6);
    expect(measureUptime(history(found), at(noon))?.incidents).toEqual([
      { kind: "failing", checks: ["mail", "files"], from: midnight - 10, until: midnight + 10, isOver: true },
      { kind: "gap", checks: [], from: noon - 5, until: noon, isOver: false },
    ]);
  });
});

describe("the codes of a day", () => {
  const bits = fc.option(fc.integer({ min: 0, max: 31 }), { nil: undefined });

  test("merge in any order and any number of times to the same result", () => {
    fc.assert(
      fc.property(bits, bits, bits, (a, b, c) => {
        expect(mergeMinute(a, b)).toBe(mergeMinute(b, a));
        expect(mergeMinute(a, a)).toBe(a);
        expect(mergeMinute(a, undefined)).toBe(a);
        // A minute in which one process found everything well stays good.
        expect(mergeMinute(0, b)).toBe(0);
        expect(mergeMinute(mergeMinute(a, b), c)).toBe(mergeMinute(a, mergeMinute(b, c)));
      }),
    );
  });

  test("survive encoding, and count as unrecorded when unreadable", () => {
    for (let value = 0; value < 32; value++) expect(decodeMinute(encodeMinute(value))).toBe(value);
    const codes = mergeIntoDay(unrecordedDay, [{ minute: minuteOf(at(noon)), bits: 5 }]);
    expect(parseDayCodes(codes)).toBe(codes);
    expect(codes[720]).toBe("5");
    for (const text of ["", codes.slice(1), codes.replace("5", "Z")]) expect(parseDayCodes(text)).toBe(unrecordedDay);
  });
});
