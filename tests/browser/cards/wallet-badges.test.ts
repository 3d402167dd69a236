import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, narrow, openOwnSite, phone } from "#tests/support/browser/site.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const site = openOwnSite({ ...walletSettings, DEMO: "on" });
const path = "/card/demo-card";

describe("the wallet badges on a card's page", () => {
  test.each([
    ["a computer", desktop, ["Add to Apple Wallet", "Continue on your phone"]],
    ["a phone with Android", phone, ["Add to Wallet"]],
    ["a narrow phone", narrow, ["Add to Wallet"]],
  ])("on %s work without script", async (_, device, expected) => {
    const { page } = await site.open({ ...device, javaScriptEnabled: false });
    await page.goto(path);
    const badges = page.locator(".wallets > *");
    const visible = [];
    for (const badge of await badges.all()) if (await badge.isVisible()) visible.push(badge);
    const names = await Promise.all(
      visible.map(async (badge) => (await badge.innerText()).replaceAll(/\s+/g, " ").trim()),
    );
    expect(names).toEqual(expected);
    for (const badge of visible) {
      const box = await badge.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(device.viewport.width);
    }
  });

  test("lead to the pass, and on a computer to the code that a phone scans", async () => {
    const { page } = await site.open(desktop);
    await page.goto(path);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Add to Apple Wallet" }).press("Enter");
    expect((await download).suggestedFilename()).toMatch(/\.pkpass$/);
    await page.getByRole("button", { name: "Continue on your phone" }).press("Enter");
    await page.getByRole("img", { name: "QR code" }).waitFor();
  });

  test("are accessible in a light and a dark browser", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await site.open({ ...desktop, colorScheme });
      await page.goto(path);
      expect(await findAxeViolations(page)).toEqual([]);
    }
  });
});
