import { expect, test } from "vitest";

import { sealIcon } from "./seal-drawing.ts";

test("the icon of the browser tab is the seal as a short data URL", () => {
  expect(sealIcon.length).toBeLessThan(320);
  const svg = decodeURIComponent(sealIcon.replace("data:image/svg+xml,", ""));
  expect(svg).toMatch(/^<svg xmlns='http:\/\/www.w3.org\/2000\/svg' viewBox='0 0 24 24'>.*<\/svg>$/);
  expect(svg).toContain("#e0412b");
});

test("the icon needs no escaping in an attribute", () => {
  expect(sealIcon).not.toMatch(/["<>#]/);
});
