import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";

import {
  desktop,
  blockScripts,
  waitForHydration,
  isOnTop,
  openSite,
  phone,
  reducedMotion,
  openPage,
} from "#tests/support/browser/site.ts";
import { openUser } from "#tests/support/browser/users.ts";
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

  test("use dark text on paper cards in both themes", async () => {
    const { page, context } = await site.open();
    const colorOf = (target: Locator) => target.evaluate((element) => getComputedStyle(element).color);
    const ink = "rgb(23, 24, 27)";
    for (const [theme, paper] of [
      ["dark", "rgb(251, 249, 244), rgb(241, 237, 227)"],
      ["light", "rgb(255, 255, 255)"],
    ] as const) {
      await context.addCookies([{ name: "theme", value: theme, url: site.url }]);
      await page.goto("/cancel");
      expect(await colorOf(page.locator("h1"))).toBe(ink);
      await page.goto("/pricing");
      expect(await colorOf(page.getByRole("heading", { name: "Premium", exact: true }))).toBe(ink);
      expect(await colorOf(page.getByRole("link", { name: "Start free" }))).toBe(ink);
      const premium = page.getByRole("region", { name: "Premium" });
      expect(await premium.evaluate((element) => getComputedStyle(element).backgroundImage)).toContain(paper);
    }
  });

  test("have one filled button in the first window, and are a table for screen readers on phones too", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/pricing");
    const filled = page.locator("main :is(a, button).bg-main");
    for (const { viewport } of [desktop, phone]) {
      await page.setViewportSize(viewport);
      expect(await filled.allInnerTexts()).toEqual(["Sign up for Free"]);
      expect(await isOnTop(filled)).toBe(true);
    }
    const table = page.getByRole("table", { name: "Plans side by side" });
    await table.getByRole("columnheader", { name: "Premium" }).waitFor();
    const row = table.getByRole("row", { name: /^Business cards/ });
    expect(await row.getByRole("cell").allInnerTexts()).toEqual(["1", "Unlimited"]);
    await row.getByRole("rowheader", { name: "Business cards" }).waitFor();
  });
});

test("the account shows a new plan when it is checked in place, and is deleted only after typing the word, which signs out", async () => {
  const { page, id } = await openUser(site);
  await openPage(page, "/account");
  expect(await page.getByRole("button", { name: "Refresh" }).count()).toBe(0);
  makePremium(site.program, id);
  await openPage(page, "/account");
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Checked just now.").waitFor();

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
});
