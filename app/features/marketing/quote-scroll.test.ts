import { expect, test } from "vitest";

import { nearestSlide, stepOf } from "./quote-scroll.ts";

/** Three slides of 90 % in a strip of 400 pixels: 1,080 wide, so 680 to scroll. */
const strip = (scrollLeft: number) => ({ scrollLeft, clientWidth: 400, scrollWidth: 1080 });

test("a button leads on by 90 % of the width", () => {
  expect(stepOf({ clientWidth: 400 })).toBe(360);
});

test("the dot follows the strip, and the last one is reached at its end", () => {
  expect([0, 100, 360, 500, 680].map((left) => nearestSlide(strip(left), 3))).toEqual([0, 0, 1, 1, 2]);
});

test("a strip that is pulled over its edge stays at its first or last slide", () => {
  expect(nearestSlide(strip(-80), 3)).toBe(0);
  expect(nearestSlide(strip(900), 3)).toBe(2);
});

test("where everything is seen at once, the first slide is the one", () => {
  expect(nearestSlide({ scrollLeft: 0, clientWidth: 400, scrollWidth: 400 }, 1)).toBe(0);
});
