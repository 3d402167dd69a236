import { expect, test } from "vitest";

import { sealIcon } from "#app/ui/seal.tsx";

import { sealDrawing } from "./seal-drawing.ts";

test("the seal on pictures and paper is the one of the pages", () => {
  const page = decodeURIComponent(sealIcon);
  const { side, radius, stroke, red, paper, letter } = sealDrawing;
  for (const part of [`0 0 ${side} ${side}`, `rx='${radius}'`, `stroke-width='${stroke}'`, red, paper, letter]) {
    expect(page).toContain(part);
  }
});
