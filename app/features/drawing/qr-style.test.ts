import { createHash } from "node:crypto";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { contrast } from "#app/services/base/color-contrast.ts";
import { rasterize } from "#app/services/images/sharp.server.ts";
import { inBothReaders, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";

import { logoGap, qrPng, styledQrImage } from "./qr-images.server.ts";
import { contrastProblem, leastContrast, readColor, readQrStyle } from "./qr-style.ts";

const cardUrl = "https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000?q";
/** The shortest and the longest address, and one in another script. */
const texts = [
  "https://meishi.example/u/ada?q",
  `https://cards.${"department-of-".repeat(4)}research.example/u/${"a".repeat(30)}?q`,
  "https://名刺.example/u/yamada?q",
];
/** Black, and the lightest accepted color of some hues. */
const colors = ["#000000", "#e0262b", "#0b7a3e", "#767676"];

describe("two readers read every style at 200 pixels", () => {
  test.each(colors)("in %s, with our seal, with an avatar, without a logo", async (color) => {
    const photo = await portrait();
    expect(contrastProblem(color)).toBeUndefined();
    for (const text of texts) {
      expect(await scanWithTwoReaders(await qrPng(text, 200, color))).toEqual(inBothReaders(text));
      for (const logo of ["seal", photo, undefined] as const) {
        const svg = styledQrImage(text, { size: 200, color, logo });
        expect(await scanWithTwoReaders(await rasterize(svg)), String(logo).slice(0, 10)).toEqual(inBothReaders(text));
      }
    }
  });

  test("and at 1024 pixels, small on a large sheet, and slightly blurred", async () => {
    const svg = styledQrImage(cardUrl, { size: 1024, color: "#767676", logo: await portrait() });
    const large = await rasterize(svg);
    expect(await scanWithTwoReaders(large)).toEqual(inBothReaders(cardUrl));
    expect(await scanWithTwoReaders(await sharp(large).resize(400).blur(1).toBuffer())).toEqual(inBothReaders(cardUrl));
  });
});

test("draws a PNG in that color on white with one bit per pixel", async () => {
  const png = await qrPng(cardUrl, 512, "#1d4ed8");
  const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const seen = new Set<string>();
  for (let at = 0; at < data.length; at += 3) seen.add(data.subarray(at, at + 3).toString("hex"));
  expect([...seen].toSorted()).toEqual(["1d4ed8", "ffffff"]);
  expect(png.length).toBeLessThan(1500);
});

test("covers at most 6 % of the modules with a logo, which has a light ring", () => {
  for (let version = 1; version <= 40; version++) {
    const size = 17 + 4 * version;
    expect(logoGap(size) % 2).toBe(1);
    expect(logoGap(size) ** 2 / size ** 2).toBeLessThan(0.06);
  }
  expect(styledQrImage(cardUrl, { size: 600, color: "#000000", logo: "seal" })).toContain("#e0412b");
});

test("a color is six hexadecimal digits, black by default", () => {
  expect(["1F2937", "#1f2937", null].map(readColor)).toEqual(["#1f2937", "#1f2937", "#000000"]);
  const others = ["", "red", "fff", "#1f29377", "1f293g", "javascript:", "１f2937", "1f2937\n"];
  expect(others.filter((text) => readColor(text) !== undefined)).toEqual([]);
});

test("a color of any hue is refused with a reason if it would not scan", () => {
  for (const color of ["#ffffff", "#ffff00", "#00ff00", "#9ca3af", "#ff6b6b"])
    expect(contrastProblem(color)).toContain("too light");
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#767676", "#ffffff")).toBeGreaterThanOrEqual(leastContrast);
  expect(contrast("#787878", "#ffffff")).toBeLessThan(leastContrast);
});

test("names the invalid parameter", () => {
  const read = (search: string) => readQrStyle(new URLSearchParams(search));
  expect(read("")).toEqual({ color: "#000000", logo: "none", size: 512 });
  expect(read("color=1D4ED8&logo=seal&size=200&q")).toEqual({ color: "#1d4ed8", logo: "seal", size: 200 });
  expect(read("logo=cat")).toEqual({ problem: "The logo must be one of: none, seal, avatar." });
  const tooLight = "This color is too light to scan on a white background. Choose a darker one.";
  expect(read("color=ffff00")).toEqual({ problem: tooLight });
  expect(read("color=blue")).toHaveProperty("problem", expect.stringContaining("color"));
  expect(read("size=9999")).toHaveProperty("problem", expect.stringContaining("size"));
});

async function portrait(): Promise<Buffer> {
  // Deterministic noise.
  const pixels = createHash("shake256", { outputLength: 384 * 384 * 3 })
    .update("portrait")
    .digest();
  return sharp(pixels, { raw: { width: 384, height: 384, channels: 3 } })
    .jpeg()
    .toBuffer();
}
