import fc from "fast-check";
import { expect, test } from "vitest";

import { barShares } from "./uptime-section.tsx";

const day = 1_440;
const counts = (good: number, failing = 0, gap = 0) => ({ minutes: good + failing + gap, good, failing, gap });

test("a bar is full when every minute so far was good, and leaves the time before the first record empty", () => {
  expect(barShares(counts(day), day)).toEqual({ good: 100, failing: 0, gap: 0 });
  expect(barShares(counts(11), 11)).toEqual({ good: 100, failing: 0, gap: 0 });
  expect(barShares(counts(360), 720)).toEqual({ good: 50, failing: 0, gap: 0 });
});

test("a bar shows even a single minute", () => {
  const { good, failing, gap } = barShares(counts(day - 2, 1, 1), day);
  expect(good).toBeCloseTo(83);
  expect([failing, gap]).toEqual([8.5, 8.5]);
});

test("a bar is empty without minutes, and never more than full", () => {
  expect(barShares(counts(0), day)).toEqual({ good: 0, failing: 0, gap: 0 });
  expect(barShares(counts(0), 0)).toEqual({ good: 0, failing: 0, gap: 0 });
  fc.assert(
    fc.property(fc.tuple(fc.nat(day), fc.nat(day), fc.nat(day)), fc.nat(day), ([a, b, c], elapsed) => {
      const scale = Math.max(1, (a + b + c) / day);
      const parts = [a, b, c].map((part) => Math.floor(part / scale)) as [number, number, number];
      const { good, failing, gap } = barShares(counts(...parts), elapsed);
      expect(good + failing + gap).toBeLessThanOrEqual(100 + 1e-9);
      for (const [index, share] of [good, failing, gap].entries()) {
        if (parts[index] === 0) expect(share).toBe(0);
        else expect(share).toBeGreaterThanOrEqual(8.5 - 1e-9);
      }
    }),
  );
});
