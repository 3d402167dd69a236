import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { inBothReaders, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";

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

describe("the layout", () => {
  test.each(sheets)(
    "$size on $paper: the cards lie in the middle, touch each other, and marks stand on each cut outside",
    (sheet) => {
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
        const standing = marks.filter(({ from, to }) => from[axis] === to[axis]);
        for (const cut of cuts[axis])
          expect(standing.filter(({ from }) => Math.abs(from[axis] - cut) < 1e-6)).toHaveLength(2);
        for (const { from, to } of standing) {
          const inside = [from[along], to[along]].filter(
            (at) => at > Math.min(...cuts[along]) - 2 + 1e-6 && at < Math.max(...cuts[along]) + 2 - 1e-6,
          );
          expect(inside).toEqual([]);
          expect(Math.min(from[along], to[along])).toBeGreaterThan(4);
        }
      }
    },
  );

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
let folder = "";

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "meishi-print-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasPoppler)("the file, read by programs of print shops", () => {
  test.each(sheets)("$size on $paper: has two pages of the right size", async (sheet) => {
    const info = run("pdfinfo", [write(await printSheet({ front, back }, sheet))]);
    expect(info).toContain("Pages:           2");
    const [width = 0, height = 0] = (/Page size: +([\d.]+) x ([\d.]+) pts/.exec(info) ?? []).slice(1).map(Number);
    const { page } = layOutSheet(sheet);
    expect([(width / 72) * 25.4, (height / 72) * 25.4]).toEqual([
      expect.closeTo(page.width, 1),
      expect.closeTo(page.height, 1),
    ]);
  });

  test("contains all texts ten times, in embedded fonts", async () => {
    const file = write(await printSheet({ front, back }, { size: "91x55", paper: "a4", color: "#000000" }));
    const fronts = run("pdftotext", ["-l", "1", file, "-"]);
    for (const words of [
      "Ada Lovelace",
      "ANALYTICAL ENGINES",
      "Head of Research",
      "Mathematician · 12 years",
      front.email,
      front.phone,
    ]) {
      expect(fronts.split(words), words).toHaveLength(11);
    }
    expect(run("pdftotext", ["-f", "2", file, "-"]).split(back.address)).toHaveLength(11);
    const fonts = run("pdffonts", [file]).trim().split("\n").slice(2);
    expect(fonts.length).toBeGreaterThanOrEqual(3);
    expect(fonts.filter((line) => !/yes yes yes/.test(line))).toEqual([]);
  });

  test.each(["#000000", "#1d4ed8"])("has codes in %s that two readers read at 300 dpi", async (color) => {
    const sheet = { size: "91x55", paper: "a4", color } as const;
    const page = await raster(await printSheet({ front, back }, sheet), { page: 2, dpi: 300 });
    const { card, cards } = layOutSheet(sheet);
    for (const place of [cards[0], cards[9]]) {
      expect(await scanWithTwoReaders(await cutOut(page, { ...(place ?? { x: 0, y: 0 }), ...card }))).toEqual(
        inBothReaders(back.text),
      );
    }
  });

  test.each([
    { size: "85x55", paper: "letter", color: "#000000" },
    { size: "3.5x2in", paper: "letter", color: "#000000" },
  ] as const)("$size: has crop marks at the cuts, and prints nothing within 4 mm of a cut", async (sheet) => {
    const { card, cards, marks } = layOutSheet(sheet);
    for (const page of [1, 2]) {
      const picture = await raster(await printSheet({ front: { ...front, name: longWord }, back }, sheet), {
        page,
        dpi: 300,
      });
      for (const { from, to } of marks) {
        const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
        expect(await darkest(picture, { x: middle.x - 0.3, y: middle.y - 0.3, width: 0.6, height: 0.6 })).toBeLessThan(
          160,
        );
      }
      for (const { x, y } of cards) {
        for (const edge of [
          { x, y, width: card.width, height: 4 },
          { x, y: y + card.height - 4, width: card.width, height: 4 },
          { x, y, width: 4, height: card.height },
          { x: x + card.width - 4, y, width: 4, height: card.height },
        ]) {
          expect(await darkest(picture, edge)).toBe(255);
        }
      }
    }
  });

  test("places a logo above the company's name", async () => {
    const logo = await sharp({ create: { width: 480, height: 150, channels: 4, background: "#07a" } })
      .png()
      .toBuffer();
    const sheet = sheets[0] ?? { size: "91x55", paper: "a4", color: "#000000" };
    const text = run("pdftotext", [
      "-l",
      "1",
      write(await printSheet({ front: { ...front, logo }, back }, sheet)),
      "-",
    ]);
    expect(text.toUpperCase().split("ANALYTICAL ENGINES")).toHaveLength(11);
  });

  test("keeps each card within its cuts with other scripts, logos, and very long or empty texts", async () => {
    const logo = await sharp({ create: { width: 900, height: 100, channels: 4, background: "#07a" } })
      .png()
      .toBuffer();
    const cast: Partial<PrintedFront>[] = [
      { name: "ليلى الحسن", company: "استوديو المثال", work: "مصممة", logo },
      { name: "山田 太郎", company: "株式会社サンプル" },
      { name: "👩‍🚀 Zoë 🇯🇵", position: "" },
      {
        name: longWord,
        company: longWord,
        position: longWord,
        work: longWord,
        email: `${longWord}@${longWord}.example`,
        phone: "+49 (0) 123 4567890123 ext. 1234567",
      },
      { company: "", position: "", work: "", email: "", phone: "" },
      { name: "Łukasz \u202e\u0000\ud800<b>", logo },
    ];
    const sheets = (["85x55", "3.5x2in"] as const).map((size) => ({ size, paper: "a4", color: "#000000" }) as const);
    for (const [sheet, face] of sheets.flatMap((one) => cast.map((other) => [one, other] as const))) {
      const { card, cards } = layOutSheet(sheet);
      const page = await raster(await printSheet({ front: { ...front, ...face }, back }, sheet), { page: 1, dpi: 150 });
      const { x, y } = cards[3] ?? { x: 0, y: 0 };
      expect(
        await darkest(page, { x: x + 6, y: y + 6, width: card.width - 12, height: card.height - 12 }),
      ).toBeLessThan(128);
      expect(await darkest(page, { x, y, width: card.width, height: 3.5 })).toBe(255);
      expect(await darkest(page, { x, y, width: 4, height: card.height })).toBe(255);
    }
    expect(
      run("pdftotext", [
        write(
          await printSheet({ front: { ...front, ...cast[1] }, back }, { size: "85x55", paper: "a4", color: "#000000" }),
        ),
        "-",
      ]),
    ).toContain("山田 太郎");
  });
});

function write(pdf: Buffer): string {
  const file = join(folder, `${crypto.randomUUID()}.pdf`);
  writeFileSync(file, pdf);
  return file;
}

function run(program: string, parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

type Raster = { png: Buffer; dpi: number };
type Box = { x: number; y: number; width: number; height: number };

async function raster(pdf: Buffer, { page, dpi }: { page: number; dpi: number }): Promise<Raster> {
  const file = write(pdf);
  run("pdftoppm", ["-r", String(dpi), "-f", String(page), "-l", String(page), "-png", "-singlefile", file, file]);
  return { png: readFileSync(`${file}.png`), dpi };
}

/** A part of a page; the box is in millimeters. */
function cutOut({ png, dpi }: Raster, { x, y, width, height }: Box): Promise<Buffer> {
  const pixels = (millimetres: number) => Math.round((millimetres / 25.4) * dpi);
  return sharp(png)
    .extract({ left: pixels(x), top: pixels(y), width: pixels(width), height: pixels(height) })
    .png()
    .toBuffer();
}

/** 0 is black, 255 white. */
async function darkest(page: Raster, box: Box): Promise<number> {
  const { channels } = await sharp(await cutOut(page, box))
    .greyscale()
    .stats();
  return channels[0]?.min ?? 255;
}
