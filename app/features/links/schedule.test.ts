import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { isShownAt, nextBoundary, scheduleStatus, scheduleState, formatSchedule } from "./schedule.ts";

const always = { on: true, from: null, until: null };
const link = { on: true, from: 100, until: 200 };

describe("a link with a schedule", () => {
  test("is shown at its start and later, but no longer at its end", () => {
    expect([99, 100, 199, 200].map((now) => isShownAt(link, now))).toEqual([false, true, true, false]);
    expect([99, 100].map((now) => isShownAt({ ...link, until: null }, now))).toEqual([false, true]);
    expect([199, 200].map((now) => isShownAt({ ...link, from: null }, now))).toEqual([true, false]);
    expect(isShownAt(always, 0)).toBe(true);
  });

  test("is not shown while it is switched off, and is waiting, running or over", () => {
    for (const off of [link, always]) expect(isShownAt({ ...off, on: false }, 150)).toBe(false);
    expect([50, 150, 250].map((now) => scheduleState(link, now))).toEqual(["waiting", "running", "over"]);
    expect(scheduleState(always, 50)).toBe("always");
  });

  test("has a status text for its owner", () => {
    const [start, end] = [Date.UTC(2026, 10, 24, 9), Date.UTC(2026, 10, 25, 9)];
    const times = { from: start, until: end };
    const marks = [start - 1, start, end].map((now) => scheduleStatus(times, now, false).join(" "));
    expect(marks).toEqual([
      "Not shown yet from Nov 24, 2026, 09:00 UTC",
      " Shown until Nov 25, 2026, 09:00 UTC",
      "Ended Nov 25, 2026, 09:00 UTC",
    ]);
    expect(scheduleStatus({ from: start, until: null }, end, false)).toEqual(["", ""]);
  });

  test("is formatted as a sentence", () => {
    const from = Date.UTC(2026, 10, 24, 9);
    const until = Date.UTC(2026, 11, 1, 18, 30);
    expect(formatSchedule({ from, until }, false)).toBe(
      "Shown from Nov 24, 2026, 09:00 UTC until Dec 1, 2026, 18:30 UTC",
    );
    expect(formatSchedule({ from: null, until }, false)).toBe("Shown until Dec 1, 2026, 18:30 UTC");
    expect(formatSchedule(always, false)).toBe("Always shown");
  });
});

test("the next boundary is the next time at which a switched-on link appears or disappears", () => {
  const later = { on: true, from: 300, until: 400 };
  const ends = [0, 100, 150, 200, 300, 400].map((now) => nextBoundary([later, link], now) ?? 0);
  expect(ends).toEqual([100, 200, 200, 300, 400, 0]);
  expect(nextBoundary([always, { ...link, on: false }], 0)).toBeUndefined();
});

test("nothing changes before the next boundary, and something does at it", () => {
  const time = fc.option(fc.integer({ min: 1, max: 60 }));
  const one = fc.record({ on: fc.boolean(), from: time, until: time });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 5 }), fc.integer({ min: 0, max: 60 }), (links, now) => {
      const shownAt = (at: number) => JSON.stringify(links.map((each) => isShownAt(each, at)));
      const end = nextBoundary(links, now);
      for (let at = now; at < (end ?? 70); at++) expect(shownAt(at)).toBe(shownAt(now));
      // Saves refuse an end before the start; such a link is never shown and only adds a boundary without effect.
      const isSound = links.every(({ from, until }) => from === null || until === null || from < until);
      if (end !== undefined && isSound) expect(shownAt(end)).not.toBe(shownAt(now));
    }),
  );
});
