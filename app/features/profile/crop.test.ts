import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { resized, sharesOf, sizeOf, startSquare } from "./crop.ts";

const upright = { width: 600, height: 800 };
const wide = { width: 800, height: 600 };

describe("the square that is cropped", () => {
  test("starts in the middle, at 90 % of the picture's width", () => {
    expect(startSquare(upright)).toEqual({ unit: "%", x: 5, y: 16.25, width: 90, height: 67.5 });
    expect(startSquare({ width: 500, height: 500 })).toMatchObject({ x: 5, y: 5, width: 90, height: 90 });
  });

  test("is as high as a picture that is too wide for that", () => {
    expect(startSquare(wide)).toEqual({ unit: "%", x: 12.5, y: 0, width: 75, height: 100 });
  });

  test("grows around its middle, and moves where the edge is in the way", () => {
    const square = { unit: "%", x: 0, y: 10, width: 20, height: 15 } as const;
    expect(sizeOf(square, upright)).toBe(20);
    expect(resized(square, 40, upright)).toEqual({ unit: "%", x: 0, y: 2.5, width: 40, height: 30 });
  });

  test("is sent as shares of the picture", () => {
    expect(sharesOf(startSquare(upright))).toEqual({ x: "0.05", y: "0.1625", size: "0.9" });
    expect(sharesOf({ unit: "%", x: 33.333_339, y: 0, width: 66.666_661, height: 50 })).toEqual({
      x: "0.333333",
      y: "0",
      size: "0.666666",
    });
  });

  test("never leaves the picture, whatever its shape and whatever is asked", () => {
    const side = fc.integer({ min: 1, max: 12_000 });
    const percent = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.record({ width: side, height: side }), percent, percent, (picture, x, size) => {
        const { width, height } = picture;
        const {
          x: left,
          y: top,
          size: share,
        } = sharesOf(resized({ ...startSquare(picture), x, y: 100 - x }, size, picture));
        expect(Number(left) + Number(share)).toBeLessThanOrEqual(1);
        expect(Number(top) + (Number(share) * width) / height).toBeLessThanOrEqual(1.000_001);
        expect(Math.min(Number(left), Number(top))).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
