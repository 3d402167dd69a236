import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { plainImage } from "#tests/support/app/uploads.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, narrow, openOwnSite, openSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import type { Site } from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, signUp } from "#tests/support/browser/users.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { unreachableGoogle } from "#tests/support/providers/google-wallet/wallet-double.ts";

const site = openOwnSite({ ...walletSettings, ...unreachableGoogle(), PLAN_FOR_EVERYONE: "premium" });
/** Without passes. */
const plainSite = openSite();

const iphone = {
  ...phone,
  userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1",
};

let users = 0;

async function openOwner(on: Site, device: Parameters<Site["open"]>[0] = desktop) {
  const tab = await on.open(device);
  const { id: ownerId } = await signUp(tab.context, on.program, `pass-owner-${++users}@example.com`);
  await saveProfile(tab.context, on.program, { displayName: "Ada Lovelace" });
  const card = await makeCard(tab.context, on.program, { profession: "Mathematician" });
  return { ...tab, ownerId, card };
}

async function openDialog(owner: Awaited<ReturnType<typeof openOwner>>) {
  const { page, ownerId } = owner;
  await page.goto(`/u/${ownerId}`);
  await waitForHydration(page);
  await page.getByRole("button", { name: /^View Card/ }).click();
  return page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
}

const passFunction = "**/functions/v1/generate-wallet-pass?*";

/** Has the function answer this. */
async function answer(page: Page, status: number, body: object) {
  await page.route(passFunction, (route) => route.fulfill({ status, json: body }));
}

