import { expect, test } from "vitest";

import { contrast, leastTextContrast, readableOn } from "#app/services/base/color-contrast.ts";
import { loadSharp, rasterize } from "#app/services/images/sharp.server.ts";

import { drawBackgroundTask } from "./background-tasks.server.ts";
import { drawDefaultImage } from "./default-image-drawing.ts";
import { defaultImages, passBackgroundSize } from "./default-image-model.ts";

const ids = defaultImages.map(({ id }) => id);

test("there are at least 24 default images, each with an id and a description of its own, and no others", () => {
  expect(defaultImages.length).toBeGreaterThanOrEqual(24);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(defaultImages.map(({ description }) => description)).size).toBe(ids.length);
  for (const id of ["", "toString", "../washi", "WASHI"]) expect(drawDefaultImage(id)).toBeUndefined();
});

test.each(defaultImages)("texts are readable everywhere on $id", async ({ id, colors }) => {
  // At the size of a pass on the screen. Text is drawn in the paper's or the ink's color, as far as that is readable.
  const sharp = await loadSharp();
  const pixels = await sharp(await rasterize(drawDefaultImage(id) ?? "", { width: 180 }))
    .removeAlpha()
    .raw()
    .toBuffer();
  const seen = new Set<string>();
  for (let at = 0; at < pixels.length; at += 3) seen.add(`#${pixels.toString("hex", at, at + 3)}`);
  const text = readableOn(colors, "#8a857a");
  const worst = [...seen].toSorted((one, other) => contrast(text, one) - contrast(text, other))[0] ?? "";
  expect(contrast(text, worst), worst).toBeGreaterThanOrEqual(leastTextContrast - 0.15);
});

test("a drawing is a JPEG of 540 by 660 pixels, and a tint covers it at 0.3", async () => {
  const sharp = await loadSharp();
  const source = drawDefaultImage("washi") ?? "";
  const draw = async (tint: string) => drawBackgroundTask.run({ source, tint, width: passBackgroundSize.width });
  expect(await sharp(await draw("")).metadata()).toMatchObject({ format: "jpeg", width: 540, height: 660 });
  const mean = async (tint: string) => (await sharp(await draw(tint)).stats()).channels.map((channel) => channel.mean);
  const [plain, tinted] = [await mean(""), await mean("#3a5f8c")];
  for (const [index, channel] of [0x3a, 0x5f, 0x8c].entries())
    expect(tinted[index]).toBeCloseTo((plain[index] ?? 0) * 0.7 + channel * 0.3, -0.5);
});
