import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { resizeSquare, toFractions, squareSize, initialSquare } from "./crop-square.ts";

const upright = { width: 600, height: 800 };

describe("the crop square", () => {
  test("starts in the center with 90 % of the image's width", () => {
    expect(initialSquare(upright)).toEqual({ unit: "%", x: 5, y: 16.25, width: 90, height: 67.5 });
    expect(initialSquare({ width: 500, height: 500 })).toMatchObject({ x: 5, y: 5, width: 90, height: 90 });
    // A wide image limits its height.
    expect(initialSquare({ width: 800, height: 600 })).toEqual({ unit: "%", x: 12.5, y: 0, width: 75, height: 100 });
  });

  test("grows around its center and moves away from the edge", () => {
    const square = { unit: "%", x: 0, y: 10, width: 20, height: 15 } as const;
    expect(squareSize(square, upright)).toBe(20);
    expect(resizeSquare(square, 40, upright)).toEqual({ unit: "%", x: 0, y: 2.5, width: 40, height: 30 });
  });

  test("is sent as fractions of the image", () => {
    expect(toFractions(initialSquare(upright))).toEqual({ x: "0.05", y: "0.1625", size: "0.9" });
    const thirds = { unit: "%", x: 33.333_339, y: 0, width: 66.666_661, height: 50 } as const;
    expect(toFractions(thirds)).toEqual({ x: "0.333333", y: "0", size: "0.666666" });
  });

  test("stays inside an image of any shape", () => {
    const side = fc.integer({ min: 1, max: 12_000 });
    const percent = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.record({ width: side, height: side }), percent, percent, (image, x, size) => {
        const sent = toFractions(resizeSquare({ ...initialSquare(image), x, y: 100 - x }, size, image));
        const [left, top, fraction] = [Number(sent.x), Number(sent.y), Number(sent.size)];
        expect(left + fraction).toBeLessThanOrEqual(1);
        expect(top + (fraction * image.width) / image.height).toBeLessThanOrEqual(1.000_001);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
