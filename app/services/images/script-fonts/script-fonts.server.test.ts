import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../../../../tests/support/fixtures/draw-characters.ts", import.meta.url));

const names = {
  "East Asia": "김민준 张伟 刘婷 陳怡君 龔穎慧 山田 さくら ケン",
  "South-East Asia": "สมชาย ใจดี ສົມ សុខា အောင်",
  "South Asia": "अमिता क्षत्रिय রবীন্দ্রনাথ கவிதா సీత ಸೀತಾ സീത સીતા ਸੀਤਾ ସୀତା සීතා",
  "Europe and its neighbors": "Юлия Щербакова Ελένη Παπαδοπούλου ნინო ბერიძე Անահիտ ليلى الحسن נועה לוי አበበ ቢቂላ",
  Vietnamese: "Nguyễn Thị Hương",
  emoji: "👩‍🚀🇯🇵❤️1️⃣👨‍👩‍👧‍👦👍🏽",
  "fancy letters and symbols": "𝓐𝔸★✓♪①",
};
/** No font has these. */
const unknown = "\u0378\u{12345}";

let folder = "";
let drawn: Record<string, string> = {};

/** Draws with no fonts but ours, as on a machine where none is installed. */
async function draw(texts: string[], temporaryFolder: string): Promise<Record<string, string>> {
  const FONTCONFIG_FILE = join(folder, "fonts.conf");
  const env = { ...process.env, FONTCONFIG_FILE, TMPDIR: temporaryFolder, NODE_OPTIONS: "" };
  const { stdout } = await run(process.execPath, [program, ...texts], { env, maxBuffer: 20_000_000 });
  return JSON.parse(stdout);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "meishi-scripts-"));
  writeFileSync(join(folder, "fonts.conf"), "<fontconfig></fontconfig>");
  drawn = await draw([...Object.values(names).flatMap((text) => text.split(" ")), unknown], folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Pango draws a thin rectangle around the code of a character that no font has. */
async function isBox(png: Buffer): Promise<boolean> {
  const { data, info } = await sharp(png).extractChannel("alpha").raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isInk = (x: number, y: number) => (data[y * width + x] ?? 0) > 60;
  const columns = Array.from({ length: width - 8 }, (_, index) => index + 4);
  const rows = Array.from({ length: height - 8 }, (_, index) => index + 4);
  const hasLine = (is: (offset: number) => boolean) => [0, 1, 2, 3].some(is);
  const isFilled = data.filter((alpha) => alpha > 60).length > 0.6 * data.length;
  return (
    !isFilled &&
    hasLine((edge) => columns.every((x) => isInk(x, edge))) &&
    hasLine((edge) => columns.every((x) => isInk(x, height - 1 - edge))) &&
    hasLine((edge) => rows.every((y) => isInk(edge, y))) &&
    hasLine((edge) => rows.every((y) => isInk(width - 1 - edge, y)))
  );
}

test.each(Object.entries(names))("names from %s are drawn without any installed font", async (_, text) => {
  for (const name of text.split(" ")) {
    const characters = Object.keys(drawn).filter((character) => name.includes(character));
    expect(characters.length, name).toBeGreaterThan(1);
    for (const character of characters) {
      const png = Buffer.from(drawn[character] ?? "", "base64");
      expect(png.length, character).toBeGreaterThan(100);
      expect(await isBox(png), character).toBe(false);
    }
  }
});

test("a character that no font has would be a box", async () => {
  for (const character of unknown) {
    expect(await isBox(Buffer.from(drawn[character] ?? "", "base64"))).toBe(true);
  }
});

test("emoji are drawn in color without any installed font", async () => {
  const { channels } = await sharp(Buffer.from(drawn["🇯🇵"] ?? "", "base64")).stats();
  const [red, green] = channels;
  expect((red?.mean ?? 0) - (green?.mean ?? 0)).toBeGreaterThan(10);
});

test("unpacks only the fonts that the texts need", async () => {
  const temporaryFolder = mkdtempSync(join(folder, "one-"));
  await draw(["Юлия"], temporaryFolder);
  const files = readdirSync(temporaryFolder, { recursive: true }).map(String);
  expect(files.filter((file) => file.includes("noto"))).toEqual([expect.stringContaining("noto-sans-cyrillic-wght")]);
});

test("reads no fonts from a folder that other users can write to", async () => {
  const temporaryFolder = mkdtempSync(join(folder, "open-"));
  const shared = join(temporaryFolder, `meishi-fonts-2-${userInfo().uid}`);
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  await expect(draw(["Юлия"], temporaryFolder)).rejects.toThrow("belongs to another user");
});
