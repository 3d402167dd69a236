import { describe, expect, test } from "vitest";

import { withAccent } from "./accent-rules.ts";

/** A letter as rows of "#" and ".", each drawn as three by three pixels. */
function read(letter: string, ...rows: string[]): string {
  const size = 3;
  const [width, height] = [(rows[0]?.length ?? 0) * size, rows.length * size];
  const pixels = new Uint8Array(width * height).map((_, at) => {
    const [x, y] = [Math.floor((at % width) / size), Math.floor(at / width / size)];
    return rows[y]?.[x] === "#" ? 0 : 255;
  });
  return withAccent(letter, { x0: 0, y0: 0, x1: width, y1: height }, { width, height, pixels });
}

const sides = Array<string>(5).fill("##....##");
const body = ["..####..", ".##..##.", ...sides, ".##..##.", "..####.."];
const stem = Array<string>(9).fill("...##...");
const gap = "........";

describe("a mark above a letter", () => {
  test.each([
    ["acute", "o", "ó", ["....##..", "...##...", "..##...."]],
    ["grave", "o", "ò", ["..##....", "...##...", "....##.."]],
    ["circumflex", "o", "ô", ["...##...", "..#..#..", ".#....#."]],
    ["two dots", "o", "ö", [".##..##.", ".##..##."]],
    ["acute on a capital", "O", "Ó", ["....##..", "...##...", "..##...."]],
    ["tilde", "n", "ñ", [".##...#.", "#..###.."]],
    ["acute on an n", "n", "ń", ["....##..", "...##...", "..##...."]],
    ["dot on a z", "z", "ż", ["...##...", "...##..."]],
    ["caron", "s", "š", [".#....#.", "..#..#..", "...##..."]],
    ["grave where the reader saw another", "é", "è", ["..##....", "...##...", "....##.."]],
  ])("is read: %s %s as %s", (...[, letter, expected, mark]) => {
    expect(read(letter, ...mark, gap, ...body)).toBe(expected);
  });

  test("on an i is a dot unless it is slanted", () => {
    expect(read("i", "...##...", "...##...", gap, ...stem)).toBe("i");
    expect(read("i", "....##..", "...##...", "..##....", gap, ...stem)).toBe("í");
  });

  test.each([
    ["no mark", "o", [] as string[]],
    ["a mark that this letter doesn't have", "z", [".##..##.", ".##..##."]],
    ["a letter without accents", "t", ["....##..", "...##...", "..##...."]],
    ["something as large as the letter", "o", body],
  ])("is left alone: %s", (_, letter, mark) => {
    expect(read(letter, ...mark, gap, ...body)).toBe(letter);
  });

  test("of a letter at the image's edge, or without an image, breaks nothing", () => {
    const image = { width: 2, height: 2, pixels: new Uint8Array(4) };
    expect(withAccent("o", { x0: -5, y0: -5, x1: 90, y1: 90 }, image)).toBe("o");
    expect(withAccent("o", { x0: 5, y0: 5, x1: 5, y1: 5 }, image)).toBe("o");
  });
});
