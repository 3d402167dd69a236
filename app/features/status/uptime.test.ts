import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  bitsOf,
  dayOf,
  emptyDay,
  layOver,
  markOf,
  mergeBits,
  minuteOf,
  MINUTES_PER_DAY,
  MS_PER_MINUTE,
  readMarks,
} from "./rules.ts";
import { daysCounted, measure, percentOf, WINDOW_DAYS } from "./uptime.ts";

const today = 20_778;
const noon = today * MINUTES_PER_DAY + 720;

/** The history in which just these minutes are recorded, and what failed in them. */
function history(found: ReadonlyMap<number, number>) {
  const byDay = Map.groupBy(found, ([minute]) => dayOf(minute));
  const marksOf = (day: number) =>
    layOver(
      emptyDay,
      (byDay.get(day) ?? []).map(([minute, bits]) => ({ minute, bits })),
    );
  return { marksOf, first: found.size > 0 ? found.keys().reduce((one, other) => Math.min(one, other)) : undefined };
}

const wellFrom = (from: number, until: number) =>
  new Map(Array.from({ length: until - from }, (_, n) => [from + n, 0]));
const at = (minute: number) => minute * MS_PER_MINUTE + 30_000;

describe("the figure", () => {
  test("is of all minutes from the first record to the last that is over; what nobody recorded counts against it", () => {
    const found = wellFrom(noon - 100, noon);
    for (let minute = noon - 50; minute < noon - 40; minute++) found.delete(minute);
    found.set(noon - 20, 4);
    const measured = measure(history(found), at(noon));
    expect(measured?.total).toEqual({ minutes: 100, good: 89, failing: 1, gap: 10 });
    expect(measured?.since).toBe((noon - 100) * MS_PER_MINUTE);
  });

  test("knows nothing before the first minute is over", () => {
    expect(measure(history(new Map()), at(noon))).toBeUndefined();
    expect(measure(history(new Map([[noon, 0]])), at(noon))).toBeUndefined();
    expect(measure(history(new Map([[noon, 0]])), at(noon + 1))?.total).toMatchObject({ minutes: 1, good: 1 });
  });

  test("does not count what a clock that was ahead wrote of minutes to come", () => {
    expect(measure(history(wellFrom(noon + 10, noon + 20)), at(noon))).toBeUndefined();
    const measured = measure(history(new Map([...wellFrom(noon - 5, noon), ...wellFrom(noon, noon + 60)])), at(noon));
    expect(measured?.total).toEqual({ minutes: 5, good: 5, failing: 0, gap: 0 });
  });

  test("is 100 only where not one minute is missing, and is cut off, never rounded up", () => {
    expect(percentOf({ good: 129_600, minutes: 129_600 })).toBe(100);
    expect(percentOf({ good: 129_599, minutes: 129_600 })).toBe(99.99);
    expect(percentOf({ good: 0, minutes: 0 })).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.nat(), (minutes, n) => {
        const good = n % (minutes + 1);
        const percent = percentOf({ good, minutes });
        expect(percent === 100).toBe(good === minutes);
        expect(percent).toBeLessThanOrEqual((good / minutes) * 100 + 1e-9);
        expect(percent).toBeGreaterThan((good / minutes) * 100 - 0.010_001);
      }),
    );
  });

  test("speaks of 90 days once the first of them was recorded whole, before of those that are over", () => {
    const daysOf = (first: number) => {
      const measured = measure(history(wellFrom(first, noon)), at(noon));
      return measured && daysCounted(measured);
    };
    expect(daysOf(noon - 1_439)).toBe(0);
    expect(daysOf(noon - 1_440)).toBe(1);
    expect(daysOf(noon - 3 * 1_440 + 1)).toBe(2);
    expect(daysOf((today - 89) * MINUTES_PER_DAY)).toBe(90);
    expect(daysOf((today - 89) * MINUTES_PER_DAY + 1)).toBe(89);
  });
});

describe("the days", () => {
  test("are ninety with today as the last; each minute belongs to one, whatever the time is", () => {
    const minutesFound = fc.uniqueArray(
      fc.tuple(fc.integer({ min: -200 * 1_440, max: 2_000 }), fc.integer({ min: 0, max: 15 })),
      {
        selector: ([offset]) => offset,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(minutesFound, fc.integer({ min: 0, max: 1_439 }), (entries, time) => {
        const end = today * MINUTES_PER_DAY + time;
        const found = new Map(entries.map(([offset, bits]) => [end + offset, bits]));
        const measured = measure(history(found), at(end));
        const past = [...found].filter(([minute]) => minute < end);
        if (past.length === 0) {
          expect(measured).toBeUndefined();
          return;
        }
        const since = Math.max(Math.min(...found.keys()), (today - 89) * MINUTES_PER_DAY);
        const counted = past.filter(([minute]) => minute >= since);
        expect(measured?.days.map(({ day }) => day)).toEqual(
          Array.from({ length: WINDOW_DAYS }, (_, n) => today - 89 + n),
        );
        expect(measured?.total).toEqual({
          minutes: end - since,
          good: counted.filter(([, bits]) => bits === 0).length,
          failing: counted.filter(([, bits]) => bits !== 0).length,
          gap: end - since - counted.length,
        });
        for (const { minutes, good, failing, gap } of measured?.days ?? []) expect(good + failing + gap).toBe(minutes);
        const wrong = measured?.stretches.reduce((sum, { from, until }) => sum + until - from, 0);
        expect(wrong).toBe(end - since - (measured?.total.good ?? 0));
      }),
    );
  });

  test("the first and today have only the minutes that there were", () => {
    const measured = measure(history(wellFrom(noon - 1_440 - 60, noon)), at(noon));
    expect(measured?.days.slice(-3).map(({ minutes }) => minutes)).toEqual([0, 780, 720]);
  });

  test("what went wrong is told from its beginning to its end, over midnight too, and what lasts is not over", () => {
    const midnight = today * MINUTES_PER_DAY;
    const found = wellFrom(midnight - 100, noon - 5);
    for (let minute = midnight - 10; minute < midnight + 10; minute++) found.set(minute, minute < midnight ? 4 : 6);
    expect(measure(history(found), at(noon))?.stretches).toEqual([
      { kind: "failing", checks: ["mail", "files"], from: midnight - 10, until: midnight + 10, isOver: true },
      { kind: "gap", checks: [], from: noon - 5, until: noon, isOver: false },
    ]);
  });
});

describe("the marks of a day", () => {
  const bits = fc.option(fc.integer({ min: 0, max: 31 }), { nil: undefined });

  test("laid over each other in any order, any number of times, are the same", () => {
    fc.assert(
      fc.property(bits, bits, bits, (a, b, c) => {
        expect(mergeBits(a, b)).toBe(mergeBits(b, a));
        expect(mergeBits(a, a)).toBe(a);
        expect(mergeBits(a, undefined)).toBe(a);
        // A minute in which one process was entirely well is well, whoever else comes.
        expect(mergeBits(0, b)).toBe(0);
        expect(mergeBits(mergeBits(a, b), c)).toBe(mergeBits(a, mergeBits(b, c)));
      }),
    );
  });

  test("are read as they were written, and say nothing when they can't be read", () => {
    for (let value = 0; value < 32; value++) expect(bitsOf(markOf(value))).toBe(value);
    const marks = layOver(emptyDay, [{ minute: minuteOf(at(noon)), bits: 5 }]);
    expect(readMarks(marks)).toBe(marks);
    expect(marks[720]).toBe("5");
    for (const text of ["", marks.slice(1), marks.replace("5", "Z")]) expect(readMarks(text)).toBe(emptyDay);
  });
});
