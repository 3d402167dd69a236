import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { jpeg, plainImage } from "#tests/support/app/uploads.ts";
import { inBothReaders, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import type { PrintedFront } from "./print-card.server.ts";
import { readPrintSheetOptions } from "./print-rules.ts";
import type { PrintSheetOptions } from "./print-rules.ts";
import { layOutSheet, printSheet } from "./print-sheet.server.ts";

const front: PrintedFront = {
  name: "Ada Lovelace",
  company: "Analytical Engines",
  position: "Head of Research",
  work: "Mathematician · 12 years",
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
  logo: undefined,
};
const back = {
  text: "https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000?q",
  address: "meishi.example/u/ada",
  hasBranding: true,
};
const longWord = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter";
const sheets: PrintSheetOptions[] = (["91x55", "85x55", "3.5x2in"] as const).flatMap((size) =>
  (["a4", "letter"] as const).map((paper) => ({ size, paper, color: "#000000" })),
);

const a4 = { size: "91x55", paper: "a4", color: "#000000" } as const;

describe("the layout", () => {
  test.each(sheets)("$size on $paper: cards in the middle touch, and marks stand on each cut outside", (sheet) => {
    const { page, card, cards, marks } = layOutSheet(sheet);
    expect(cards).toHaveLength(sheet.paper === "letter" && card.height === 55 ? 8 : 10);
    // Turned over on either edge, each back meets a front.
    for (const { x, y } of cards) {
      expect(cards).toContainEqual({ x: expect.closeTo(page.width - x - card.width, 6), y });
      expect(cards).toContainEqual({ x, y: expect.closeTo(page.height - y - card.height, 6) });
    }
    const cuts = {
      x: cards.flatMap(({ x }) => [x, x + card.width]),
      y: cards.flatMap(({ y }) => [y, y + card.height]),
    };
    for (const axis of ["x", "y"] as const) {
      const along = axis === "x" ? "y" : "x";
      const [start, end] = [Math.min(...cuts[along]) - 2 + 1e-6, Math.max(...cuts[along]) + 2 - 1e-6];
      const standing = marks.filter(({ from, to }) => from[axis] === to[axis]);
      for (const cut of cuts[axis])
        expect(standing.filter(({ from }) => Math.abs(from[axis] - cut) < 1e-6)).toHaveLength(2);
      for (const at of standing.flatMap(({ from, to }) => [from[along], to[along]])) {
        expect(at > start && at < end).toBe(false);
        expect(at).toBeGreaterThan(4);
      }
    }
  });

  test("of US cards on Letter is that of perforated paper: half an inch above, three quarters at the sides", () => {
    const { cards } = layOutSheet({ size: "3.5x2in", paper: "letter" });
    expect(cards[0]).toEqual({ x: expect.closeTo(0.75 * 25.4, 6), y: expect.closeTo(0.5 * 25.4, 6) });
    expect(cards[3]).toEqual({ x: expect.closeTo(4.25 * 25.4, 6), y: expect.closeTo(2.5 * 25.4, 6) });
  });

  test("names the invalid parameter", () => {
    const read = (search: string) => readPrintSheetOptions(new URLSearchParams(search));
    expect(read("")).toEqual({ size: "91x55", paper: "a4", color: "#000000" });
    expect(read("size=85x55&paper=letter&color=1f2937")).toEqual({ size: "85x55", paper: "letter", color: "#1f2937" });
    expect(read("size=90x50")).toEqual({ problem: "The size must be one of: 91x55, 85x55, 3.5x2in." });
    expect(read("size=toString")).toHaveProperty("problem");
    expect(read("paper=a3")).toEqual({ problem: "The paper must be one of: a4, letter." });
    expect(read("color=ffff00")).toHaveProperty("problem", expect.stringContaining("too light"));
  });
});

const hasPoppler = ["pdftotext", "pdftoppm", "pdfinfo"].every((program) => spawnSync(program, ["-v"]).status === 0);
if (!hasPoppler)
  console.warn("SKIPPED: print sheets were not read back; Debian's package poppler-utils has pdftotext and pdftoppm.");

describe.skipIf(!hasPoppler)("the file, read by programs of print shops", () => {
  test("has two pages of the right size, with all texts ten times in embedded fonts", async () => {
    const logo = await plainImage(480, 150, "#07a").png().toBuffer();
    const file = write(await printSheet({ front: { ...front, logo }, back }, a4));
    const info = run("pdfinfo", [file]);
    expect(info).toContain("Pages:           2");
    const points = (/Page size: +([\d.]+) x ([\d.]+) pts/.exec(info) ?? []).slice(1).map(Number);
    const { page } = layOutSheet(a4);
    const expected = [expect.closeTo(page.width, 1), expect.closeTo(page.height, 1)];
    expect(points.map((length) => (length / 72) * 25.4)).toEqual(expected);
    const fronts = run("pdftotext", ["-l", "1", file, "-"]);
    const texts = ["Ada Lovelace", "ANALYTICAL ENGINES", "Head of Research", "Mathematician · 12 years"];
    for (const words of [...texts, front.email, front.phone]) expect(fronts.split(words), words).toHaveLength(11);
    expect(run("pdftotext", ["-f", "2", file, "-"]).split(back.address)).toHaveLength(11);
    const fonts = run("pdffonts", [file]).trim().split("\n").slice(2);
    expect(fonts.length).toBeGreaterThanOrEqual(3);
    expect(fonts.filter((line) => !/yes yes yes/.test(line))).toEqual([]);
  });

  test("has codes in color that two readers read at 300 dpi", async () => {
    const sheet = { ...a4, color: "#1d4ed8" } as const;
    const page = await raster(await printSheet({ front, back }, sheet), { page: 2, dpi: 300 });
    const { card, cards } = layOutSheet(sheet);
    for (const corner of [cards[0], cards[9]]) {
      const code = await cutOut(page, { x: 0, y: 0, ...corner, ...card });
      expect(await scanWithTwoReaders(code)).toEqual(inBothReaders(back.text));
    }
  });

  test("has the photo where the layout has it, the company in the accent, and on a classic card neither", async () => {
    const avatar = await jpeg();
    const { card, cards } = layOutSheet(a4);
    const { x = 0, y = 0 } = cards[0] ?? {};
    const blueAt = async (change: Partial<PrintedFront>) => {
      const pdf = await printSheet({ front: { ...front, ...change }, back }, a4);
      const { colored, dpi } = await raster(pdf, { page: 1, dpi: 100 });
      const areas = [
        { x: x + card.width - 12, y: y + card.height - 12, width: 3, height: 3 },
        { x: x + card.width / 2 - 2, y: y + 9, width: 4, height: 4 },
        // The capitals of the company on a card without a photo.
        { x: x + 6, y: y + 6, width: 20, height: 3 },
      ];
      const blue = areas.map(async (area) => {
        const { channels } = await sharp(await sharp(colored).extract(toPixels(area, dpi)).toBuffer()).stats();
        return (channels[2]?.mean ?? 0) > (channels[0]?.mean ?? 0) + 8;
      });
      return Promise.all(blue);
    };
    expect(await blueAt({ avatar, layout: "classic" })).toEqual([false, false, false]);
    expect(await blueAt({ avatar, layout: "cover" })).toEqual([true, false, false]);
    expect(await blueAt({ avatar, layout: "centered" })).toEqual([false, true, false]);
    expect(await blueAt({ layout: "cover", brand: "#1d4ed8" })).toEqual([false, false, true]);
  });

  test("has crop marks at the cuts, and prints nothing near a cut, whatever the scripts, logo and lengths", async () => {
    const logo = await plainImage(900, 100, "#07a").png().toBuffer();
    const empty = { company: "", position: "", work: "", email: "", phone: "" };
    const long = { name: longWord, company: longWord, position: longWord, work: longWord };
    const sheet = { size: "3.5x2in", paper: "letter", color: "#000000" } as const;
    const { card, cards, marks } = layOutSheet(sheet);
    for (const change of [
      { name: "ليلى الحسن", company: "استوديو المثال", work: "مصممة", logo },
      { name: "山田 太郎", company: "株式会社サンプル" },
      { ...long, email: `${longWord}@${longWord}.example`, phone: "+49 (0) 123 4567890123 ext. 1234567" },
      { ...long, layout: "cover" as const, email: `${longWord}@a.example`, logo, avatar: await jpeg() },
      { name: "Ada Lovelace", layout: "centered" as const, logo, avatar: await jpeg(), email: `${longWord}@a.example` },
      { ...empty, name: "Łukasz 👩‍🚀 \u202e\u0000\ud800<b>", logo },
    ]) {
      const pdf = await printSheet({ front: { ...front, ...change }, back }, sheet);
      if (change.name.startsWith("山田")) expect(run("pdftotext", [write(pdf), "-"])).toContain("山田 太郎");
      const isLong = change.name === longWord;
      for (const page of isLong ? [1, 2] : [1]) {
        const image = await raster(pdf, { page, dpi: isLong ? 300 : 150 });
        for (const { from, to } of marks) {
          const middle = { x: (from.x + to.x) / 2 - 0.3, y: (from.y + to.y) / 2 - 0.3 };
          expect(darkest(image, { ...middle, width: 0.6, height: 0.6 })).toBeLessThan(160);
        }
        for (const { x, y } of cards) {
          const inside = { x: x + 6, y: y + 6, width: card.width - 12, height: card.height - 12 };
          expect(darkest(image, inside)).toBeLessThan(128);
          const [right, bottom] = [x + card.width - 4, y + card.height - 4];
          for (const edge of [
            { x, y, width: card.width, height: 3.5 },
            { x, y: bottom, width: card.width, height: 4 },
            { x, y, width: 4, height: card.height },
            { x: right, y, width: 4, height: card.height },
          ])
            expect(darkest(image, edge)).toBe(255);
        }
      }
    }
  });
});

function write(pdf: Buffer): string {
  const file = join(makeTempFolder(), "sheet.pdf");
  writeFileSync(file, pdf);
  return file;
}

function run(program: string, parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
type Raster = Awaited<ReturnType<typeof raster>>;
type Box = { x: number; y: number; width: number; height: number };

async function raster(pdf: Buffer, { page, dpi }: { page: number; dpi: number }) {
  const file = write(pdf);
  run("pdftoppm", ["-r", String(dpi), "-f", String(page), "-l", String(page), "-png", "-singlefile", file, file]);
  const { data, info } = await sharp(`${file}.png`).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height, dpi, colored: `${file}.png` };
}

/** A part of a page; the box is in millimeters. */
function cutOut({ pixels, width, height, dpi }: Raster, box: Box): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .extract(toPixels(box, dpi))
    .png()
    .toBuffer();
}

function toPixels(box: Box, dpi: number) {
  const [left = 0, top = 0, width = 0, height = 0] = [box.x, box.y, box.width, box.height].map((millimeters) =>
    Math.round((millimeters / 25.4) * dpi),
  );
  return { left, top, width, height };
}

/** 0 is black, 255 white. */
function darkest(page: Raster, box: Box): number {
  const { left, top, width, height } = toPixels(box, page.dpi);
  const rows = Array.from({ length: height }, (_, row) => (top + row) * page.width + left);
  return Math.min(
    ...rows.map((start) => page.pixels.subarray(start, start + width).reduce((a, b) => Math.min(a, b), 255)),
  );
}
