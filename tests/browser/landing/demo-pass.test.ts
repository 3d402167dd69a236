import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import {
  desktop,
  expectFocus,
  narrow,
  openOwnSite,
  phone,
  reducedMotion,
  waitForHydration,
} from "#tests/support/browser/site.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { gzipBytes } from "#tests/support/measurements.ts";

const site = openOwnSite({ ...walletSettings, DEMO: "on" });

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const addButton = (page: Page) => page.getByRole("button", { name: "Add to Apple Wallet" });

async function downloadPass(page: Page) {
  const download = page.waitForEvent("download");
  await addButton(page).press("Enter");
  return checkPass(await readFile(await (await download).path()), demoCertificates.root);
}

describe("the live demo's pass", () => {
  test.each([true, false])("is what was typed (with script: %s)", async (javaScriptEnabled) => {
    const { page } = await site.open({ ...desktop, ...reducedMotion, javaScriptEnabled });
    await page.goto("/");
    if (javaScriptEnabled) await waitForHydration(page);
    await field(page, "Name").fill("Ada Lovelace");
    await page.getByRole("radio", { name: "emerald" }).check({ force: true });
    const { problems, pass } = await downloadPass(page);
    expect(problems).toEqual([]);
    expect(pass).toMatchObject({ description: "Demo of a business card: Ada Lovelace", labelColor: "rgb(5, 105, 76)" });
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await field(page, "Name").inputValue()).toBe("Ada Lovelace");
  });

  test.each([
    ["a computer", desktop],
    ["a phone", phone],
    ["a narrow phone", narrow],
  ])("with bad input leads to a page that says why and makes it, on %s", async (_, device) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await site.open({ ...device, ...reducedMotion, colorScheme });
      await page.goto("/");
      await waitForHydration(page);
      if (device !== desktop) await page.getByText("Customize Pass").click();
      await field(page, "Company").fill("Analytical Engines");
      await field(page, "QR Payload").fill("https://elsewhere.example");
      await addButton(page).press("Enter");
      await page.getByRole("heading", { name: "Demo pass" }).waitFor();
      await expectFocus(field(page, "QR Payload"));
      expect(await field(page, "Company").inputValue()).toBe("Analytical Engines");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(device.viewport.width);
      expect(await findAxeViolations(page)).toEqual([]);
      await field(page, "QR Payload").fill("/u/ada");
      expect((await downloadPass(page)).pass).toMatchObject({ barcode: { message: `${site.url}/u/ada` } });
    }
  });

  test("leaves the landing page within 25 kB gzip of HTML and CSS", async () => {
    const { links } = await readHead(await fetch(site.url));
    const sheets = links.filter(({ rel }) => rel === "stylesheet").map(({ href }) => href);
    const sizes = await Promise.all(["/", ...sheets].map((path) => gzipBytes(site.url + path)));
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(25_000);
  });
});
