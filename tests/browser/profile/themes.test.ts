import { expect, test } from "vitest";

import { openSite, phone } from "#tests/support/browser/site.ts";
import { saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

test("Default and Minimal turn dark on devices that prefer dark, with the browser's toolbar", async () => {
  const { context } = await site.open();
  const { page } = await site.open({ ...phone, colorScheme: "dark" });
  const { id } = await signUp(context, site.program, "ada@example.com");
  for (const [theme, night, hex] of [
    ["default", "rgb(14, 15, 18)", "#0e0f12"],
    ["minimal", "rgb(0, 0, 0)", "#000000"],
    ["ocean", "rgb(13, 59, 82)", "#0d3b52"],
  ] as const) {
    await saveProfile(context, site.program, { theme });
    await page.goto(`/u/${id}`);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(night);
    const bars = await page
      .locator('meta[name="theme-color"]')
      .evaluateAll((all: Element[]) =>
        all
          .filter((tag) => window.matchMedia(tag.getAttribute("media") ?? "all").matches)
          .map((tag) => tag.getAttribute("content")),
      );
    expect(bars).toEqual([hex]);
  }
});
