import { gzipSync } from "node:zlib";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { plainImage } from "#tests/support/app/uploads.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, desktop, narrow, openOwnSite, phone, openPage } from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, openUser } from "#tests/support/browser/users.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { makePremium } from "#tests/support/program/database.ts";
import { unreachableGoogle } from "#tests/support/providers/google-wallet/wallet-double.ts";

const site = openOwnSite({ ...walletSettings, ...unreachableGoogle(), DEMO: "on" });

const iphone = {
  ...phone,
  userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1",
};

async function openOwner(device: Parameters<typeof site.open>[0] = desktop) {
  const tab = await openUser(site, device);
  const { id: ownerId } = tab;
  makePremium(site.program, ownerId);
  await saveProfile(tab.context, site.program, { displayName: "Ada Lovelace" });
  const card = await makeCard(tab.context, site.program, { profession: "Mathematician" });
  return { ...tab, ownerId, card };
}

async function openDialog({ page, ownerId }: Awaited<ReturnType<typeof openOwner>>) {
  await openPage(page, `/u/${ownerId}`);
  await page.getByRole("button", { name: /^View Card/ }).click();
  return page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
}

async function expectAccessibleInBothModes(page: Page) {
  for (const mode of ["dark", "light"]) {
    await page.evaluate((mode) => (document.documentElement.dataset["mode"] = mode), mode);
    expect(await findAxeViolations(page), mode).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

test.each([
  ["a computer", desktop, ["Add to Google Wallet"]],
  ["a narrow phone with Android", narrow, ["Add to Google Wallet"]],
])("the badge of Google Wallet is shown on %s without script, and fits", async (_, device, expected) => {
  const { page } = await site.open({ ...device, javaScriptEnabled: false });
  await page.goto("/card/demo-card");
  const badges = page.locator(".wallets > *:visible");
  expect((await badges.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim())).toEqual(expected);
  for (const badge of await badges.all()) {
    const { x, width, height } = await boxOf(badge);
    expect(height).toBeGreaterThanOrEqual(44);
    expect(x + width).toBeLessThanOrEqual(device.viewport.width);
  }
  expect(gzipSync(await page.content()).length).toBeLessThanOrEqual(10_000);
});

test("the badge of Google Wallet leads to a page that offers the pass while Google can't be reached", async () => {
  const { page, consoleErrors } = await site.open(phone);
  await page.goto("/card/demo-card");
  await expectAccessibleInBothModes(page);
  await page.getByRole("link", { name: "Add to Google Wallet" }).press("Enter");
  await page.getByRole("heading", { name: "Google Wallet isn’t available" }).waitFor();
  await expectAccessibleInBothModes(page);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the pass" }).press("Enter");
  expect((await download).suggestedFilename()).toMatch(/\.pkpass$/);
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining("a status of 503")]);
});

