import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  checkNames,
  countedDays,
  encodeResults,
  measureUptime,
  mergeMinute,
  minutesPerDay,
  msPerMinute,
  uptimePercent,
  windowDays,
} from "./rules.ts";

const today = 20_778;
const noon = today * minutesPerDay + 720;
const start = (today - windowDays + 1) * minutesPerDay;
const at = (minute: number) => minute * msPerMinute + 30_000;

/** Measures the minutes from `first` to noon, of which those of `codes` were recorded. */
const measure = (first: number, codes: string, isOlder = false) =>
  measureUptime(
    { codes: `${"-".repeat(first - start)}${codes}`.padEnd(windowDays * minutesPerDay, "-"), isOlder },
    at(noon),
  );
const wellFrom = (first: number) => measure(first, "0".repeat(noon - first));

describe("the uptime", () => {
  test("is undefined before the first minute is over, whatever a clock that was ahead recorded", () => {
    for (const first of [noon, noon + 10]) expect(measure(first, "00")).toBeUndefined();
    expect(measure(noon - 1, "000")?.total).toEqual({ minutes: 1, good: 1, failing: 0, gap: 0 });
    expect(measure(noon, "", true)?.total).toMatchObject({ minutes: noon - start, gap: noon - start });
  });

  test("is truncated, so that only complete uptime is 100%", () => {
    expect(uptimePercent({ good: 129_599, minutes: 129_600 })).toBe(99.99);
    expect(uptimePercent({ good: 0, minutes: 0 })).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.nat(), (minutes, n) => {
        const good = n % (minutes + 1);
        const percent = uptimePercent({ good, minutes });
        expect(percent === 100).toBe(good === minutes);
        expect((good / minutes) * 100 - percent).toBeGreaterThanOrEqual(-1e-9);
        expect((good / minutes) * 100 - percent).toBeLessThan(0.010_001);
      }),
    );
  });

  test.each([
    [noon - 1_439, 0],
    [noon - 1_440, 1],
    [noon - 3 * 1_440 + 1, 2],
    [start + 1, 89],
    [start, 90],
  ])("since minute %i covers %i full days", (first, days) => {
    const measured = wellFrom(first);
    expect(measured && countedDays(measured)).toBe(days);
  });
});

test("every minute since the first record is in exactly one of ninety days", () => {
  const recorded = fc.string({ unit: fc.constantFrom(..."00-4f"), minLength: 1, maxLength: 4_000 });
  fc.assert(
    fc.property(recorded, fc.boolean(), (text, isOlder) => {
      const codes = text.slice(text.search(/[^-]|$/));
      fc.pre(codes !== "");
      const measured = measure(noon - codes.length, codes, isOlder);
      const count = (kind: RegExp) => codes.match(kind)?.length ?? 0;
      const minutes = isOlder ? noon - start : codes.length;
      const [good, failing] = [count(/0/g), count(/[4f]/g)];
      expect(measured?.total).toEqual({ minutes, good, failing, gap: minutes - good - failing });
      expect(measured?.days.map(({ day }) => day)).toEqual(Array.from({ length: 90 }, (_, n) => today - 89 + n));
      for (const kind of ["minutes", "good", "failing", "gap"] as const)
        expect(measured?.days.reduce((sum, day) => sum + day[kind], 0)).toBe(measured?.total[kind]);
      const wrong = measured?.incidents.reduce((sum, { from, until }) => sum + until - from, 0);
      expect(wrong).toBe(minutes - good);
    }),
    { numRuns: 30 },
  );
  expect(
    wellFrom(noon - 1_500)
      ?.days.slice(-3)
      .map(({ minutes }) => minutes),
  ).toEqual([0, 780, 720]);
});

test("an incident continues over midnight and when another check fails, and is open while it lasts", () => {
  const midnight = today * minutesPerDay;
  const codes = `${"0".repeat(90)}${"4".repeat(10)}${"6".repeat(10)}`.padEnd(815, "0");
  expect(measure(midnight - 100, codes)?.incidents).toEqual([
    { kind: "failing", checks: ["mail", "files"], from: midnight - 10, until: midnight + 10, isOver: true },
    { kind: "gap", checks: [], from: noon - 5, until: noon, isOver: false },
  ]);
});

test("results of a minute merge in any order and any number of times; one that is well makes it good", () => {
  const code = fc.constantFrom("-", ..."0123456789abcdef");
  fc.assert(
    fc.property(code, code, code, (a, b, c) => {
      expect(mergeMinute(a, b)).toBe(mergeMinute(b, a));
      expect(mergeMinute(a, a)).toBe(a);
      expect(mergeMinute(a, "-")).toBe(a);
      expect(mergeMinute("0", b)).toBe("0");
      expect(mergeMinute(mergeMinute(a, b), c)).toBe(mergeMinute(a, mergeMinute(b, c)));
    }),
  );
  expect(checkNames.map((name) => encodeResults({ ...allWell, [name]: "failing" }))).toEqual(["1", "2", "4", "8"]);
  expect(encodeResults(allWell)).toBe("0");
});

const allWell = { database: "well", files: "well", mail: "unset", jobs: "well" } as const;
