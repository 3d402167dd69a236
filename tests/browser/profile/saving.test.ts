import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, expectFocus, openSite, phone, reducedMotion, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";
import { openEditor, save } from "#tests/support/browser/editors.ts";

const site = openSite();

describe("saving", () => {
  test("by a double click creates one card, even when the plan allows more", async () => {
    const { page, context } = await site.open(desktop);
    makePremium(site.program, (await signUp(context, site.program, `${crypto.randomUUID()}@example.com`)).id);
    await page.goto("/cards/edit");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Save Changes" }).dblclick();
    await page.waitForURL("**/share/card/*");
    await page.goto("/profile");
    expect(await page.getByRole("link", { name: /^Edit .*Business Card$/ }).count()).toBe(1);
  });

  test("by a double click saves a profile once, without a conflict", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill("Twice");
    await page.getByRole("button", { name: "Save & Close" }).dblclick();
    await page.waitForURL("**/u/*");
    await page.getByText("Twice").waitFor();
  });

  test("shows its toast once", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill("Saved");
    await save(page);
    const toast = page.getByRole("status").getByText("Profile saved");
    await toast.waitFor();
    expect(await toast.count()).toBe(1);
    await runOut(page);
    await toast.waitFor({ state: "hidden" });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await toast.count()).toBe(0);
  });

  test("of a first card keeps the history: Back leads to the page before the editor", async () => {
    const { page } = await openEditor(site);
    await page.getByRole("link", { name: "Create card" }).click();
    await page.waitForURL("**/cards/edit");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.getByText("Business card created successfully.").waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe("/profile");
  });
});

describe("a refused save", () => {
  test("is named in the bar, which leads to the field", async () => {
    const { page } = await openEditor(site);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel("Bio").fill("x");
    await page.getByRole("radio", { name: /^Sunset/ }).check();
    await save(page);
    await page.getByLabel("Bio").focus();
    await page.getByRole("tab", { name: "Preview" }).click();
    const problem = page.getByRole("button", { name: "1 field needs attention" });
    await problem.click();
    const themes = page.getByRole("radiogroup", { name: "Theme" });
    await themes.waitFor();
    await expectFocus(themes);
    await page.getByRole("radio", { name: /^Ocean/ }).check();
    await problem.waitFor({ state: "detached" });
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
  });
});

describe("unsaved changes", () => {
  test.for([
    ["/profile", "Bio"],
    ["/cards/edit", "Company"],
  ] as const)("is asked about when the browser's Back would leave %s", async ([path, field]) => {
    const { page } = await openEditor(site);
    await page.goto("/pricing");
    await page.goto(path);
    await waitForHydration(page);
    await page.getByLabel(field).pressSequentially("Typed");
    const [question] = await Promise.all([page.waitForEvent("dialog"), page.evaluate(() => history.back())]);
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    expect(new URL(page.url()).pathname).toBe(path);
  });

  test("show a bar at the lower edge of a phone that never covers the focused element", async () => {
    const { page, context } = await site.open({ ...phone, ...reducedMotion });
    await signUp(context, site.program, `${crypto.randomUUID()}@example.com`);
    await makeCard(context, site.program, {});
    await page.goto("/profile");
    await waitForHydration(page);
    await page.getByLabel("Bio").fill("Typed");
    await page.getByRole("button", { name: "Save & Close" }).waitFor();
    await page.getByLabel("Display name").focus();
    expect(await coveredByBar(page)).toEqual([]);
  });
});

/** Waits until animations and timers have finished. */
function runOut(page: Page) {
  return page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
}

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
