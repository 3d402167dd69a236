import * as fc from "fast-check";
import { expect, test } from "vitest";

import { bannerCrop, planResize, squareCrop } from "./crop.ts";
import type { CropBox, ImageSize } from "./crop.ts";

const side = fc.integer({ min: 1, max: 12_000 });
const sizes = fc.record({ width: side, height: side });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const crops = fc.record({ x: fraction, y: fraction, size: fraction });

function expectInside(box: CropBox, { width, height }: ImageSize) {
  for (const value of Object.values(box)) expect(Number.isInteger(value)).toBe(true);
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.top).toBeGreaterThanOrEqual(0);
  expect(box.width).toBeGreaterThanOrEqual(1);
  expect(box.height).toBeGreaterThanOrEqual(1);
  expect(box.left + box.width).toBeLessThanOrEqual(width);
  expect(box.top + box.height).toBeLessThanOrEqual(height);
}

test("whatever square is requested is a square inside the image, or is refused", () => {
  fc.assert(
    fc.property(sizes, crops, (image, crop) => {
      const box = squareCrop(image, crop);
      if (!box) return;
      expectInside(box, image);
      expect(box.width).toBe(box.height);
    }),
  );
});

test("without a crop it is the largest square in the middle", () => {
  expect(squareCrop({ width: 800, height: 200 }, undefined)).toEqual({ left: 300, top: 0, width: 200, height: 200 });
  expect(squareCrop({ width: 100, height: 300 }, undefined)).toEqual({ left: 0, top: 100, width: 100, height: 100 });
});

test("a banner is the middle, between a half and a fifth as tall as it is wide", () => {
  fc.assert(
    fc.property(sizes, (image) => {
      const box = bannerCrop(image);
      expectInside(box, image);
      expect(Math.abs(image.width - box.width - 2 * box.left)).toBeLessThanOrEqual(1);
      expect(Math.abs(image.height - box.height - 2 * box.top)).toBeLessThanOrEqual(1);
      expect(box.width / box.height).toBeLessThanOrEqual(5);
      expect(box.height).toBeLessThanOrEqual(Math.max(1, Math.round(box.width / 2)));
    }),
  );
});

test("made smaller first, the part is still inside, as wide as asked and never wider than it was", () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1_280 }), (image, width) => {
      for (const box of [bannerCrop(image), squareCrop(image, undefined)]) {
        if (!box) throw new Error("The middle is always inside.");
        const { resize, extract } = planResize(image, box, width);
        expectInside(extract, resize ?? image);
        expect(extract.width).toBe(Math.min(width, box.width));
      }
    }),
  );
});
