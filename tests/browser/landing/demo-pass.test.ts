import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import {
  boxOf,
  desktop,
  expectFocus,
  narrow,
  openOwnSite,
  reducedMotion,
  openPage,
} from "#tests/support/browser/site.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { gzipBytes } from "#tests/support/measurements.ts";
import { recordDays } from "#tests/support/program/database.ts";

const site = openOwnSite({ ...walletSettings, DEMO: "on" });

// With a week of records the landing page has one more sentence.
beforeAll(() => recordDays(site.program, 7));

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const addButton = (page: Page) => page.getByRole("button", { name: "Add to Apple Wallet" });

async function downloadPass(page: Page) {
  const download = page.waitForEvent("download");
  await addButton(page).press("Enter");
  return checkPass(await readFile(await (await download).path()), demoCertificates.root);
}

test("the landing page has at most 25 kB gzip of HTML and CSS, with every optional text", async () => {
  const response = await fetch(site.url);
  const page = await response.clone().text();
  for (const text of ["uptime over the past", "Add to Apple Wallet"]) expect(page).toContain(text);
  const { links } = await readHead(response);
  const sheets = links.filter(({ rel }) => rel === "stylesheet").map(({ href }) => href);
  expect(sheets.length).toBeGreaterThan(0);
  const sizes = await Promise.all(["/", ...sheets].map((path) => gzipBytes(site.url + path)));
  expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(25_000);
});

test.each([
  ["a computer", desktop],
  ["a narrow phone", narrow],
])("the live demo's pass with bad input leads to a page that says why and makes it, on %s", async (_, device) => {
  const { page } = await site.open({ ...device, ...reducedMotion });
  await openPage(page, "/");
  if (device !== desktop) await page.getByText("Customize Pass").click();
  await field(page, "Name").fill("Ada Lovelace");
  expect((await downloadPass(page)).pass).toMatchObject({ description: "Demo of a business card: Ada Lovelace" });
  await field(page, "Company").fill("Analytical Engines");
  await field(page, "QR Payload").fill("https://elsewhere.example");
  await addButton(page).press("Enter");
  await page.getByRole("heading", { name: "Demo pass" }).waitFor();
  await expectFocus(field(page, "QR Payload"));
  expect(await field(page, "Company").inputValue()).toBe("Analytical Engines");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(device.viewport.width);
  await page.emulateMedia({ colorScheme: device === desktop ? "light" : "dark" });
  expect(await findAxeViolations(page)).toEqual([]);
  await field(page, "QR Payload").fill("/u/ada");
  expect((await downloadPass(page)).pass).toMatchObject({ barcode: { message: `${site.url}/u/ada` } });
});

describe("the wallet badges on a card's page", () => {
  const path = "/card/demo-card";

  test.each([
    ["a computer", desktop, ["Add to Apple Wallet"]],
    ["a narrow phone with Android", narrow, ["Add to Wallet"]],
  ])("are those for %s, without script", async (_, device, expected) => {
    const { page } = await site.open({ ...device, javaScriptEnabled: false });
    await page.goto(path);
    const badges = page.locator(".wallets > *:visible");
    expect((await badges.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim())).toEqual(expected);
    for (const badge of await badges.all()) {
      const { x, width, height } = await boxOf(badge);
      expect(height).toBeGreaterThanOrEqual(44);
      expect(x + width).toBeLessThanOrEqual(device.viewport.width);
    }
  });

  test("lead to the pass, next to the button of the code that a phone scans", async () => {
    const { page } = await site.open(desktop);
    await page.goto(path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findAxeViolations(page), colorScheme).toEqual([]);
    }
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Add to Apple Wallet" }).press("Enter");
    expect((await download).suggestedFilename()).toMatch(/\.pkpass$/);
    await page.getByRole("button", { name: "QR Code" }).press("Enter");
    await page.getByRole("img", { name: "QR code" }).waitFor();
  });
});
