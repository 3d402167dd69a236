import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { openOwnSite, phone, openPage } from "#tests/support/browser/site.ts";
import { findShortUrl, makeCard, saveProfile, signUp } from "#tests/support/browser/users.ts";
import { seededPassword as password } from "#tests/support/database/seed.ts";
import { makePremium } from "#tests/support/program/database.ts";

const site = openOwnSite({}, { isOffline: true });

test("without a network, the owner's pages are the cached QR codes with their date, and other pages the browser's error", async () => {
  const tab = await openAsOwner("ada@example.com");
  const { page, context, id, card } = tab;
  const { pathname: shortPath } = new URL(await findShortUrl(context, { url: site.url, card }));
  for (const path of ["/u/demo-user", "/card/demo-card", "/profile"]) await page.goto(path);
  await context.setOffline(true);
  const own = ["/profile", `/cards/edit/${card}`, `/share/card/${card}`, "/share/profile", "/", "/my-qr"];
  for (const path of [...own, `/card/${card}`, shortPath, `/u/${id}`, `/u/${id}/card`, "/u/ada"]) {
    await page.goto(path);
    await page.getByText("You’re offline. These codes were saved on").waitFor();
    await page.getByRole("img", { name: "QR code with the contact details of Ada Lovelace" }).waitFor();
  }
  expect(await page.locator("time").textContent()).toContain(String(new Date().getFullYear()));
  await page.getByRole("radio", { name: "Link" }).check({ force: true });
  await page.getByRole("img", { name: "QR code for Ada Lovelace's page" }).first().waitFor();
  await page.getByRole("link", { name: "Next code" }).click();
  await expect
    .poll(() => page.locator(".slides").evaluate(({ scrollLeft, clientWidth }) => scrollLeft / clientWidth))
    .toBe(1);
  expect(await findAxeViolations(page)).toEqual([]);
  const beside = await site.openBeside(tab);
  const others = [
    "/u/demo-user",
    "/card/demo-card",
    `/card/${card}/qr.svg`,
    `/share/card/${card}/print.pdf`,
    "/pricing",
  ];
  for (const path of others) await expect(beside.page.goto(path), path).rejects.toThrow(/ERR_/);
  await page.bringToFront();
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByText("You’re offline").waitFor({ state: "hidden" });
  expect(await cachedAddresses(page)).toEqual(["/my-qr"]);
});

test("with a network, pages come from the server, and saved changes are cached", async () => {
  const { page, context } = await openAsOwner("cleo@example.com");
  await page.goto("/cards/edit");
  // The Free plan has room for one card: the server leads away from the form.
  await page.waitForURL((url) => url.pathname !== "/cards/edit");
  await openPage(page, "/profile");
  await page.getByLabel("Display name").fill("Cleo Renamed");
  await page.getByRole("button", { name: "Save & Close" }).click();
  await page.waitForURL("**/u/**");
  await expect.poll(() => cachedText(page)).toContain("Cleo Renamed");
  await context.setOffline(true);
  await page.goto("/profile");
  await page.getByRole("heading", { name: "Cleo Renamed" }).first().waitFor();
});

test("the cached page is deleted after signing out and once the session has ended, and the next user's is cached", async () => {
  const { page, context } = await openAsOwner("dora@example.com");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL("**/auth");
  await expect.poll(() => cachedText(page)).toBe("");
  await context.setOffline(true);
  await expect(page.goto("/profile")).rejects.toThrow(/ERR_/);
  await context.setOffline(false);

  await join(context, "eve@example.com", "Eve");
  await page.goto("/profile");
  await expect.poll(() => cachedText(page)).toContain("Eve");
  expect(await cachedText(page)).not.toContain("Dora");

  await context.clearCookies();
  await page.goto("/profile");
  await page.waitForURL("**/auth?**");
  await expect.poll(() => cachedText(page)).toBe("");
  // Another user signs in here: their page is cached from their first visit on.
  await page.getByLabel("Email").fill("dora@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/profile");
  await expect.poll(() => cachedText(page)).toContain("Dora");
});

test("works without workers and storage", async () => {
  const tab = await site.open({ ...phone, serviceWorkers: "block" });
  const { id } = await join(tab.context, "gus@example.com", "Gus");
  makePremium(site.program, id);
  await makeCard(tab.context, site.program, { email: "gus@example.org" });
  await tab.page.addInitScript(`
    navigator.serviceWorker.register = () => {
      window.isRefused = true;
      return Promise.reject(new DOMException("", "SecurityError"));
    };
    Object.defineProperty(window, "caches", { get() { throw new DOMException("", "SecurityError") } });
  `);
  await openPage(tab.page, "/profile");
  await expect.poll(() => tab.page.evaluate("window.isRefused")).toBe(true);
  await tab.page.goto("/my-qr");
  await tab.page.getByRole("heading", { name: "My QR" }).waitFor();
  // Of several codes, only their row can be scrolled sideways.
  expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport.width);
});

/** A phone that is signed in, with a card, and keeps its page. */
async function openAsOwner(email: string) {
  const tab = await site.open({ ...phone, serviceWorkers: "allow" });
  const name = email.startsWith("ada") ? "Ada Lovelace" : `${email[0]?.toUpperCase()}${email.slice(1).split("@")[0]}`;
  const { id, card } = await join(tab.context, email, name);
  await tab.page.goto("/profile");
  await expect.poll(() => cachedText(tab.page)).toContain(name);
  await tab.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return { ...tab, id, card };
}

async function join(context: BrowserContext, email: string, displayName: string) {
  const { id } = await signUp(context, site.program, email);
  await saveProfile(context, site.program, { displayName, handle: email.split("@")[0] ?? "" });
  const card = await makeCard(context, site.program, { email, phone: "+44 20 7946 0000" });
  return { id, card };
}

function cachedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const kept = await caches.match("/my-qr");
    return kept ? await kept.text() : "";
  });
}

async function cachedAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(stores.map((store) => store.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}
