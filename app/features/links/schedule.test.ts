import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { isShownAt, nextBoundary, scheduleMark, scheduleState, scheduleWords } from "./schedule.ts";

const always = { on: true, from: null, until: null };
const link = { on: true, from: 100, until: 200 };

describe("a link with a schedule", () => {
  test("is shown from its start on, and no longer at its end", () => {
    expect([99, 100, 199, 200].map((now) => isShownAt(link, now))).toEqual([false, true, true, false]);
    expect([99, 100].map((now) => isShownAt({ ...link, until: null }, now))).toEqual([false, true]);
    expect([199, 200].map((now) => isShownAt({ ...link, from: null }, now))).toEqual([true, false]);
    expect(isShownAt(always, 0)).toBe(true);
  });

  test("is not shown while it is off", () => {
    expect(isShownAt({ ...link, on: false }, 150)).toBe(false);
    expect(isShownAt({ ...always, on: false }, 150)).toBe(false);
  });

  test("waits, runs and is over", () => {
    expect([50, 150, 250].map((now) => scheduleState(link, now))).toEqual(["waiting", "running", "over"]);
    expect(scheduleState(always, 50)).toBe("always");
  });

  test("tells its owner how it stands", () => {
    const [start, end] = [Date.UTC(2026, 10, 24, 9), Date.UTC(2026, 10, 25, 9)];
    const marks = [start - 1, start, end].map((now) => scheduleMark({ from: start, until: end }, now, false).join(" "));
    expect(marks).toEqual([
      "Not shown yet from 24 Nov 2026, 09:00 UTC",
      " Shown until 25 Nov 2026, 09:00 UTC",
      "Over since 25 Nov 2026, 09:00 UTC",
    ]);
    expect(scheduleMark({ from: start, until: null }, end, false)).toEqual(["", ""]);
  });

  test("says when in words", () => {
    const from = Date.UTC(2026, 10, 24, 9);
    const until = Date.UTC(2026, 11, 1, 18, 30);
    expect(scheduleWords({ from, until }, false)).toBe("Shown from 24 Nov 2026, 09:00 UTC until 1 Dec 2026, 18:30 UTC");
    expect(scheduleWords({ from: null, until }, false)).toBe("Shown until 1 Dec 2026, 18:30 UTC");
    expect(scheduleWords(always, false)).toBe("Always shown");
  });
});

describe("the next boundary", () => {
  test("is the first moment at which a link that is on comes or goes", () => {
    const later = { on: true, from: 300, until: 400 };
    expect([0, 100, 150, 200, 300, 400].map((now) => nextBoundary([later, link], now))).toEqual([
      100,
      200,
      200,
      300,
      400,
      undefined,
    ]);
    expect(nextBoundary([always, { ...link, on: false }], 0)).toBeUndefined();
  });

  test("until it nothing changes, and at it something does", () => {
    const time = fc.option(fc.integer({ min: 1, max: 60 }));
    const one = fc.record({ on: fc.boolean(), from: time, until: time });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), fc.integer({ min: 0, max: 60 }), (links, now) => {
        const shownAt = (at: number) => JSON.stringify(links.map((each) => isShownAt(each, at)));
        const end = nextBoundary(links, now);
        for (let at = now; at < (end ?? 70); at++) expect(shownAt(at)).toBe(shownAt(now));
        // An end before its start never shows the link: saves refuse it, and here it may only be a boundary too many.
        const isSound = links.every(({ from, until }) => from === null || until === null || from < until);
        if (end !== undefined && isSound) expect(shownAt(end)).not.toBe(shownAt(now));
      }),
    );
  });
});
