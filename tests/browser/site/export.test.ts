import { expect, test } from "vitest";

import { desktop, openOwnSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";

const site = openOwnSite();

test("an export gets ready on the open page, and downloads", async () => {
  const { page, context } = await site.open(desktop);
  await signUp(context, site.program, "ada@example.com");
  await page.goto("/account/export");
  await waitForHydration(page);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.getByRole("button", { name: "Prepare download" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download ZIP" }).click();
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  expect((await download).suggestedFilename()).toMatch(/^meishi-[\d-]{10}\.zip$/);
  expect(await (await download).failure()).toBeNull();
});

test("an export works without script", async () => {
  const { page, context } = await site.open({ ...phone, javaScriptEnabled: false });
  await signUp(context, site.program, "grace@example.com");
  await page.goto("/account/export");
  await page.getByRole("button", { name: "Prepare download" }).click();
  const ready = page.getByRole("link", { name: "Download ZIP" });
  await expect
    .poll(async () => {
      if (!(await ready.isVisible())) await page.getByRole("link", { name: "Refresh" }).click();
      return ready.isVisible();
    })
    .toBe(true);
  const download = page.waitForEvent("download");
  await ready.click();
  expect(await (await download).failure()).toBeNull();
});
