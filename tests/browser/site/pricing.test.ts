import { describe, expect, test } from "vitest";

import {
  desktop,
  blockScripts,
  waitForHydration,
  isOnTop,
  narrow,
  openSite,
  phone,
  reducedMotion,
} from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";

const site = openSite();

describe("the plans", () => {
  test("change to the yearly price without script, by mouse and by keyboard", async () => {
    const { page } = await site.open({ ...desktop, javaScriptEnabled: false });
    await page.goto("/pricing");
    const price = page.getByRole("region", { name: "Premium" });
    await price.getByText("$7.99").waitFor();
    await page.getByRole("radio", { name: /^Yearly/ }).check();
    await price.getByText("$80").waitFor();
    expect(await price.getByText("$7.99").isVisible()).toBe(false);
    await page.keyboard.press("ArrowLeft");
    await price.getByText("$7.99").waitFor();
    expect(await price.getByText("$80").isVisible()).toBe(false);
  });

  test("keep the billing period chosen before hydration", async () => {
    const { page } = await site.open({ ...desktop, ...reducedMotion });
    const letGo = await blockScripts(page);
    await page.goto("/pricing", { waitUntil: "domcontentloaded" });
    await page.getByRole("radio", { name: /^Yearly/ }).check();
    letGo();
    await waitForHydration(page);
    expect(await page.getByRole("radio", { name: /^Yearly/ }).isChecked()).toBe(true);
    await page.getByRole("region", { name: "Premium" }).getByText("$80").waitFor();
  });

  test.each(["dark", "light"])("use dark text on paper cards in the %s theme", async (theme) => {
    const { page, context } = await site.open();
    await context.addCookies([{ name: "theme", value: theme, url: site.url }]);
    for (const path of ["/pricing", "/cancel"]) {
      await page.goto(path);
      const printed =
        path === "/pricing" ? page.getByRole("heading", { name: "Premium", exact: true }) : page.locator("h1");
      expect(await printed.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(23, 24, 27)");
    }
    await page.goto("/pricing");
    const button = page.getByRole("link", { name: "Start free" });
    expect(await button.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(23, 24, 27)");
    const premium = page.getByRole("region", { name: "Premium" });
    const sheet = await premium.evaluate((element) => getComputedStyle(element).backgroundImage);
    expect(sheet).toContain(theme === "light" ? "rgb(255, 255, 255)" : "rgb(251, 249, 244), rgb(241, 237, 227)");
  });

  test.each([
    ["a phone", phone],
    ["a desktop", desktop],
  ])("have one filled button in the first window of %s: Sign up for Free", async (_, device) => {
    const { page } = await site.open(device);
    await page.goto("/pricing");
    const filled = page.locator("main :is(a, button).bg-main");
    expect(await filled.allInnerTexts()).toEqual(["Sign up for Free"]);
    expect(await isOnTop(filled)).toBe(true);
  });

  test("are tables for screen readers on the narrowest phone too, without horizontal overflow", async () => {
    const { page } = await site.open(narrow);
    await page.goto("/pricing");
    const table = page.getByRole("table", { name: "Plans side by side" });
    await table.getByRole("columnheader", { name: "Premium" }).waitFor();
    const row = table.getByRole("row", { name: /^Business cards/ });
    expect(await row.getByRole("cell").allInnerTexts()).toEqual(["1", "Unlimited"]);
    await row.getByRole("rowheader", { name: "Business cards" }).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBe(0);
  });
});

describe("the account", () => {
  test("can be checked in place, and then shows the new plan", async () => {
    const { page, context } = await site.open();
    const { id } = await signUp(context, site.program, "refresh@example.com");
    await page.goto("/account");
    await waitForHydration(page);
    await page.getByText("None", { exact: true }).waitFor();
    makePremium(site.program, id);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByText("Checked just now.").waitFor();
  });

  test("is deleted only after typing the word, which signs the user out", async () => {
    const { page, context } = await site.open();
    const { id } = await signUp(context, site.program, "leaving@example.com");
    await page.goto("/account");
    await page.getByRole("link", { name: "Delete account" }).click();
    await page.getByRole("heading", { name: "Are you sure you want to leave?" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Submit & Continue" }).click();
    const remove = page.getByRole("button", { name: "Delete My Account" });
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await page.getByLabel("Type DELETE to confirm").fill("delete");
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await page.getByLabel("Type DELETE to confirm").fill("DELETE");
    await remove.click();
    await page.getByText("Your account was deleted").waitFor();
    await page.getByRole("link", { name: "Sign In" }).first().waitFor();
    expect((await page.goto(`/u/${id}`))?.status()).toBe(404);
  });

  test("is deleted without script too; the server checks the word", async () => {
    const { page, context } = await site.open({ ...desktop, javaScriptEnabled: false });
    await signUp(context, site.program, "plain@example.com");
    await page.goto("/account/delete");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Submit & Continue" }).click();
    await page.getByLabel("Type DELETE to confirm").fill("no");
    await page.getByRole("button", { name: "Delete My Account" }).click();
    await page.getByText("Please type DELETE to confirm.").waitFor();
    await page.getByLabel("Type DELETE to confirm").fill("DELETE");
    await page.getByRole("button", { name: "Delete My Account" }).click();
    await page.getByText("Your account was deleted").waitFor();
  });
});
