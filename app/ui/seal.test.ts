import { expect, test } from "vitest";

import { sealIcon } from "./seal.tsx";

test("the icon in the browser's tab is the seal, small and in the page itself", () => {
  expect(sealIcon.length).toBeLessThan(320);
  const svg = decodeURIComponent(sealIcon.replace("data:image/svg+xml,", ""));
  expect(svg).toMatch(/^<svg xmlns='http:\/\/www.w3.org\/2000\/svg' viewBox='0 0 24 24'>.*<\/svg>$/);
  expect(svg).toContain("#e0412b");
});

test("the icon can stand in an attribute as it is", () => {
  expect(sealIcon).not.toMatch(/["<>#]/);
});
