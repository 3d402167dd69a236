import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { dragRow } from "#tests/support/browser/editors.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, expectFocus, narrow, openSite, waitForHydration, openPage } from "#tests/support/browser/site.ts";
import { makeCard, openUser } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";

const site = openSite();

/** The profile editor of a Premium user with these cards, the first one on top. */
async function openList(names: string[], options?: Parameters<typeof site.open>[0]) {
  const tab = await openUser(site, options);
  const { id } = tab;
  makePremium(site.program, id);
  const ids: Record<string, string> = {};
  for (const card_name of names.toReversed()) ids[card_name] = await makeCard(tab.context, site.program, { card_name });
  await openPage(tab.page, "/profile");
  return { ...tab, ids, ownerId: id };
}

/** "ABC": the names of the cards in order. */
async function order(page: Page): Promise<string> {
  const names = await page
    .getByRole("button", { name: /^More actions for / })
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  return names.map((name) => name?.replace("More actions for ", "")).join("");
}

const more = (page: Page, name: string) => page.getByRole("button", { name: `More actions for ${name}` });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

async function choose(page: Page, card: string, action: string) {
  await more(page, card).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("the menu of a card supports the arrow keys, pauses with one tap, and confirms deletion, keeping unsaved changes", async () => {
  const { page, context, ids, ownerId, consoleErrors } = await openList(["A", "B", "C"]);
  await page.getByLabel("Bio").fill("Half a sentence");
  await more(page, "A").focus();
  await page.keyboard.press("Enter");
  // The first one can't move up.
  await expect.poll(() => focused(page)).toBe("Move down");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toBe("Open page");
  await page.keyboard.press("End");
  await expect.poll(() => focused(page)).toBe("Delete");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toBe("Move down");
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("More actions for A");

  const status = async () => (await context.request.get(`/card/${ids["A"]}`)).status();
  await choose(page, "A", "Pause");
  await page.getByText("Card paused").waitFor();
  await page.getByText("Paused by you").waitFor();
  await expect.poll(() => focused(page)).toBe("More actions for A");
  expect(await status()).toBe(404);
  await page.getByRole("button", { name: "Unpause A" }).click();
  await page.getByText("Card unpaused").waitFor();
  await expect.poll(() => focused(page)).toBe("More actions for A");
  expect(await status()).toBe(200);

  await context.setOffline(true);
  await choose(page, "A", "Pause");
  await page.getByText("Couldn’t reach the server, so nothing was changed.").waitFor();
  await page.getByRole("button", { name: "Move B", exact: true }).press("ArrowUp");
  await page.getByText("Your cards weren’t changed").waitFor();
  await expect.poll(() => order(page)).toBe("ABC");
  await context.setOffline(false);
  consoleErrors.length = 0; // the browser logs failed requests

  const question = page.getByRole("alertdialog", { name: "Are you sure you want to delete this business card?" });
  const askToDelete = async () => {
    await more(page, "B").press("Enter");
    // The menu's first item gets the focus after the toggle event.
    await expectFocus(page.getByRole("menuitem").first());
    await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    await question.waitFor();
  };
  await askToDelete();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  // The menu closes shortly after the dialog and returns the focus.
  await expectFocus(more(page, "B"));
  await askToDelete();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Business card deleted").waitFor();
  await expect.poll(() => order(page)).toBe("AC");
  expect(await page.getByLabel("Bio").inputValue()).toBe("Half a sentence");
  await page.getByLabel("Bio").fill("");

  await openPage(page, `/u/${ownerId}`);
  await choose(page, "C", "Pause");
  await page.getByText("Card paused").waitFor();
  await page.getByText("Paused by you").waitFor();
  expect(page.url()).toContain(`/u/${ownerId}`);
});

test("the order of cards changes by keyboard, menu and dragging, is announced, and is saved", async () => {
  const { page } = await openList(["A", "B", "C", "D"]);
  const grip = page.getByRole("button", { name: "Move D", exact: true });
  await grip.focus();
  for (const expected of ["ABDC", "ADBC", "DABC"]) {
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => order(page)).toBe(expected);
  }
  await expect.poll(() => focused(page)).toBe("Move D");
  await page.getByText("D moved to position 1 of 4.").waitFor();
  await choose(page, "A", "Move down");
  await expect.poll(() => order(page)).toBe("DBAC");
  const { x, y } = await boxOf(page.getByRole("button", { name: "Move C", exact: true }));
  await dragRow(page, { x: x + 20, y: y + 20, by: -440 });
  await page.mouse.up();
  await expect.poll(() => order(page)).toBe("CDBA");
  await expect.poll(async () => (await page.request.get("/profile")).text().then(stored)).toBe("CDBA");
  await page.reload();
  await expect.poll(() => order(page)).toBe("CDBA");
});

test("the menu fits the narrowest phone next to a long name, and a copy opens as a private card once changes are undone", async () => {
  const long = "Name-of-sixty-signs-without-a-space-that-goes-on-and-on-and-on";
  const { page } = await openList([long, "Studio"], narrow);
  await page.getByLabel("Bio").fill("Half a sentence");
  await more(page, "Studio").click();
  const menu = page.getByRole("menu", { name: "Studio" });
  await menu.waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const { x, width } = await boxOf(menu);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(320);

  // Asked without the browser's question, which a busy machine may leave out, or not take an answer to.
  const mayLeave = () => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await expect.poll(mayLeave).toBe(false);
  await page.keyboard.press("Escape");
  await page.getByLabel("Bio").fill("");
  await expect.poll(mayLeave).toBe(true);
  await choose(page, "Studio", "Duplicate");
  await page.getByText("The copy isn’t public yet.").waitFor();
  await page.waitForURL("**/cards/edit/*");
  expect(await page.getByLabel("Card name").inputValue()).toBe("Copy of Studio");
  expect(await page.getByLabel("Make this card publicly accessible").isChecked()).toBe(false);
});

