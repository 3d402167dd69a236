import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, desktop, expectFocus, narrow, openSite, phone, openPage } from "#tests/support/browser/site.ts";
import { makeCard, openUser } from "#tests/support/browser/users.ts";

const site = openSite();

describe("the card editor", () => {
  test("works with the keyboard alone and previews the card", async () => {
    const { page } = await editor({ path: "/cards/edit" });
    await page.getByLabel("Display name").focus();
    for (const content of ["Ada Lovelace", "Mathematician", "Analytical Engines"]) {
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(content);
      await page.keyboard.press("Tab");
    }
    await page.getByLabel("Phone", { exact: true }).focus();
    await page.keyboard.type("+44 20 7946 0000");
    await page.getByLabel("Email", { exact: true }).focus();
    await page.keyboard.type("ada@example.com");
    await page.locator("summary", { hasText: "Professional Information" }).press("Enter");
    await page.getByLabel("Position").focus();
    await page.keyboard.type("Head of Research");
    await page.keyboard.press("Tab");
    await page.keyboard.type("2.5");
    await page.getByRole("button", { name: "Add Link" }).press("Enter");
    await page.keyboard.type("ada.example/notes");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Notes");
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("URL").inputValue()).toBe("https://ada.example/notes");
    for (const content of ["Analytical Engines", "Mathematician · 2.5 years", "Ada Lovelace", "ada@example.com"])
      await expect.poll(() => preview(page).textContent()).toContain(content);
    // The preview is the whole page.
    for (const content of ["Save Contact", "QR Code", "View Full Profile", "Made with Meishi"])
      expect(await page.getByText(content, { exact: true }).last().isVisible(), content).toBe(true);
    await page.getByLabel("Position").press("Enter");
    await page.getByText("Business card created successfully.").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/share\/card\/[\da-f-]{36}$/);
  });

  test("names links after their site, shows errors next to fields, and confirms before removing or leaving", async () => {
    const { page } = await editor({ path: "/cards/edit" });
    const add = page.getByRole("button", { name: "Add Link" });
    const name = page.getByLabel("Name", { exact: true }).first();
    const url = page.getByLabel("URL").first();
    await add.click();
    await url.pressSequentially("youtube.com/@ada");
    await expect.poll(() => name.inputValue()).toBe("YouTube");
    await url.fill("https://github.com/ada");
    await expect.poll(() => name.inputValue()).toBe("GitHub");
    await name.fill("Notes");
    await url.fill("https://gitlab.com/ada");
    expect(await name.inputValue()).toBe("Notes");

    for (let row = 2; row <= 8; row++) await add.click();
    await page.getByText("You can add a maximum of 8 links.").waitFor();
    await add.click({ force: true });
    expect(await page.getByLabel("URL").count()).toBe(8);
    await page.getByRole("button", { name: "Remove link 8" }).click();
    await expect.poll(() => page.getByLabel("URL").count()).toBe(7);
    await page.getByRole("button", { name: "Remove Notes" }).click();
    const removal = page.getByRole("dialog", { name: "Are you sure you want to remove this link?" });
    await removal.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel("URL").count()).toBe(7);
    await page.getByRole("button", { name: "Remove Notes" }).click();
    await removal.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => page.getByLabel("URL").count()).toBe(6);

    await page.getByLabel("Company").fill("Typed for an hour");
    await page.getByLabel("Card name").fill("");
    await page.getByLabel("Email", { exact: true }).fill("ada@");
    await url.fill("not an address, but a long word: Donaudampfschifffahrtselektrizitaet");
    await save(page);
    for (const problem of ["Card name is required", "Invalid URL"]) await page.getByText(problem).waitFor();
    await expectFocus(page.getByLabel("Email", { exact: true }));
    expect(await page.getByLabel("Email", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Company").inputValue()).toBe("Typed for an hour");
    await page.setViewportSize(narrow.viewport);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByLabel("Card name").fill("My card");
    await page.getByText("Card name is required").waitFor({ state: "detached" });
    // The bar says what is wrong until the last field is corrected.
    await page.getByText("Not saved. Fix the highlighted fields and save again.").waitFor();
    await url.fill("https://gitlab.com/ada");
    await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();

    const back = page.getByRole("link", { name: "Back to Profile" });
    await back.click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByText("You have unsaved changes that will be lost. Are you sure you want to go back?").waitFor();
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Company").inputValue()).toBe("Typed for an hour");
    await back.click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("**/profile");
  });

  test("copies the card's address, opens its public page once saved, and offers to save before it leaves", async () => {
    const { page, context } = await editor({ card: {} });
    const company = page.getByLabel("Company", { exact: true });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:\/\/[^/]+\/c\/\w{7}$/);

    await company.fill("Babbage & Co");
    await page.getByRole("link", { name: "Preview" }).click();
    await dismiss(page, "Please save your card before previewing.");
    await save(page);
    await dismiss(page, "Business card updated successfully.");
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: "Preview" }).click(),
    ]);
    await opened.getByText("Babbage & Co").waitFor();
    await opened.close();
    await page.getByLabel("Make this card publicly accessible").uncheck();
    await save(page);
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Preview" }).click();
    await dismiss(page, "Visitors can’t open this card.");

    await company.fill("c".repeat(79));
    expect(await page.getByText("79/100").count()).toBe(0);
    await company.fill("c".repeat(85));
    await page.getByText("85/100").waitFor();
    await company.fill("c".repeat(101));
    await page.getByText("Use at most 100 characters.").waitFor();
    await company.fill("Engines");
    await page.getByRole("navigation", { name: "Card" }).getByRole("link", { name: "Share" }).click();
    await page.getByRole("dialog").getByText("You have unsaved changes that will be lost.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.waitForURL("**/share/card/*");
    await page.getByText("Business card updated successfully.").waitFor();
  });

  test("has a switch between form and preview on a phone, and no old toast beside a refusal", async () => {
    const { page } = await editor({ card: {} }, phone);
    await page.getByLabel("Display name").fill("Ada Lovelace");
    await save(page);
    await page.getByText("Business card updated successfully.").waitFor();
    await page.getByLabel("Email", { exact: true }).fill("ada@");
    await page.getByLabel("Email", { exact: true }).press("Enter");
    await page.getByText("Invalid email").waitFor();
    await page.getByText("Business card updated successfully.").waitFor({ state: "hidden" });
    // Nothing else has the switch's name.
    expect(await page.getByRole("link", { name: "Preview" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "View card" }).getAttribute("href")).toMatch(/^\/card\//);
    await page.getByRole("tab", { name: "Preview" }).click();
    await expect.poll(() => preview(page).textContent()).toContain("Ada Lovelace");
    expect(await page.getByLabel("Company").isVisible()).toBe(false);
    await page.getByRole("tab", { name: "Edit" }).click();
    expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("ada@");
  });

  test("keeps what was typed when the server can't be reached or the owner is signed out", async () => {
    const tab = await editor({ card: {} });
    const { page, context } = tab;
    await page.getByLabel("Company").fill("Typed for an hour");
    await context.setOffline(true);
    await save(page);
    await page.getByText("Failed to save business card: couldn’t reach the server.", { exact: false }).waitFor();
    await page.getByText("Couldn’t save. Check your connection and try again.").waitFor();
    await context.setOffline(false);
    const cookies = await context.cookies();
    await context.clearCookies();
    await save(page);
    await page.getByText("Failed to save business card: you’re signed out.", { exact: false }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
    await context.addCookies(cookies);
    await save(page);
    await page.getByText("Business card updated successfully.").waitFor();
    expect(await page.getByLabel("Company").inputValue()).toBe("Typed for an hour");
  });
});

type Start = { path?: string; card?: Parameters<typeof makeCard>[2] };

/** The editor of a new user, with a card or at a path. */
async function editor({ path, card }: Start, device: BrowserContextOptions = {}) {
  const tab = await openUser(site, device);
  await openPage(tab.page, path ?? `/cards/edit/${await makeCard(tab.context, site.program, card ?? {})}`);
  return tab;
}

const preview = (page: Page) => page.getByRole("region", { name: "Business card", includeHidden: true });
const save = (page: Page) => page.getByRole("button", { name: "Save Changes" }).click();

/** Reads a toast and closes it, because it covers the button. */
function dismiss(page: Page, content: string) {
  const toast = page.getByRole("dialog", { name: "Message" }).filter({ hasText: content });
  return toast.getByRole("button", { name: "Dismiss" }).click();
}

test("a field in two columns has its name on one line beside its visibility, and stays in its column", async () => {
  const { page } = await editor({ card: { email: "ada@example.com", phone: "+44 20 7946 0000" } }, desktop);
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ["Email", "Phone"]) {
      const label = page.locator("label", { hasText: new RegExp(`^${name}$`) }).first();
      expect((await boxOf(label)).height, name).toBeLessThan(30);
      const column = await boxOf(label.locator("xpath=../.."));
      expect(await boxOf(page.getByLabel(name, { exact: true })), name).toMatchObject({
        x: column.x,
        width: column.width,
      });
    }
    const [phone, email] = [
      await boxOf(page.getByLabel("Phone", { exact: true })),
      await boxOf(page.getByLabel("Email", { exact: true })),
    ];
    expect(phone.x + phone.width).toBeLessThan(email.x);
  }
});

