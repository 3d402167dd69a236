import { createHash } from "node:crypto";

import * as fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { rasterise } from "#app/services/rasterise.server.ts";
import { both, readByTwo } from "#tests/support/readers.ts";

import { gapOf, styledQrSvg } from "./qr-drawing.server.ts";
import { qrPng } from "./qr-png.server.ts";
import { contrastWithWhite, leastContrast, readColor, refuseColor } from "./qr-style.ts";
import { readQrStyle } from "./qr-wish.ts";

const cardUrl = "https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000?q";
const texts = Object.entries({
  "a card": cardUrl,
  "a profile": "https://meishi.example/u/ada?q",
  "a profile under a long name of a host": `https://cards.${"department-of-".repeat(4)}research.example/u/${"a".repeat(30)}?q`,
  "an address in Japanese": "https://名刺.example/u/yamada?q",
});
/** Black, ink, and the lightest that are let through of each hue. */
const colors = ["#000000", "#1f2937", "#e0262b", "#0b7a3e", "#1d4ed8", "#767676", "#8a6100", "#a21caf"];

describe("every style that is offered is read at 200 pixels by two readers", () => {
  for (const [name, text] of texts) {
    test.each(colors)(`${name}, in %s, with our seal, with a picture, without`, async (color) => {
      const photo = await portrait();
      expect(refuseColor(color)).toBeUndefined();
      expect(await readByTwo(qrPng(text, 200, color))).toEqual(both(text));
      for (const logo of ["seal", photo, undefined] as const) {
        const svg = styledQrSvg(text, { size: 200, color, logo });
        expect(await readByTwo(await rasterise(svg)), String(logo).slice(0, 10)).toEqual(both(text));
      }
    });
  }

  test("and at 1024, small on a large sheet, and a little blurred as through a lens", async () => {
    const svg = styledQrSvg(cardUrl, { size: 1024, color: "#767676", logo: await portrait() });
    const large = await rasterise(svg);
    expect(await readByTwo(large)).toEqual(both(cardUrl));
    expect(await readByTwo(await sharp(large).resize(400).blur(1).toBuffer())).toEqual(both(cardUrl));
  });
});

test("a PNG in a colour is that colour on white, in one bit a pixel", async () => {
  const png = qrPng(cardUrl, 512, "#1d4ed8");
  const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const seen = new Set<string>();
  for (let at = 0; at < data.length; at += 3) seen.add(data.subarray(at, at + 3).toString("hex"));
  expect([...seen].toSorted()).toEqual(["1d4ed8", "ffffff"]);
  expect(png.length).toBeLessThan(1500);
});

test("what stands in the middle covers at most 6 % of the modules, and has a light ring", () => {
  for (let version = 1; version <= 40; version++) {
    const size = 17 + 4 * version;
    expect(gapOf(size) % 2).toBe(1);
    expect(gapOf(size) ** 2 / size ** 2).toBeLessThan(0.06);
  }
  expect(styledQrSvg(cardUrl, { size: 600, color: "#000000", logo: "seal" })).toContain("#e0412b");
});

describe("a colour", () => {
  test("is six hexadecimal digits; black without", () => {
    expect(["1F2937", "#1f2937", null].map(readColor)).toEqual(["#1f2937", "#1f2937", "#000000"]);
    const others = ["", "red", "fff", "#1f29377", "1f293g", "javascript:", "１f2937", "1f2937\n"];
    expect(others.filter((text) => readColor(text) !== undefined)).toEqual([]);
  });

  test("that would not scan is refused with the reason, whatever its hue", () => {
    for (const color of ["#ffffff", "#ffff00", "#00ff00", "#7dd3fc", "#f59e0b", "#9ca3af", "#ff6b6b"]) {
      expect(refuseColor(color)).toContain("too light");
    }
    expect(contrastWithWhite("#000000")).toBeCloseTo(21);
    expect(contrastWithWhite("#767676")).toBeGreaterThanOrEqual(leastContrast);
    expect(contrastWithWhite("#787878")).toBeLessThan(leastContrast);
  });

  test("that passes is always dark enough for a camera in grey", () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, (red, green, blue) => {
        const color = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
        // ITU-R BT.601, as cameras and readers make grey: half of the way to white at most.
        if (!refuseColor(color)) expect(0.299 * red + 0.587 * green + 0.114 * blue).toBeLessThan(150);
      }),
    );
  });
});

test("what can't be had is named", () => {
  const read = (search: string) => readQrStyle(new URLSearchParams(search));
  expect(read("")).toEqual({ color: "#000000", logo: "none", size: 512 });
  expect(read("color=1D4ED8&logo=seal&size=200&q")).toEqual({ color: "#1d4ed8", logo: "seal", size: 200 });
  expect(read("logo=cat")).toEqual({ problem: "The logo must be one of: none, seal, avatar." });
  expect(read("color=ffff00")).toEqual({ problem: "This colour is too light to scan on white. Choose a darker one." });
  expect(read("color=blue")).toHaveProperty("problem", expect.stringContaining("color"));
  expect(read("size=9999")).toHaveProperty("problem", expect.stringContaining("size"));
});

async function portrait(): Promise<Buffer> {
  // Noise, the same each time.
  const pixels = createHash("shake256", { outputLength: 384 * 384 * 3 })
    .update("portrait")
    .digest();
  return sharp(pixels, { raw: { width: 384, height: 384, channels: 3 } })
    .jpeg()
    .toBuffer();
}
