import { expect, test } from "vitest";

import { withDots } from "./dot-rules.ts";

/** Draws letters as blocks, "." as a dot and "'" as an accent, and reads all but those marked by "read" as spaces. */
function readAddress(drawn: string, read: string): string {
  const [size, step, height] = [8, 12, 24];
  const width = drawn.length * step;
  const pixels = new Uint8Array(width * height).fill(255);
  const boxes = [...drawn].map((sign, index) => {
    const x0 = index * step;
    const box = sign === "." ? { x0, x1: x0 + 3, y0: 17, y1: 20 } : { x0, x1: x0 + size, y0: 6, y1: 20 };
    const shown = sign === "'" ? { x0, x1: x0 + 3, y0: 4, y1: 7 } : box;
    for (let y = shown.y0; y < shown.y1; y++) pixels.fill(0, y * width + shown.x0, y * width + shown.x1);
    return shown;
  });
  const symbols = [...read].flatMap((text, index) => {
    const bbox = boxes[index];
    return text === " " || !bbox ? [] : [{ text, bbox }];
  });
  return withDots(symbols, { width, height, pixels });
}

test("a dot that was left out is read where it is drawn", () => {
  expect(readAddress("a.lovelace@example.com", "a lovelace@example.com")).toBe("a.lovelace@example.com");
});

test("an address with all its dots stays as it is", () => {
  expect(readAddress("a.love.lace@example.com", "a.love.lace@example.com")).toBe("a.love.lace@example.com");
});

test.each([
  ["nothing is drawn", "a lovelace@example.com"],
  ["something is above the line", "a'lovelace@example.com"],
])("no dot is added where %s", (_, drawn) => {
  expect(readAddress(drawn, "a lovelace@example.com")).toBe("alovelace@example.com");
});

test("without a dot to compare with, none is added", () => {
  expect(readAddress("a.lovelace@example.com", "a lovelace@example com")).toBe("alovelace@examplecom");
});