test("previews a design while it is chosen, and visitors get the saved one", async () => {
  const { page, context, consoleErrors } = await openUser(site, desktop);
  const id = await makeCard(context, site.program, { company: "Engines" });
  await openPage(page, `/cards/edit/${id}?tab=design`);
  const company = page.getByRole("region", { name: "Business card", includeHidden: true }).getByText("Engines");
  const colorOf = () => company.evaluate((element) => getComputedStyle(element).color);
  for (const [name, color] of [
    ["Emerald", "rgb(5, 105, 76)"],
    ["Dark", "rgb(110, 231, 183)"],
  ] as const) {
    await page.getByRole("radio", { name, exact: true }).check();
    await expect.poll(colorOf).toBe(color);
  }
  await page.getByRole("radio", { name: "Centered" }).check();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Business card updated successfully.").waitFor();

  const visitor = await site.open(narrow);
  await visitor.page.goto(`/card/${id}`);
  const card = visitor.page.getByRole("region", { name: "Business card" });
  expect(await card.evaluate((element) => getComputedStyle(element).textAlign)).toBe("center");
  const shown = card.getByText("Engines");
  expect(await shown.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(110, 231, 183)");
  expect(await findAxeViolations(visitor.page)).toEqual([]);
  expect([consoleErrors, visitor.consoleErrors]).toEqual([[], []]);
});
