import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, narrow, openOwnSite, phone } from "#tests/support/browser/site.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { unreachableGoogle } from "#tests/support/providers/google-wallet/wallet-double.ts";

const site = openOwnSite({ ...walletSettings, ...unreachableGoogle(), DEMO: "on" });
const path = "/card/demo-card";

describe("the badge of Google Wallet on a card's page", () => {
  test.each([
    ["a computer", desktop, ["Add to Apple Wallet", "Add to Google Wallet", "Continue on your phone"]],
    ["a phone with Android", phone, ["Add to Google Wallet"]],
    ["a narrow phone", narrow, ["Add to Google Wallet"]],
  ])("is shown on %s without script, and fits", async (_, device, expected) => {
    const { page } = await site.open({ ...device, javaScriptEnabled: false });
    await page.goto(path);
    const visible = await page.locator(".wallets > *:visible").all();
    const names = await Promise.all(
      visible.map(async (badge) => (await badge.innerText()).replaceAll(/\s+/g, " ").trim()),
    );
    expect(names).toEqual(expected);
    for (const badge of visible) {
      const box = await badge.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(device.viewport.width);
    }
    expect(gzipSync(await page.content()).length).toBeLessThanOrEqual(10_000);
  });

  test("leads to a page that offers the pass while Google can't be reached", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, consoleErrors } = await site.open({ ...phone, colorScheme });
      await page.goto(path);
      expect(await findAxeViolations(page)).toEqual([]);
      await page.getByRole("link", { name: "Add to Google Wallet" }).press("Enter");
      await page.getByRole("heading", { name: "Google Wallet isn't available" }).waitFor();
      expect(await findAxeViolations(page)).toEqual([]);
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download the pass" }).press("Enter");
      expect((await download).suggestedFilename()).toMatch(/\.pkpass$/);
      expect(consoleErrors.splice(0)).toEqual([expect.stringContaining("a status of 503")]);
    }
  });
});
