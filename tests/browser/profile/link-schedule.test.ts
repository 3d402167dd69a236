import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, expectFocus, openSite, phone, openPage } from "#tests/support/browser/site.ts";
import { saveProfile, openUser } from "#tests/support/browser/users.ts";
import { letters, openEditor, save } from "#tests/support/browser/editors.ts";

const site = openSite();

/** The editor with links A to D. */
async function openWithLinks(options: BrowserContextOptions) {
  const tab = await openUser(site, options);
  await saveProfile(tab.context, site.program, { links: letters });
  await openPage(tab.page, "/profile");
  return tab;
}

const row = (page: Page, name: string) =>
  page.locator("#links > li").filter({ hasText: `${name.toLowerCase()}.example` });

test("a link's schedule is set by keyboard in local time, removed again, and reports errors at its fields", async () => {
  const { page } = await openWithLinks({ timezoneId: "Europe/Berlin" });
  const openSchedule = async (name: string) => {
    await row(page, name).locator("summary").first().press("Enter");
    await row(page, name).locator("summary", { hasText: "Schedule" }).press("Enter");
    return row(page, name);
  };
  const link = await openSchedule("B");
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

  await openPage(page, "/profile");
  // 09:00 in Berlin in winter.
  const stored = page.locator('input[name="links.1.from"]');
  expect(await stored.inputValue()).toBe(String(Date.UTC(2099, 10, 24, 8)));
  await openSchedule("B");
  await page.getByRole("button", { name: "Clear schedule" }).press("Enter");
  await row(page, "B").getByText("Always shown").waitFor();
  await page.frameLocator("iframe").getByText("b.example").waitFor({ state: "attached" });

  const other = await openSchedule("A");
  const [from, until] = [other.getByLabel("Show from"), other.getByLabel("Show until")];
  await from.fill("2030-06-02T10:00");
  await until.fill("2030-06-02T09:00");
  await until.blur();
  const order = other.getByText("The end must be after the start", { exact: false });
  await order.waitFor();
  await from.fill("2030-06-02T08:00");
  await order.waitFor({ state: "detached" });
  await from.fill("2030-03-31T02:30");
  await other.getByText("The clocks change that night and skip this time. 03:30 is used instead.").waitFor();
  await from.fill("2029-10-28T02:30");
  await other.getByText("The clocks change that night and repeat this time", { exact: false }).waitFor();
  await from.fill("");
  await from.focus();
  await page.keyboard.type("11");
  await from.blur();
  await other.getByText("Enter a complete date and time", { exact: false }).waitFor();
  await save(page);
  await page.getByText("Not saved", { exact: false }).waitFor();
  await expectFocus(from);
});

test("on a phone, form and preview are tabs, and the form keeps its scroll position", async () => {
  const { page } = await openWithLinks(phone);
  const [edit, preview] = [page.getByRole("tab", { name: "Edit" }), page.getByRole("tab", { name: "Preview" })];
  expect(await edit.getAttribute("aria-selected")).toBe("true");
  expect(await page.locator("iframe").count()).toBe(0);
  await page.getByLabel("Bio").fill("Typed on a phone");
  await row(page, "D").scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
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
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
});

test("an error shown on blur doesn't move a button away from the click, and the owner copies the address of their page", async () => {
  const { page, context } = await openEditor(site, { handle: "ada-copies" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const address = page.getByText(`${new URL(site.url).host}/u/ada-copies`, { exact: true });
  await address.first().waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/u/ada-copies`);
  expect(await page.getByRole("link", { name: "Share", exact: true }).getAttribute("href")).toBe("/share/profile");

  await page.getByLabel("Handle").fill("no spaces here");
  const add = page.getByRole("button", { name: "Add link" });
  await add.scrollIntoViewIfNeeded();
  const box = await boxOf(add);
  // At the upper edge: one more line above, and the click would miss the button.
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await page.mouse.down();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.mouse.up();
  await page.getByText("1 of 8", { exact: true }).waitFor();
  await page.getByText("Use only letters a to z, digits and hyphens.").waitFor();
});
