import { gzipSync } from "node:zlib";

import jsqr from "jsqr";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { qrPath, qrSize, qrSvg } from "./qr-code.ts";
import { qrPng } from "./qr-png.server.ts";

const cardUrl = "https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000?q";
const texts = Object.entries({
  "the address of a card": cardUrl,
  "the address of a profile": "https://meishi.example/u/ada?q",
  "capitals and digits": "HTTPS://MEISHI.EXAMPLE/1",
  "an address in Japanese": "https://名刺.example/山田?q",
  "a very long address": `${cardUrl}&${"a".repeat(600)}`,
});

// CommonJS: what it exports stands one level deeper here than its types say.
const decode = "default" in jsqr ? (jsqr.default as typeof jsqr) : jsqr;

describe("a QR code is read back by a scanner", () => {
  test.each(texts)("from the SVG file: %s", async (_, text) => {
    expect(await scan(Buffer.from(qrSvg(text)))).toBe(text);
  });

  test.each(texts)("from the drawing inside a page: %s", async (_, text) => {
    const { size, d } = qrPath(text);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" viewBox="0 0 ${size} ${size}"><path d="${d}" stroke="#000" fill="none"/></svg>`;
    expect(await scan(await sharp(Buffer.from(svg)).flatten({ background: "#fff" }).toBuffer())).toBe(text);
  });

  test.each([64, 100, 200, 333, 512, 1000, 2048])("from a PNG of %i pixels", async (size) => {
    const image = qrPng(cardUrl, size);
    expect(await sharp(image).metadata()).toMatchObject({ format: "png", width: size, height: size });
    expect(await scan(image)).toBe(cardUrl);
  });
});

test("the quiet zone is four modules or more at every size, and every module the same whole number of pixels", async () => {
  for (const size of [64, 65, 81, 82, 100, 123, 200, 333, 512, 777, 1024]) {
    const dark = await darkPixels(qrPng(cardUrl, size));
    const edges = dark.bounds.map((edge, at) => (at < 2 ? edge : size - 1 - edge));
    const scale = (dark.bounds[2] - dark.bounds[0] + 1) / 33;
    expect({ size, scale }).toEqual({ size, scale: Math.floor(size / 41) });
    expect(Math.min(...edges)).toBeGreaterThanOrEqual(4 * scale);
  }
  const { size, d } = qrPath(cardUrl);
  expect([size, d.slice(0, 6)]).toEqual([41, "M4 4.5"]);
});

test("a code of more modules than pixels were asked for is drawn larger instead of unreadable", async () => {
  const image = qrPng("x".repeat(800), 64);
  expect((await sharp(image).metadata()).width).toBeGreaterThan(64);
  expect(await scan(await sharp(image).resize(800, 800, { kernel: "nearest" }).toBuffer())).toBe("x".repeat(800));
});

test("the drawing inside a page costs at most 450 bytes of it", () => {
  expect(gzipSync(qrPath(cardUrl).d).length).toBeLessThanOrEqual(450);
});

test("the SVG file has a name for screen readers and no inline style, and its label can't leave its place", () => {
  const svg = qrSvg(cardUrl, { size: 300, label: 'Ada "x" <script>&\0' });
  expect(svg).toContain('role="img" aria-label="Ada &quot;x&quot; &lt;script&gt;&amp; "');
  expect(svg).toContain('width="300" height="300" viewBox="0 0 41 41" shape-rendering="crispEdges"');
  expect(svg).not.toMatch(/style|<script|\son/);
});

test("a size is a whole number from 64 to 2048; without one it is 512", () => {
  expect([null, undefined, "64", "2048", "0512"].map(qrSize)).toEqual(
    [512, 512, 64, 2048, 512].map((size) => ({ size })),
  );
  const others = ["", "63", "2049", "1e3", "512px", "-200", "99999999999", "1.5", "NaN", " 512", "٥١٢"];
  expect(others.filter((value) => "size" in qrSize(value))).toEqual([]);
});

test("a PNG is never larger than the largest size, whatever was asked", async () => {
  const widths = [Number.POSITIVE_INFINITY, 1e9, -1, Number.NaN, 99.9].map(
    async (size) => (await sharp(qrPng("a", size)).metadata()).width,
  );
  expect(await Promise.all(widths)).toEqual([2048, 2048, 64, 512, 99]);
});

async function scan(image: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decode(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

/** The first and last column and row that have something dark: left, top, right, bottom. */
async function darkPixels(image: Buffer): Promise<{ bounds: [number, number, number, number] }> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  const bounds: [number, number, number, number] = [info.width, info.height, 0, 0];
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      if ((data[(y * info.width + x) * info.channels] ?? 255) > 127) continue;
      bounds.splice(
        0,
        4,
        Math.min(bounds[0], x),
        Math.min(bounds[1], y),
        Math.max(bounds[2], x),
        Math.max(bounds[3], y),
      );
    }
  }
  return { bounds };
}
