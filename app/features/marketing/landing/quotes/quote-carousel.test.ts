import { expect, test } from "vitest";

import { nearestSlide, slideStep } from "./quote-carousel.tsx";

/** Three slides of 90% in a strip of 400 pixels: 1,080 wide, so 680 to scroll. */
const strip = (scrollLeft: number) => ({ scrollLeft, clientWidth: 400, scrollWidth: 1080 });

test("scrolls by 90% of the width", () => {
  expect(slideStep({ clientWidth: 400 })).toBe(360);
});

test("finds the nearest slide, and the last one at the end of the strip", () => {
  expect([0, 100, 360, 500, 680].map((left) => nearestSlide(strip(left), 3))).toEqual([0, 0, 1, 1, 2]);
});

test("stays at the first or last slide when the strip is pulled over its edge", () => {
  expect(nearestSlide(strip(-80), 3)).toBe(0);
  expect(nearestSlide(strip(900), 3)).toBe(2);
});

test("is at the first slide when nothing can be scrolled", () => {
  expect(nearestSlide({ scrollLeft: 0, clientWidth: 400, scrollWidth: 400 }, 1)).toBe(0);
});
