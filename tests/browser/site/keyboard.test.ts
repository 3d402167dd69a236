import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { desktop, expectFocus, openSite } from "#tests/support/browser/site.ts";

const site = openSite();

test("the first Tab on a page of the site reaches the skip link", async () => {
  const { page } = await site.open(desktop);
  for (const path of ["/", "/pricing", "/auth"]) {
    await page.goto(path);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expectFocus(skip);
    // It is visible only with the focus.
    expect((await skip.boundingBox())?.height, path).toBeGreaterThan(30);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#/);
    await page.keyboard.press("Tab");
    const isInHeader = () => document.activeElement?.closest("header, nav[aria-label=Site]") !== null;
    expect(await page.evaluate(isInHeader)).toBe(false);
  }
});

test("the panels of a public page open, close on Escape and return the focus", async () => {
  const { page } = await site.open(desktop);
  for (const [path, panel] of [
    ["/card/demo-card", "#card-qr"],
    ["/u/demo-user", "#profile-share"],
  ] as const) {
    await page.goto(path);
    const button = page.locator(`[popovertarget="${panel.slice(1)}"]`).first();
    await tabTo(page, button);
    await page.keyboard.press("Enter");
    await page.locator(panel).waitFor();
    await page.keyboard.press("Tab");
    await page.locator(`${panel}:focus-within`).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(panel).waitFor({ state: "hidden" });
    await expectFocus(button);
  }
});

/** Presses Tab until the target has the focus; fails after a whole round. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor();
  for (let steps = 0; steps < 120; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not get to ${target.toString()}`);
}
