import { gzipSync } from "node:zlib";

import fc from "fast-check";
import QRCode from "qrcode";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { qrModules, qrPath, qrSvg } from "./qr-code.ts";
import { readQrSize } from "./qr-style.ts";
import { qrPng } from "./qr-images.server.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

const cardUrl = "https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000?q";
const texts = Object.entries({
  "the address of a card": cardUrl,
  "capitals and digits": "HTTPS://MEISHI.EXAMPLE/1",
  "an address in Japanese": "https://名刺.example/山田?q",
  "a very long address": `${cardUrl}&${"a".repeat(600)}`,
});

describe("a QR code is read back by a scanner", () => {
  test.each(texts)("from the SVG file and from the drawing inside a page: %s", async (_, text) => {
    expect(await scanQrCode(qrSvg(text))).toBe(text);
    const { size, d } = qrPath(text);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" viewBox="0 0 ${size} ${size}"><path d="${d}" stroke="#000" fill="none"/></svg>`;
    expect(await scanQrCode(svg)).toBe(text);
  });

  test.each([64, 333, 2048])("from a PNG of %i pixels", async (size) => {
    const image = await qrPng(cardUrl, size);
    expect(await sharp(image).metadata()).toMatchObject({ format: "png", width: size, height: size });
    expect(await scanQrCode(image)).toBe(cardUrl);
  });
});

test("has a quiet zone of at least four modules and equal modules at every size", async () => {
  for (const size of [64, 81, 82, 123, 333, 512]) {
    const [left, top, right, bottom] = await darkBounds(await qrPng(cardUrl, size));
    const edges = [left, top, size - 1 - right, size - 1 - bottom];
    const scale = (right - left + 1) / 33;
    expect({ size, scale }).toEqual({ size, scale: Math.floor(size / 41) });
    expect(Math.min(...edges)).toBeGreaterThanOrEqual(4 * scale);
  }
  const { size, d } = qrPath(cardUrl);
  expect([size, d.slice(0, 6)]).toEqual([41, "M4 4.5"]);
});

test("draws a code with more modules than requested pixels larger", async () => {
  const image = await qrPng("x".repeat(800), 64);
  expect((await sharp(image).metadata()).width).toBeGreaterThan(64);
  expect(await scanQrCode(await sharp(image).resize(800, 800, { kernel: "nearest" }).toBuffer())).toBe("x".repeat(800));
});

test("takes at most 450 compressed bytes of a page", () => {
  expect(gzipSync(qrPath(cardUrl).d).length).toBeLessThanOrEqual(450);
});

test("has an SVG with an escaped label and without inline styles", () => {
  const svg = qrSvg(cardUrl, { size: 300, label: 'Ada "x" <script>&\0' });
  expect(svg).toContain('role="img" aria-label="Ada &quot;x&quot; &lt;script&gt;&amp; "');
  expect(svg).toContain('width="300" height="300" viewBox="0 0 41 41" shape-rendering="crispEdges"');
  expect(svg).not.toMatch(/style|<script|\son/);
});

test("accepts sizes from 64 to 2048, 512 by default", () => {
  expect([null, undefined, "64", "2048", "0512"].map(readQrSize)).toEqual(
    [512, 512, 64, 2048, 512].map((size) => ({ size })),
  );
  const others = ["", "63", "2049", "1e3", "512px", "-200", "99999999999", "1.5", "NaN", " 512", "٥١٢"];
  expect(others.filter((value) => "size" in readQrSize(value))).toEqual([]);
});

test("never draws a PNG larger than the maximum size", async () => {
  const widths = [Number.POSITIVE_INFINITY, 1e9, -1, Number.NaN, 99.9].map(
    async (size) => (await sharp(await qrPng("a", size)).metadata()).width,
  );
  expect(await Promise.all(widths)).toEqual([2048, 2048, 64, 512, 99]);
});

/** The bounds of the dark pixels: left, top, right, bottom. */
async function darkBounds(image: Buffer): Promise<[number, number, number, number]> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let at = 0; at < info.width * info.height; at++) {
    if ((data[at * info.channels] ?? 255) > 127) continue;
    xs.push(at % info.width);
    ys.push(Math.floor(at / info.width));
  }
  const least = (values: number[]) => values.reduce((one, other) => Math.min(one, other));
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other));
  return [least(xs), least(ys), most(xs), most(ys)];
}

test("no other division of a text into modes makes a smaller code", () => {
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 14 }),
    fc.string({ unit: fc.constantFrom(..."ABCXYZ 0123456789$%*+-./:"), maxLength: 14 }),
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("https://meishi.example/u/", "ada", "?q"),
  );
  const texts = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  const shown = texts.filter((text) => text !== "");
  fc.assert(
    fc.property(shown, (text) => {
      const { size, data } = QRCode.create(text, { errorCorrectionLevel: "M" }).modules;
      const code = qrModules(text);
      expect(code.size).toBe(size);
      const modules = Array.from(data, (_, at) => (code.isDark(at % size, Math.floor(at / size)) ? 1 : 0));
      expect(modules).toEqual(Array.from(data));
    }),
    { numRuns: 100 },
  );
});