test("on an iPhone a banner asks to finish the pass, and the Wallet button of the card dialog opens it", async () => {
  const owner = await openOwner(iphone);
  const { page } = owner;
  await openPage(page, "/account");
  await page.evaluate(() => scrollTo(0, innerHeight * 1.5));
  const banner = page.locator(".ui-bottom-banner");
  await banner.waitFor();
  expect(await banner.innerText()).toMatch(
    /Finish your wallet pass\s+Add your links, photo, and theme—looks great on iOS & Android\.\s+Open Profile/,
  );
  expect(await banner.getByRole("link").getAttribute("href")).toBe("/profile");

  const dialog = await openDialog(owner);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByText("Your Wallet Pass is Ready").waitFor(),
    dialog.getByText("Your device should now prompt you to add the pass.").waitFor(),
    dialog.getByRole("button", { name: "Wallet" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.pkpass$/);
});

test("on a computer the dialog opens Google's page beside it, waits 30 seconds, and shows what failed", async () => {
  const owner = await openOwner();
  const { page, card, consoleErrors } = owner;
  const dialog = await openDialog(owner);
  const [opened] = await Promise.all([
    owner.context.waitForEvent("page"),
    dialog.getByRole("button", { name: "Wallet" }).click(),
  ]);
  await opened.waitForURL(/\/google-wallet$/);
  expect(await dialog.isVisible()).toBe(true);
  await opened.close();
  await page.bringToFront();

  const passFunction = "**/functions/v1/generate-wallet-pass?*";
  const button = dialog.getByRole("button", { name: /^(Wallet|Creating\.\.\.)$/ });
  await page.clock.install();
  await page.route(passFunction, () => new Promise(() => undefined));
  await button.click();
  await dialog.getByRole("button", { name: "Creating..." }).waitFor();
  const timedOut = dialog.getByText("Request timed out. Please try again.");
  await page.clock.runFor(20_000);
  expect(await timedOut.count()).toBe(0);
  await Promise.all([timedOut.waitFor(), page.clock.runFor(10_000)]);
  await page.clock.resume();
  await page.unroute(passFunction);
  const refusals: [number, object, string][] = [
    [503, { error: "Too many passes are being made right now. Try again in a moment." }, "Too many passes"],
    [500, {}, "Failed to generate Apple Wallet pass"],
    [
      404,
      { error: "PassKit Template Required", instructions: "Read docs/wallet.md." },
      "You need to set up a PassKit template first. Check the console for instructions.",
    ],
  ];
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  for (const [status, json, text] of refusals) {
    await page.route(passFunction, (route) => route.fulfill({ status, json }));
    await button.click();
    await dialog.getByRole("alert").getByText(text, { exact: false }).waitFor();
    await page.unroute(passFunction);
  }
  expect(logged).toContain("Read docs/wallet.md.");
  await owner.context.setOffline(true);
  await button.click();
  await dialog.getByText("Failed to generate Apple Wallet pass").waitFor();
  await owner.context.setOffline(false);

  await page.route(`**/cards/${card}/pass.data*`, (route) => route.abort());
  await dialog.getByText("Digital Pass").click();
  await dialog.getByText("Couldn’t load your pass").waitFor();
  await dialog.getByText("Your connection was lost. Check it, then try again.").waitFor();
  await page.unroute(`**/cards/${card}/pass.data*`);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText("Pass Background").waitFor();
  // The browser reports the refused requests.
  expect(consoleErrors.splice(0).filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
});

test("the editor of a pass adds it, keeps the draft, and tries again what failed: images, a tint, an upload, the library", async () => {
  const { page, context, card, consoleErrors } = await openOwner();
  await page.route("**/pass-images/**", (route) => route.abort());
  await openPage(page, `/cards/${card}/pass`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByText("Apple Wallet Pass Ready").waitFor(),
    page.getByRole("link", { name: "Add to Apple Wallet" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.pkpass$/);
  await page.getByLabel("Email").uncheck();

  await page.getByRole("button", { name: "Apply Tint" }).click();
  const problem = page.getByText("An original image must be selected first.");
  await problem.waitFor();
  await page.getByRole("button", { name: "Change Background" }).click();
  await page.getByText("Could not load default images.").waitFor();
  await page.unroute("**/pass-images/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Could not load default images.").waitFor({ state: "detached" });
  const image = page.locator("dialog img").first();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Moon" }).click();
  await problem.waitFor({ state: "detached" });

  await page.route("**/functions/v1/tint-image", (route) => route.fulfill({ status: 500, body: "no" }));
  const color = page.locator("input[type=color]:visible");
  await color.fill("#802040");
  await page.getByRole("button", { name: "Apply Tint" }).click();
  await page.getByText("Could not apply color tint.").waitFor();
  expect(await color.inputValue()).toBe("#802040");
  await page.unroute("**/functions/v1/tint-image");
  await page.getByRole("button", { name: "Apply Tint" }).click();
  await page.getByText("Could not apply color tint.").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Change Logo" }).click();
  const dialog = page.getByRole("dialog", { name: "Pass Logo" });
  await dialog.getByText("My Library").click();
  await dialog.getByText("Your asset library for logos is empty.").waitFor();
  await dialog.getByText("Upload New").click();
  const buffer = await plainImage(480, 150).png().toBuffer();
  await dialog.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Crop and Save" }).click();
  await dialog.getByText("Upload failed").waitFor();
  await context.setOffline(false);
  await page.route(`**/cards/${card}/pass.data*`, (route) => route.abort());
  await dialog.getByRole("button", { name: "Crop and Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByAltText("Your logo").waitFor();
  await page.getByRole("button", { name: "Change Logo" }).click();
  await dialog.getByText("My Library").click();
  await dialog.getByText("Failed to load your logos. Please try again.").waitFor();
  await page.unroute(`**/cards/${card}/pass.data*`);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByRole("button", { name: /^logo/ }).waitFor();
  await dialog.getByText("Failed to load your logos. Please try again.").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");

  expect(await page.getByLabel("Email").isChecked()).toBe(false);
  await page.getByRole("button", { name: "Save & Update Pass" }).click();
  await page.getByText("Digital Pass Updating").waitFor();
  consoleErrors.length = 0;

  await page.setViewportSize(narrow.viewport);
  for (const path of [`/cards/${card}/pass`, `/share/card/${card}`]) {
    await openPage(page, path);
    await expectAccessibleInBothModes(page);
  }
});
