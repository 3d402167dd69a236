import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openSite, phone, reducedMotion, waitForHydration, openPage } from "#tests/support/browser/site.ts";
import { makeCard, openUser } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";

const site = openSite();

test("a double click creates one card, even when the plan allows more, and Back leads to the page before the editor", async () => {
  const { page, id } = await openUser(site);
  makePremium(site.program, id);
  await openPage(page, "/profile");
  await page.getByRole("link", { name: "Create card" }).click();
  await page.waitForURL("**/cards/edit");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Save Changes" }).dblclick();
  await page.getByText("Business card created successfully.").waitFor();
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe("/profile");
  await page.reload();
  expect(await page.getByRole("link", { name: /^Edit .*Business Card$/ }).count()).toBe(1);
});

test("the bar of unsaved changes at the lower edge of a phone never covers the focused element", async () => {
  const { page, context } = await openUser(site, { ...phone, ...reducedMotion });
  await makeCard(context, site.program, {});
  await openPage(page, "/profile");
  await page.getByLabel("Bio").fill("Typed");
  await page.getByRole("button", { name: "Save & Close" }).waitFor();
  await page.getByLabel("Display name").focus();
  expect(await coveredByBar(page)).toEqual([]);
});

/** Elements that get the keyboard focus while hidden behind the bar or above the screen. */
async function coveredByBar(page: Page): Promise<string[]> {
  const covered: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const focused = document.activeElement;
      const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Save & Close");
      const bar = button?.parentElement?.getBoundingClientRect();
      const box = focused?.getBoundingClientRect();
      if (!focused || !bar || !box) return { name: "", isCovered: true };
      const name =
        focused === button ? "" : focused.getAttribute("aria-label") || focused.textContent || focused.tagName;
      return { name, isCovered: box.bottom > bar.top + 1 || box.top < 0 };
    });
    if (!at.name) return covered;
    if (at.isCovered) covered.push(at.name);
  }
}
