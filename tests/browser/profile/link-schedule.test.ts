import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, expectFocus, waitForHydration, openSite, phone } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { saveProfile, signUp } from "#tests/support/browser/users.ts";
import { letters, openEditor, save } from "#tests/support/browser/editors.ts";

const site = openSite();

/** The editor in Berlin's time zone with links A to D. */
async function openInBerlin({ options = {} } = {}): Promise<Tab & { id: string }> {
  const tab = await site.open({ timezoneId: "Europe/Berlin", ...options });
  const { id } = await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  await saveProfile(tab.context, site.program, { links: letters });
  await tab.page.goto("/profile");
  await waitForHydration(tab.page);
  return { ...tab, id };
}

const row = (page: Page, name: string) =>
  page.locator("#links > li").filter({ hasText: `${name.toLowerCase()}.example` });

describe("the schedule of a link", () => {
  test("is set by keyboard in local time and removed again", async () => {
    const { page } = await openInBerlin();
    const link = row(page, "B");
    await link.locator("summary").first().press("Enter");
    await link.locator("summary", { hasText: "Schedule" }).press("Enter");
    await link.getByLabel("Show from").focus();
    await page.keyboard.type("112420990900AM");
    await link.getByText("Shown from Nov 24, 2099, 09:00", { exact: true }).waitFor();
    await link.getByText("Not shown yet").waitFor();
    await page.frameLocator("iframe").getByText("b.example").waitFor({ state: "detached" });
    await link.getByText("Times are in your time zone: Europe/Berlin.", { exact: false }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await save(page);
    await page.waitForURL("**/u/*");
    expect(await page.getByText("b.example").count()).toBe(0);

    await page.goto("/profile");
    await waitForHydration(page);
    const stored = page.locator('input[name="links.1.from"]');
    // 09:00 in Berlin in winter.
    expect(await stored.inputValue()).toBe(String(Date.UTC(2099, 10, 24, 8)));
    await row(page, "B").locator("summary").first().press("Enter");
    await row(page, "B").locator("summary", { hasText: "Schedule" }).press("Enter");
    await page.getByRole("button", { name: "Clear schedule" }).press("Enter");
    await row(page, "B").getByText("Always shown").waitFor();
    await save(page);
    await page.waitForURL("**/u/*");
    // The owner's page opens on the tab with the cards.
    await page.getByText("b.example").waitFor({ state: "attached" });
  });

  test("shows errors and hints at the field: an end before the start, an incomplete date, a skipped or repeated hour", async () => {
    const { page } = await openInBerlin();
    const link = row(page, "A");
    await link.locator("summary").first().click();
    await link.locator("summary", { hasText: "Schedule" }).click();
    const [from, until] = [link.getByLabel("Show from"), link.getByLabel("Show until")];
    await from.fill("2030-06-02T10:00");
    await until.fill("2030-06-02T09:00");
    await until.blur();
    await link.getByText("The end must be after the start", { exact: false }).waitFor();
    await from.fill("2030-06-02T08:00");
    await link.getByText("The end must be after the start", { exact: false }).waitFor({ state: "detached" });

    await from.fill("2030-03-31T02:30");
    await link.getByText("The clocks change that night and skip this time. 03:30 is used instead.").waitFor();
    await from.fill("2029-10-28T02:30");
    await link.getByText("The clocks change that night and repeat this time", { exact: false }).waitFor();

    await from.fill("");
    await from.focus();
    await page.keyboard.type("11");
    await from.blur();
    await link.getByText("Enter a complete date and time", { exact: false }).waitFor();
    await save(page);
    await page.getByText("Not saved", { exact: false }).waitFor();
    await expectFocus(from);
  });
});

describe("the other tab", () => {
  test("is selected by keyboard while Premium can't be bought, and the preview follows", async () => {
    const { page } = await openInBerlin();
    await page.getByText("LinkedIn, GitHub and GitLab links go to Professional", { exact: false }).waitFor();
    await row(page, "A").locator("summary").first().press("Enter");
    const choice = page.getByLabel("Tab", { exact: true }).first();
    expect(await choice.inputValue()).toBe("");
    await choice.focus();
    await page.keyboard.type("Professional");
    const preview = page.frameLocator("iframe");
    await preview.getByText("Professional 1").waitFor();
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByText("a.example").waitFor();
    await page.getByText("Personal 3").waitFor();
  });
});

test("on a phone, form and preview are tabs, and the form keeps its scroll position", async () => {
  const { page } = await openInBerlin({ options: phone });
  const [edit, preview] = [page.getByRole("tab", { name: "Edit" }), page.getByRole("tab", { name: "Preview" })];
  expect(await edit.getAttribute("aria-selected")).toBe("true");
  expect(await page.locator("iframe").count()).toBe(0);
  await page.getByLabel("Bio").fill("Typed on a phone");
  await row(page, "D").scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  // Not with Playwright's click, which scrolls to its target.
  await preview.evaluate((tab: HTMLElement) => tab.click());
  await page.frameLocator("iframe").getByText("Typed on a phone").waitFor();
  expect(await page.getByRole("tabpanel", { name: "Preview" }).isVisible()).toBe(true);
  expect(await page.getByLabel("Bio").isVisible()).toBe(false);
  expect(await findAxeViolations(page)).toEqual([]);
  await preview.focus();
  await page.keyboard.press("ArrowLeft");
  await expectFocus(edit);
  expect(await page.getByLabel("Bio").inputValue()).toBe("Typed on a phone");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
});

test("an error shown on blur doesn't move a button away from the click", async () => {
  const { page } = await openEditor(site, {});
  await page.getByLabel("Handle").fill("no spaces here");
  const add = page.getByRole("button", { name: "Add link" });
  await add.scrollIntoViewIfNeeded();
  const box = await boxOf(add);
  // At the upper edge: one more line above, and the click would miss the button.
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await page.mouse.down();
  await page.waitForTimeout(300);
  await page.mouse.up();
  await page.getByText("1 of 8", { exact: true }).waitFor();
  await page.getByText("Use only letters a to z, digits and hyphens.").waitFor();
});

test("the owner copies the address of their page", async () => {
  const { page, context } = await openEditor(site, { handle: "ada-copies" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page
    .getByText(`${new URL(site.url).host}/u/ada-copies`, { exact: true })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/u/ada-copies`);
  expect(await page.getByRole("link", { name: "Share", exact: true }).getAttribute("href")).toBe("/share/profile");
});
