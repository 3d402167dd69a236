import fc from "fast-check";
import { expect, test } from "vitest";

import { contrastWithWhite } from "#app/features/sharing/qr-style.ts";
import { processorTime } from "#tests/support/processor-time.ts";
import { both, readByTwo } from "#tests/support/readers.ts";
import { scan } from "#tests/support/scanner.ts";

import { cardModes } from "./demo-card.ts";
import { drawCode } from "./demo-code.ts";

function drawn(text: string, mode: (typeof cardModes)[number] = "light"): Buffer {
  const code = drawCode(text, mode);
  if (code.kind !== "code") throw new Error(code.kind);
  return Buffer.from(code.svg);
}

test.for(cardModes)(
  "in %s mode the code is 200 pixels wide with a margin of two modules, and can be read",
  async (mode) => {
    const svg = drawn("https://meishi.example/u/demo-user", mode);
    expect(svg.toString()).toMatch(/width="200" height="200" viewBox="0 0 33 33"/);
    expect(svg.toString()).toMatch(/d="M2 2\.5h7M/);
    expect(await scan(svg)).toBe("https://meishi.example/u/demo-user");
  },
);

test("the two modes have colours of their own, dark on light in both", () => {
  const [dark, light] = cardModes.map((mode) => drawn("x", mode).toString());
  expect(dark).not.toBe(light);
  for (const svg of [dark, light]) {
    const contrast = (name: string) =>
      contrastWithWhite(new RegExp(`${name}="(#[0-9a-f]{6})"`).exec(svg ?? "")?.[1] ?? "");
    expect(contrast("stroke") / contrast("fill")).toBeGreaterThan(12);
  }
});

test("whatever is typed can be read from the code", async () => {
  const letters = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme-ascii" });
  await fc.assert(
    fc.asyncProperty(letters, async (text) => {
      // The other reader fails on a few codes that are right.
      expect((await readByTwo(drawn(text))).zxing).toBe(text);
    }),
    { numRuns: 25 },
  );
  // The same each time: what fails once can be looked at.
  const same = fc.sample(letters, { numRuns: 25, seed: 20_261_121 });
  for (const text of [...same, "名刺を交換する", "مرحبا بالعالم", "👩‍🚀", "a\u0000b"])
    expect(await readByTwo(drawn(text)), text).toEqual(both(text));
});

test("2,331 letters fit, one more is too long", () => {
  expect(drawCode("a".repeat(2331), "light")).toMatchObject({ kind: "code", isDense: true });
  expect(drawCode("a".repeat(40), "light")).toMatchObject({ kind: "code", isDense: false });
  expect(drawCode("a".repeat(2332), "light").kind).toBe("too-long");
});

test("a book is refused without being looked at", async () => {
  const { answer, seconds } = await processorTime(() => drawCode("aB1漢".repeat(500_000), "light"));
  expect(answer.kind).toBe("too-long");
  expect(seconds).toBeLessThan(0.1);
});
