import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import {
  desktop,
  expectFocus,
  narrow,
  openSite,
  reducedMotion,
  waitForHydration,
  openPage,
} from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, openUser } from "#tests/support/browser/users.ts";
import { rotatedPhoto } from "#tests/support/fixtures/images.ts";
import { makePremium } from "#tests/support/program/database.ts";

const site = openSite();
const unsaved = "You have unsaved changes.";

describe("the editor of a pass", () => {
  test("has nothing unsaved until something is changed here, even when the card gets another link elsewhere", async () => {
    const tab = await openEditor({ links: 2, isPremium: true });
    const { page, path, profilePath } = tab;
    await expectNothingUnsaved(page);
    await chooseBackground(page, "Waves");
    await save(page);
    await expectNothingUnsaved(page);
    await page.goto(profilePath);
    await page.goBack();
    await waitForHydration(page);
    await expectNothingUnsaved(page);
    expect(new URL(page.url()).pathname).toBe(path);

    const other = await site.openBeside(tab);
    await openPage(other.page, `/cards/edit/${tab.card}`);
    await other.page.getByRole("button", { name: "Add Link" }).click();
    await other.page.getByLabel("URL").last().fill("https://c.example");
    await other.page.getByRole("button", { name: "Save Changes" }).click();
    await other.page.getByText("Business card updated successfully.").waitFor();
    await other.page.close();
    await page.bringToFront();
    // Loads the page's data again.
    await uploadBackground(page);
    await chooseBackground(page, "Waves");
    await page.getByText(unsaved, { exact: true }).waitFor({ state: "detached" });
    await chooseBackground(page, "Moon");
    await save(page);
    await expectNothingUnsaved(page);

    await openTab(page, profilePath);
    await expectNothingUnsaved(page);
    expect(await page.getByRole("button", { name: /^Move / }).count()).toBe(3);
    await chooseBackground(page, "Rain");
    await save(page);
    await expectNothingUnsaved(page);
  });

  test("asks before unsaved changes are lost by a link, by a reload or in the card's dialog", async () => {
    const { page, profilePath } = await openEditor();
    // This site makes no passes.
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("Fallback Pass Downloaded").waitFor(),
      page.getByText("PassKit integration failed. Downloaded pass structure for manual creation.").waitFor(),
      page.getByRole("link", { name: "Download pass definition" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("wallet-pass.json");
    await chooseBackground(page, "Waves");
    await expect.poll(() => isLeavingAsked(page)).toBe(true);
    await page.getByRole("main").getByRole("link", { name: "Cards" }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Stay" }).click();
    await page.getByText("Waves", { exact: true }).first().waitFor();
    await page.getByRole("main").getByRole("link", { name: "Cards" }).click();
    await question.getByRole("button", { name: "Save and continue" }).click();
    await page.waitForURL("**/cards");

    await openTab(page, profilePath);
    await page.getByText("Waves", { exact: true }).first().waitFor();
    await page.setViewportSize(narrow.viewport);
    for (const mode of ["light", "dark"]) {
      await page.evaluate((mode) => (document.documentElement.dataset["mode"] = mode), mode);
      expect(await findAxeViolations(page), mode).toEqual([]);
    }
    for (const box of [page.locator("html"), page.getByRole("dialog", { name: /Business Card$/ })])
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.setViewportSize(desktop.viewport);
    await page.getByLabel("Email", { exact: true }).last().uncheck();
    await expect.poll(() => isLeavingAsked(page)).toBe(true);
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Email", { exact: true }).last().isChecked()).toBe(false);
    await save(page);
    await expect.poll(() => isLeavingAsked(page)).toBe(false);
  });

  test("works with the keyboard alone", async () => {
    const { page } = await openEditor({ links: 2, isPremium: true });
    const change = page.getByRole("button", { name: "Change Background" });
    await change.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Moon", exact: true }).press("Enter");
    await page.getByRole("dialog", { name: "Pass Background" }).waitFor({ state: "detached" });
    await expectFocus(change);
    const color = page.getByLabel("Color Tint").last();
    await color.fill("#aa3311");
    await page.getByText("The preview shows this tint. Apply it to keep it.").waitFor();
    await page.getByRole("button", { name: "Apply Tint" }).press("Enter");
    await page.getByText("The preview shows this tint. Apply it to keep it.").waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Use template default logo" }).press("Space");
    await page.getByRole("button", { name: "Move B" }).press("ArrowUp");
    await page.getByRole("button", { name: "Save & Update Pass" }).press("Enter");
    await page.getByText("Updated").waitFor();
    await page.reload();
    await page.getByText("Moon", { exact: true }).first().waitFor();
    expect(await color.inputValue()).toBe("#aa3311");
    expect(await page.getByRole("checkbox", { name: "Use template default logo" }).isChecked()).toBe(false);
    const handles = await page.getByRole("button", { name: /^Move / }).all();
    expect(await Promise.all(handles.map((handle) => handle.getAttribute("aria-label")))).toEqual(["Move B", "Move A"]);
    await page.getByRole("button", { name: "Revert" }).press("Enter");
    await save(page);
    await page.reload();
    expect(await page.getByRole("button", { name: "Revert" }).count()).toBe(0);
  });
});

const letters = ["A", "B", "C"].map((name) => ({ name, url: `https://${name.toLowerCase()}.example` }));

type EditorOptions = { links?: number; isPremium?: boolean };

/** A new user with a card, in the editor of its pass. */
async function openEditor({ links = 0, isPremium = false }: EditorOptions = {}) {
  const tab = await openUser(site, { ...desktop, ...reducedMotion });
  const { context, page, id } = tab;
  if (isPremium) makePremium(site.program, id);
  await saveProfile(context, site.program, { displayName: "Ada Lovelace", bio: "Poetical science" });
  const card = await makeCard(context, site.program, {
    email: "ada@example.com",
    phone: "+44 20 7946 0000",
    profession: "Mathematician",
    company: "Analytical Engines",
    links: letters.slice(0, links),
  });
  const path = `/cards/${card}/pass`;
  await openPage(page, path);
  return { ...tab, card, path, profilePath: `/u/${id}` };
}

async function expectNothingUnsaved(page: Page) {
  await page.getByRole("button", { name: "Change Background" }).waitFor();
  // What a page changes by itself shows after the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.getByText(unsaved, { exact: true }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Save & Update Pass" }).count()).toBe(0);
}

async function chooseBackground(page: Page, name: string) {
  await page.getByRole("button", { name: "Change Background" }).click();
  await modal(page).getByRole("button", { name, exact: true }).click();
}

/** Not a toast, which is a dialog too. */
const modal = (page: Page) => page.locator("dialog.ui-modal[open]").last();

async function uploadBackground(page: Page) {
  await page.getByRole("button", { name: "Change Background" }).click();
  await page.getByText("Upload Custom").click();
  await page.getByLabel("Choose a file").setInputFiles(await rotatedPhoto());
  await page.getByRole("button", { name: "Crop and Save" }).click();
  await modal(page).waitFor({ state: "detached" });
  await page.getByText("From your library", { exact: true }).waitFor();
}

async function save(page: Page) {
  await page.getByRole("button", { name: "Save & Update Pass" }).click();
  await page.getByRole("button", { name: /^Sav(?:e & Update Pass|ing\.\.\.)$/ }).waitFor({ state: "hidden" });
}

/** Opens the tab of the card's dialog on the owner's profile. */
async function openTab(page: Page, profilePath: string) {
  await openPage(page, profilePath);
  await page.getByRole("button", { name: /^View Card/ }).click();
  await page.getByRole("radio", { name: "Digital Pass" }).check();
  await page.getByRole("img", { name: "Front of your pass in Apple Wallet" }).waitFor();
}

/** Whether the page has a browser ask before it is left. */
function isLeavingAsked(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
}