describe("the Wallet button of the card dialog", () => {
  test("opens the pass on an Apple device, and says that it is ready", async () => {
    const owner = await openOwner(site, iphone);
    const dialog = await openDialog(owner);
    const [file] = await Promise.all([
      owner.page.waitForEvent("download"),
      dialog.getByText("Your Wallet Pass is Ready").waitFor(),
      dialog.getByText("Your device should now prompt you to add the pass.").waitFor(),
      dialog.getByRole("button", { name: "Wallet" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.pkpass$/);
  });

  test("opens Google's page beside this one on another device", async () => {
    const owner = await openOwner(site);
    const dialog = await openDialog(owner);
    const [opened] = await Promise.all([
      owner.context.waitForEvent("page"),
      dialog.getByRole("button", { name: "Wallet" }).click(),
    ]);
    await opened.waitForURL(/\/google-wallet$/);
    expect(await dialog.isVisible()).toBe(true);
  });

  test("waits 30 seconds, and shows what the server answers otherwise", async () => {
    const owner = await openOwner(site);
    const { page, consoleErrors } = owner;
    const dialog = await openDialog(owner);
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
    for (const [status, body, text] of refusals) {
      await answer(page, status, body);
      await button.click();
      await dialog.getByRole("alert").getByText(text, { exact: false }).waitFor();
      await page.unroute(passFunction);
    }
    expect(logged).toContain("Read docs/wallet.md.");
    await owner.context.setOffline(true);
    await button.click();
    await dialog.getByText("Failed to generate Apple Wallet pass").waitFor();
    // The browser reports the refused requests.
    expect(consoleErrors.splice(0).filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
  });
});

describe("where no passes can be made", () => {
  test("the definition is downloaded, and the toast says so", async () => {
    const { page, card } = await openOwner(plainSite);
    await page.goto(`/cards/${card}/pass`);
    await waitForHydration(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("Fallback Pass Downloaded").waitFor(),
      page.getByText("PassKit integration failed. Downloaded pass structure for manual creation.").waitFor(),
      page.getByRole("link", { name: "Download pass definition" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("wallet-pass.json");
  });
});

describe("the editor of a pass", () => {
  test("adds the pass for Apple Wallet, and says that it is ready", async () => {
    const { page, card } = await openOwner(site);
    await page.goto(`/cards/${card}/pass`);
    await waitForHydration(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("Apple Wallet Pass Ready").waitFor(),
      page.getByRole("link", { name: "Add to Apple Wallet" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.pkpass$/);
    await page.getByLabel("Email").uncheck();
    await page.getByRole("button", { name: "Save & Update Pass" }).click();
    await page.getByText("Digital Pass Updating").waitFor();
  });

  test("asks for an image before a tint, next to the tint, and keeps the color when the server fails", async () => {
    const { page, card, consoleErrors } = await openOwner(site);
    await page.goto(`/cards/${card}/pass`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Apply Tint" }).click();
    const problem = page.getByText("An original image must be selected first.");
    await problem.waitFor();
    await page.getByRole("button", { name: "Change Background" }).click();
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
    consoleErrors.length = 0;
  });

  test("offers to load default images again, in the dialog that shows them", async () => {
    const { page, card, consoleErrors } = await openOwner(site);
    await page.route("**/pass-images/**", (route) => route.abort());
    await page.goto(`/cards/${card}/pass`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Change Background" }).click();
    await page.getByText("Could not load default images.").waitFor();
    await page.unroute("**/pass-images/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Could not load default images.").waitFor({ state: "detached" });
    await expect
      .poll(() =>
        page
          .locator("dialog img")
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
    consoleErrors.length = 0;
  });

  test("keeps the draft and what was chosen when the library can't be loaded after an upload", async () => {
    const { page, context, card, consoleErrors } = await openOwner(site);
    await page.goto(`/cards/${card}/pass`);
    await waitForHydration(page);
    await page.getByLabel("Email").uncheck();
    await page.getByRole("button", { name: "Change Logo" }).click();
    const dialog = page.getByRole("dialog", { name: "Pass Logo" });
    await dialog.getByText("My Library").click();
    await dialog.getByText("Your asset library for logos is empty.").waitFor();
    await dialog.getByText("Upload New").click();
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await plainImage(480, 150).png().toBuffer() });
    await context.setOffline(true);
    await dialog.getByRole("button", { name: "Crop and Save" }).click();
    await dialog.getByText("Upload failed").waitFor();
    await context.setOffline(false);
    await page.route(`**/cards/${card}/pass.data*`, (route) => route.abort());
    await dialog.getByRole("button", { name: "Crop and Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByAltText("Your logo").waitFor();
    expect(await page.getByLabel("Email").isChecked()).toBe(false);
    await page.getByRole("button", { name: "Change Logo" }).click();
    await dialog.getByText("My Library").click();
    await dialog.getByText("Failed to load your logos. Please try again.").waitFor();
    await page.unroute(`**/cards/${card}/pass.data*`);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByRole("button", { name: /^logo/ }).waitFor();
    await dialog.getByText("Failed to load your logos. Please try again.").waitFor({ state: "detached" });
    expect(await findAxeViolations(page)).toEqual([]);
    consoleErrors.length = 0;
  });

  test("says in the card dialog why it can't be loaded, and tries again", async () => {
    const owner = await openOwner(site);
    const { page, consoleErrors, card } = owner;
    const dialog = await openDialog(owner);
    await page.route(`**/cards/${card}/pass.data*`, (route) => route.abort());
    await dialog.getByText("Digital Pass").click();
    await dialog.getByText("Couldn't load your pass").waitFor();
    await dialog.getByText("Your connection was lost. Check it, then try again.").waitFor();
    await page.unroute(`**/cards/${card}/pass.data*`);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByText("Pass Background").waitFor();
    consoleErrors.length = 0;
  });

  test("passes axe with the state of both wallets and without passes, and fits a narrow phone", async () => {
    for (const [on, device] of [
      [site, desktop],
      [site, narrow],
      [plainSite, narrow],
    ] as const) {
      const { page, card } = await openOwner(on, device);
      for (const path of [`/cards/${card}/pass`, `/share/card/${card}`]) {
        await page.goto(path);
        await waitForHydration(page);
        for (const mode of ["dark", "light"]) {
          await page.evaluate((mode) => (document.documentElement.dataset["mode"] = mode), mode);
          expect(await findAxeViolations(page), `${path} ${mode}`).toEqual([]);
        }
        const width = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(width).toBe(0);
      }
    }
  });
});

test("the banner asks to finish the pass, and leads to the profile", async () => {
  const { page } = await openOwner(site, phone);
  await page.goto("/account");
  await waitForHydration(page);
  await page.evaluate(() => scrollTo(0, innerHeight * 1.5));
  const banner = page.locator(".ui-bottom-banner");
  await banner.waitFor();
  expect(await banner.innerText()).toMatch(
    /Finish your wallet pass\s+Add your links, photo, and theme—looks great on iOS & Android\.\s+Open Profile/,
  );
  expect(await banner.getByRole("link").getAttribute("href")).toBe("/profile");
});
