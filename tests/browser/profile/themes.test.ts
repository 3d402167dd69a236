import { expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { narrow, openSite, phone } from "#tests/support/browser/site.ts";
import { saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

test("Default and Minimal turn dark on devices that prefer dark, and pass axe", async () => {
  const { context } = await site.open();
  const { id } = await signUp(context, site.program, "ada@example.com");
  for (const [theme, night] of [
    ["default", "rgb(14, 15, 18)"],
    ["minimal", "rgb(0, 0, 0)"],
    ["ocean", "rgb(13, 59, 82)"],
  ] as const) {
    await saveProfile(context, site.program, { theme, links: [{ label: "GitHub", url: "https://github.com/ada" }] });
    for (const screen of [phone, narrow]) {
      const { page } = await site.open({ ...screen, colorScheme: "dark" });
      await page.goto(`/u/${id}`);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(night);
      expect(await findAxeViolations(page), theme).toEqual([]);
      // The browser's toolbar has the color of the page.
      const bars = await page
        .locator('meta[name="theme-color"]')
        .evaluateAll((all: Element[]) =>
          all
            .filter((tag) => window.matchMedia(tag.getAttribute("media") ?? "all").matches)
            .map((tag) => tag.getAttribute("content")),
        );
      expect(bars).toHaveLength(1);
      expect(bars[0]).toBe(hexOf(night));
    }
  }
});

/** "rgb(14, 15, 18)" -> "#0e0f12" */
function hexOf(color: string): string {
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}
