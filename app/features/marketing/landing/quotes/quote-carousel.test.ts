import { expect, test } from "vitest";

import { nearestSlide, slideStep } from "./quote-carousel.tsx";

/** Three slides of 90% in a strip of 400 pixels: 1,080 wide, so 680 to scroll. */
const strip = (scrollLeft: number) => ({ scrollLeft, clientWidth: 400, scrollWidth: 1080 });

test("scrolls by 90% of the width", () => {
  expect(slideStep({ clientWidth: 400 })).toBe(360);
});

test("finds the nearest slide, and the first or last one at and over the edges of the strip", () => {
  const slides = [-80, 0, 100, 360, 500, 680, 900].map((left) => nearestSlide(strip(left), 3));
  expect(slides).toEqual([0, 0, 0, 1, 1, 2, 2]);
  expect(nearestSlide({ scrollLeft: 0, clientWidth: 400, scrollWidth: 400 }, 1)).toBe(0);
});
