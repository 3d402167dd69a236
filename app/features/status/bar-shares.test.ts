import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { sharesOf } from "./bar-shares.ts";

const day = 1_440;
const tally = (good: number, failing = 0, gap = 0) => ({ minutes: good + failing + gap, good, failing, gap });

describe("a bar", () => {
  test("is whole when every minute of its day that is over was well, today as well", () => {
    expect(sharesOf(tally(day), day)).toEqual({ good: 100, failing: 0, gap: 0 });
    expect(sharesOf(tally(11), 11)).toEqual({ good: 100, failing: 0, gap: 0 });
  });

  test("of the day of the first record stands for what came after it", () => {
    expect(sharesOf(tally(360), 720)).toEqual({ good: 50, failing: 0, gap: 0 });
  });

  test("shows what is there at all, be it a minute", () => {
    expect(sharesOf(tally(1), day).good).toBeGreaterThanOrEqual(8);
    const { good, failing, gap } = sharesOf(tally(day - 2, 1, 1), day);
    expect([good, failing, gap]).toEqual([83, 8.5, 8.5]);
    expect(sharesOf(tally(1, 0, day - 1), day)).toEqual({ good: 8.5, failing: 0, gap: 91.5 });
  });

  test("shows all that is there where the largest part has little to give", () => {
    const { good, failing, gap } = sharesOf(tally(3, 3, 1), 25);
    expect(Math.min(good, failing, gap)).toBeGreaterThanOrEqual(8.5);
    expect(good).toBe(failing);
  });

  test("is empty without a minute, and never more than full", () => {
    expect(sharesOf(tally(0), day)).toEqual({ good: 0, failing: 0, gap: 0 });
    expect(sharesOf(tally(0), 0)).toEqual({ good: 0, failing: 0, gap: 0 });
    fc.assert(
      fc.property(fc.tuple(fc.nat(day), fc.nat(day), fc.nat(day)), fc.nat(day), ([a, b, c], elapsed) => {
        const scale = Math.max(1, (a + b + c) / day);
        const parts = [a, b, c].map((part) => Math.floor(part / scale)) as [number, number, number];
        const { good, failing, gap } = sharesOf(tally(...parts), elapsed);
        expect(good + failing + gap).toBeLessThanOrEqual(100);
        for (const [index, share] of [good, failing, gap].entries()) {
          if (parts[index] === 0) expect(share).toBe(0);
          else expect(share).toBeGreaterThanOrEqual(8.5);
        }
      }),
    );
  });
});
