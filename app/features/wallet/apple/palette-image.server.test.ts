import sharp from "sharp";
import { expect, test } from "vitest";

import { createPaletteEncoder } from "./palette-image.server.ts";
import type { Pixels } from "./palette-image.server.ts";

function paint(channels: 3 | 4, colorAt: (x: number, y: number) => number[], size = 60): Pixels {
  const colors = Array.from({ length: size * size }, (_, at) => colorAt(at % size, Math.floor(at / size)));
  return { data: Uint8Array.from(colors.flat()), width: size, height: size, channels };
}

async function encode(pixels: Pixels, hasDither = false) {
  const png = (await createPaletteEncoder(pixels, { hasDither }))(pixels);
  const image = sharp(png);
  const { format } = await image.metadata();
  const decoded = pixels.channels === 4 ? image.ensureAlpha() : image.removeAlpha();
  return { format, colorType: png[25], data: new Uint8Array(await decoded.raw().toBuffer()) };
}

/** The largest difference of a channel. The palette of libvips is off by one at times. */
function apartBy(found: number[], expected: number[]): number {
  return Math.max(...expected.map((value, at) => Math.abs(value - (found[at] ?? NaN))));
}

test("a few colors are kept, transparent ones too", async () => {
  const colors = [
    [224, 65, 43, 255],
    [32, 64, 96, 255],
    [255, 255, 255, 255],
    [1, 2, 3, 128],
    [0, 0, 0, 0],
  ];
  const pixels = paint(4, (x) => colors[Math.floor(x / 12)] ?? []);
  const { format, colorType, data } = await encode(pixels);
  // Color type 3 of the PNG specification: a palette.
  expect([format, colorType]).toEqual(["png", 3]);
  const [plain, found] = [pixels.data, data].map((all) =>
    [0, 12, 24, 36, 48].map((x) => [...all.subarray(x * 4, x * 4 + 4)]),
  );
  for (const [at, color] of (plain ?? []).slice(0, 4).entries())
    expect(apartBy(found?.[at] ?? [], color)).toBeLessThan(5);
  // Of a transparent pixel only that counts.
  expect(found?.[4]?.[3]).toBe(0);
});

test.each([
  ["one color", () => [7, 7, 7]],
  ["grays", (x: number, y: number) => [x * 4, x * 4, x * 4].map((gray) => (gray + y) & 255)],
  ["a gradient", (x: number, y: number) => [x * 4, y * 4, 128]],
])("%s stays alike, with and without dithering", async (_, colorAt) => {
  const pixels = paint(3, colorAt);
  for (const hasDither of [false, true]) {
    const { data } = await encode(pixels, hasDither);
    const apart = data.map((value, at) => Math.abs(value - (pixels.data[at] ?? 0)));
    expect(apart.reduce((sum, one) => sum + one, 0) / apart.length).toBeLessThan(8);
  }
});

test("an image of a single pixel has a palette, too", async () => {
  const { data } = await encode(paint(3, () => [200, 10, 30], 1));
  expect(apartBy([...data], [200, 10, 30])).toBeLessThan(3);
});
