import { readFileSync } from "node:fs";

import ICAL from "ical.js";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openSite, phone } from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, openUser } from "#tests/support/browser/users.ts";
import { readTally } from "#tests/support/program/database.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

const site = openSite();

// How the owner comes to a card: start.test.ts and card-editor.test.ts.
test("a stranger without script scans a card, saves the contact and opens the profile; visits are counted by source", async () => {
  const owner = await openUser(site, { permissions: ["clipboard-read", "clipboard-write"] });
  const links = [
    { label: "Portfolio", url: "https://ada.example/work" },
    { label: "Poems", url: "https://ada.example/poems" },
  ];
  await saveProfile(owner.context, site.program, { displayName: "Ada Lovelace", bio: "Poetical science.", links });
  const id = await makeCard(owner.context, site.program, {
    email: "ada@example.com",
    phone: "+44 20 7946 0000",
    profession: "Mathematician",
    company: "Analytical Engines",
    years_experience: "12",
    links: [{ name: "Notes on the engine", url: "https://ada.example/work" }],
  });
  const copied = await copyLink(owner.page, id);
  const address = copied.replace(/\?l$/, "");

  const { page } = await site.open({ ...phone, javaScriptEnabled: false });
  await page.goto(copied);
  await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
  await page.getByText("Mathematician · 12 years").waitFor();
  expect(await scanPage(page)).toBe(`${address}?q`);
  await page.goto(`${address}?q`);
  expect(await saveContact(page)).toEqual([
    "Ada Lovelace.vcf",
    "Ada Lovelace",
    "ada@example.com",
    "+44 20 7946 0000",
    "Analytical Engines",
    address,
    "https://ada.example/work",
  ]);
  await checkPublicPages(page);

  const other = await site.open(phone);
  await other.page.goto(address);
  const link = await linkIdOf(other.page, "Notes on the engine");
  const opened = other.context.waitForEvent("page");
  await other.page.getByRole("link", { name: "Notes on the engine" }).click();
  await opened;
  // The owner's own visit is not counted. The contact was saved on the page that the scan opened.
  await expect
    .poll(() => readTally(site.program, `card:${id}`))
    .toEqual({ visit: 1, "visit link": 1, "visit qr": 1, "save qr": 1, [`click ${link}`]: 1 });
});

/** The card's address as the owner copies it from its page, with the source mark of a link. */
async function copyLink(page: Page, id: string): Promise<string> {
  await page.goto(`/card/${id}`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Opens the QR code, scans a screenshot, and closes it again. */
async function scanPage(page: Page): Promise<string | undefined> {
  await page.getByRole("button", { name: "QR Code" }).click();
  await page.getByText("Scan to open this business card").waitFor();
  const read = await scanQrCode(await page.screenshot({ animations: "disabled" }));
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByText("Scan to open this business card").waitFor({ state: "hidden" });
  return read;
}

/** What a phone's address book reads from the downloaded contact; the rest of it: app/features/cards/vcard. */
async function saveContact(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save Contact" }).click(),
  ]);
  const card = new ICAL.Component(ICAL.parse(readFileSync(await file.path(), "utf8")));
  const values = ["fn", "email", "tel", "org"].map((name) => card.getFirstPropertyValue(name)?.toString());
  const urls = card.getAllProperties("url").map((url) => url.getFirstValue()?.toString());
  return [file.suggestedFilename(), ...values, ...urls];
}

/** Goes to the profile and through its tabs. */
async function checkPublicPages(page: Page) {
  await page.getByRole("link", { name: "View Full Profile" }).click();
  await page.waitForURL("**/u/*");
  expect(await page.title()).toBe("Ada Lovelace | Professional Profile");
  await page.getByRole("link", { name: "Portfolio" }).waitFor();
  expect(await page.getByRole("link", { name: "Poems" }).isVisible()).toBe(false);
  await page.getByRole("radio", { name: "Personal" }).check();
  await page.getByRole("link", { name: "Poems" }).waitFor();
  expect(await page.getByRole("link", { name: "Portfolio" }).isVisible()).toBe(false);
}

function linkIdOf(page: Page, name: string) {
  return page.getByRole("link", { name }).getAttribute("data-target");
}
