import { readFileSync } from "node:fs";

import ICAL from "ical.js";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { waitForHydration, openOwnSite, phone } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { readTally } from "#tests/support/program/database.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

const site = openOwnSite();

const withoutScript = { ...phone, javaScriptEnabled: false };

describe("first use", () => {
  test("a new user makes a card, and a stranger scans and saves it", { timeout: 120_000 }, async () => {
    const owner = await site.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await signUp(owner.page);
    await makeProfile(owner.page);
    const { address: copied, id } = await makeCard(owner);
    const address = copied.replace(/\?l$/, "");
    const subject = `card:${id}`;

    const stranger = await site.open(withoutScript);
    const { page } = stranger;
    await page.goto(copied);
    await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
    await page.getByText("Mathematician · 12 years").waitFor();
    expect(await scanPage(page)).toBe(`${address}?q`);
    for (const file of ["qr.svg", "qr.png", "qr.png?size=200"]) {
      const picture = await page.request.get(`${address}/${file}`);
      expect(await scanQrCode(await picture.body()), file).toBe(`${address}?q`);
    }
    await page.goto((await scanPage(page)) ?? "");
    expect(await saveContact(page)).toEqual(contact(address));
    await checkPublicPages(page);

    const other = await site.open(phone);
    await other.page.goto(address);
    const opened = other.context.waitForEvent("page");
    await other.page.getByRole("link", { name: "Notes on the engine" }).click();
    await opened;

    await correctCard(owner.page);
    await page.goto(address);
    await page.getByText("Countess · 12 years").waitFor();
    // The stranger's two visits, by the copied link and without a mark, and the other visitor's. The owner's own are not counted. The
    // contact was saved on the page that the scan opened.
    const link = await linkIdOf(page, "Notes on the engine");
    await expect
      .poll(() => readTally(site.program, subject))
      .toEqual({ visit: 2, "visit link": 1, "visit qr": 1, "save qr": 1, [`click ${link}`]: 1 });
  });
});

/** From the landing page through the confirmation mail into the editor. */
async function signUp(page: Page) {
  await page.goto("/");
  await page.getByRole("link", { name: "Get Started" }).first().click();
  await page.getByRole("heading", { name: "Create your free account" }).waitFor();
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("tea with Charles");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByText("Check your email for the confirmation link!").waitFor();
  await page.getByRole("link", { name: "Open mailbox" }).click();
  const mail = page.getByRole("link", { name: "Confirm your email" });
  // Mails are sent in the background.
  await expect.poll(() => page.reload().then(() => mail.count())).toBe(1);
  await mail.click();
  await page.getByRole("link", { name: /\/auth\/confirm/ }).click();
  await page.getByRole("button", { name: "Confirm and sign in" }).click();
  await Promise.all([page.waitForURL("**/start/name"), page.getByText("Email confirmed").waitFor()]);
  // The three steps: tests/browser/start.
  await page.goto("/profile");
}

async function makeProfile(page: Page) {
  await waitForHydration(page);
  await page.getByLabel("Display name").fill("Ada Lovelace");
  await page.getByLabel("Bio").fill("Poetical science.");
  await page.getByLabel("Handle").fill("ada");
  await page.getByRole("radio", { name: "Ocean" }).check();
  await addLink(page, "Portfolio", "ada.example/work");
  await addLink(page, "Poems", "ada.example/poems");
  await page.getByRole("button", { name: "Save & Close" }).click();
  await page.getByText("Profile saved").waitFor();
  await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
}

async function addLink(page: Page, name: string, url: string) {
  await page.getByRole("button", { name: "Add link" }).click();
  await page.keyboard.type(url);
  // Selects the name that was filled in.
  await page.keyboard.press("Tab");
  await page.keyboard.type(name);
}

/** The card's address as the owner copies it from its page, with the source mark of a link. */
async function makeCard({ page, context }: Tab): Promise<{ address: string; id: string }> {
  await page.getByRole("link", { name: "Create card" }).click();
  await waitForHydration(page);
  expect(await page.getByLabel("Card name").inputValue()).toBe("Ada Lovelace Business Card");
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  await page.getByLabel("Phone", { exact: true }).fill("+44 20 7946 0000");
  await page.getByLabel("Profession / Title").fill("Mathematician");
  await page.getByLabel("Company").fill("Analytical Engines");
  await page.locator("summary", { hasText: "Professional Information" }).click();
  await page.getByLabel("Position").fill("Head of Research");
  await page.getByLabel("Years of experience").fill("12");
  await page.getByRole("textbox", { name: "Name", exact: true }).last().fill("Notes on the engine");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Business card created successfully.").waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const shown = await context.newPage();
  await shown.goto(`${site.url}/card/${id}`);
  await shown.getByRole("button", { name: "Share" }).click();
  await shown.getByRole("button", { name: "Copy link" }).click();
  await shown.getByText("Link copied").waitFor();
  const address = await shown.evaluate(() => navigator.clipboard.readText());
  await shown.close();
  return { address, id };
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

/** The contact as a phone's address book reads it. */
async function saveContact(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save Contact" }).click(),
  ]);
  const card = new ICAL.Component(ICAL.parse(readFileSync(await file.path(), "utf8")));
  const text = (name: string) => card.getFirstPropertyValue(name)?.toString();
  const names = ["version", "fn", "n", "email", "tel", "title", "org", "note"];
  const urls = card.getAllProperties("url").map((url) => url.getFirstValue()?.toString());
  return { file: file.suggestedFilename(), ...Object.fromEntries(names.map((name) => [name, text(name)])), urls };
}

function contact(address: string) {
  return {
    file: "Ada Lovelace.vcf",
    version: "3.0",
    fn: "Ada Lovelace",
    n: "Lovelace,Ada,,,",
    email: "ada@example.com",
    tel: "+44 20 7946 0000",
    title: "Mathematician · Head of Research",
    org: "Analytical Engines",
    note: "Poetical science.\n\n12 years of experience",
    urls: [address, "https://ada.example/work"],
  };
}

/** Goes to the profile and through its tabs. */
async function checkPublicPages(page: Page) {
  await page.getByRole("link", { name: "View Full Profile" }).click();
  await page.waitForURL("**/u/ada");
  expect(await page.title()).toBe("Ada Lovelace | Professional Profile");
  await page.getByRole("link", { name: "Portfolio" }).waitFor();
  expect(await page.getByRole("link", { name: "Poems" }).isVisible()).toBe(false);
  await page.getByRole("radio", { name: "Personal" }).check();
  await page.getByRole("link", { name: "Poems" }).waitFor();
  expect(await page.getByRole("link", { name: "Portfolio" }).isVisible()).toBe(false);
}

/** The owner edits the card in its dialog. */
async function correctCard(page: Page) {
  await page.getByRole("link", { name: "Back to Profile" }).click();
  await page.waitForURL("**/profile");
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await waitForHydration(page);
  await page.getByRole("button", { name: /^View Card/ }).click();
  await page.getByRole("radio", { name: "Edit Details" }).check();
  await page.getByLabel("Profession / Title").fill("Countess");
  await page.getByRole("button", { name: "Save Details" }).click();
  await page.getByText("Details Saved").waitFor();
}

function linkIdOf(page: Page, name: string) {
  return page.getByRole("link", { name }).getAttribute("data-target");
}
