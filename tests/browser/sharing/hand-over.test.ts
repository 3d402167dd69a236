import { expect, test } from "vitest";

import { seededPassword } from "#tests/support/database/seed.ts";
import { openPage, openSite, phone, reducedMotion } from "#tests/support/browser/site.ts";

import { openOwner, sendVisitor } from "./kiosk-device.ts";

const site = openSite();

test("a phone that was handed over leaves no page of its owner open, and comes back with the password", async () => {
  const own = await openOwner(site, "hand-over@example.com");
  const tab = await site.open({ ...phone, ...reducedMotion, storageState: own.state, serviceWorkers: "allow" });
  const { page } = tab;
  const [idle, typing] = [await site.openBeside(tab), await site.openBeside(tab)];
  await openPage(idle.page, "/leads");
  await openPage(typing.page, "/profile");
  await typing.page.getByLabel("Display Name").fill("Ada, unsaved");
  await openPage(page, `/cards/${own.card}/hand-over`);
  // The owner's offline page is stored.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => caches.has("meishi-offline"))).toBe(true);
  await page.getByRole("button", { name: "Hand over this phone" }).click();
  await page.getByRole("heading", { name: "Leave your contact" }).waitFor();

  await expect.poll(() => new URL(idle.page.url()).pathname).toMatch(/^\/kiosk\//);
  expect(await typing.page.getByText("Display Name").isVisible()).toBe(false);
  await expect.poll(() => page.evaluate(() => caches.has("meishi-offline"))).toBe(false);
  await sendVisitor(page, "Handed");
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/kiosk\//);
  await page.goto("/leads");
  expect(new URL(page.url()).pathname).toMatch(/^\/kiosk\//);

  await page.getByRole("link", { name: "Unlock" }).click();
  await page.getByLabel("PIN or password").fill(seededPassword);
  await page.getByRole("button", { name: "Unlock this phone" }).click();
  await page.getByText("Welcome back").waitFor();
  expect(new URL(page.url()).pathname).toBe("/leads");
  // What was typed is still there.
  await expect.poll(() => typing.page.getByLabel("Display Name").isVisible()).toBe(true);
  expect(await typing.page.getByLabel("Display Name").inputValue()).toBe("Ada, unsaved");
});