const file = (name: string, text: string) => ({ name, mimeType: "", buffer: Buffer.from(text) });

test("a contact file fills in the form, which can be edited, undone and saved", async () => {
  const { page } = await openList([]);
  await page.getByRole("link", { name: "Import a card from a contact file" }).click();
  await waitForHydration(page);
  const choose = page.getByLabel("Choose a file");
  await choose.setInputFiles(file("letter.vcf", "Dear Ada"));
  await page.getByText("This is neither a contact file").waitFor();
  await expect.poll(() => page.getByLabel("Company").inputValue()).toBe("");

  await choose.setInputFiles(
    file(
      "ada.vcf",
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nORG:Engines\r\nBDAY:1815\r\nURL:https://a.example\r\nEND:VCARD",
    ),
  );
  await page.getByText("Skipped: birthday.").waitFor();
  expect(await page.getByLabel("Company").inputValue()).toBe("Engines");
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => page.getByLabel("Company").inputValue()).toBe("");

  await choose.setInputFiles(
    file("two.vcf", ["Ada", "Eve"].map((name) => `BEGIN:VCARD\nFN:${name}\nTITLE:T${name}\nEND:VCARD\n`).join("")),
  );
  await page.getByText("This file contains 2 contacts. Choose one:").waitFor();
  await expectFocus(page.getByRole("button", { name: /^Ada/ }));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByLabel("Profession / Title").inputValue()).toBe("TEve");
  await page.getByLabel("Company").fill("Own words");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.waitForURL("**/share/card/*");
  await page.goto(`/cards/edit/${new URL(page.url()).pathname.split("/").at(-1)}`);
  expect(await page.getByLabel("Card name").inputValue()).toBe("Eve");
  expect(await page.getByLabel("Company").inputValue()).toBe("Own words");
});

test("a file of links adds unsaved rows up to the limit", async () => {
  const { page } = await openList([]);
  await page.getByRole("button", { name: "Import from LinkedIn or a file" }).click();
  const choose = page.getByLabel("Choose a file to import");
  await choose.setInputFiles(file("letter.txt", "Dear Ada"));
  await page
    .getByText("Choose LinkedIn data (.zip), a saved page (.html, .mhtml) or a list of links (.json, .csv).")
    .waitFor();
  const links = Array.from({ length: 32 }, (_, n) => ({ title: `Site ${n}`, url: `https://s${n}.example` }));
  await choose.setInputFiles(
    file("links.json", JSON.stringify([...links, { title: "Win", url: "javascript:alert(1)" }])),
  );
  await page.getByText("Added 30 of 32. The limit is 30.").waitFor();
  await page
    .getByText("Skipped: “Win” (invalid URL), “Site 30” (over the limit), “Site 31” (over the limit).")
    .waitFor();
  await page.getByText("You have unsaved changes.").waitFor();
  await expect.poll(() => page.locator("#links summary b").allInnerTexts()).toHaveLength(30);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save & Close" }).click();
  await page.waitForURL("**/u/*");
  await page.goto("/profile");
  expect(await page.locator("#links summary b").first().innerText()).toBe("Site 0");
});

test("LinkedIn data changes name and bio only when asked, and Undo restores what was typed", async () => {
  const { page } = await openList([]);
  const bio = page.getByRole("textbox", { name: "Bio" });
  const press = (name: string) => page.getByRole("button", { name }).click();
  await bio.fill("Typed");
  await press("Import from LinkedIn or a file");
  const data = `First Name,Last Name,Headline,Summary,Websites\nAda,L,Analyst,"${"s".repeat(200)}",[BLOG:https://a.example]\n`;
  await page.getByLabel("Choose a file to import").setInputFiles(file("Profile.csv", data));
  await page.getByText("1 link added. Check them, then save.").waitFor();
  await page.getByText("Shortened to 160 characters.").waitFor();
  expect(await bio.inputValue()).toBe("Typed");
  await press("Use as bio: Headline");
  await press("Use as bio: Summary");
  expect(await bio.inputValue()).toBe(`${"s".repeat(159)}…`);
  expect(await findAxeViolations(page)).toEqual([]);
  await press("Undo: Summary");
  expect(await bio.inputValue()).toBe("Typed");
  await press("Use as name: Name");
  await press("Save & Close");
  await page.waitForURL("**/u/*");
  await page.getByRole("heading", { name: "Ada L" }).waitFor();
  await page.getByText("Typed").waitFor();
});

function stored(page: string): string {
  return [...new Set(page.match(/(?<=More actions for )[A-D]/g))].join("");
}

test("a long company on the image of a card ends before the avatar", async () => {
  const { page, context } = await openUser(site, narrow);
  await makeCard(context, site.program, { company: "Donaudampfschifffahrtselektrizitaetenhaupt" });
  await page.goto("/home");
  const image = page.getByRole("main").locator("svg[viewBox='0 0 182 110']");
  const company = await boxOf(image.getByText("DONAU"));
  expect(company.x + company.width).toBeLessThan((await boxOf(image.locator("g rect"))).x);
});
