import type { BrowserContext, Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { waitForHydration, openOwnSite, phone } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { findShortUrl, makeCard, saveProfile, signUp } from "#tests/support/browser/users.ts";
import { seededPassword as password } from "#tests/support/database/seed.ts";

const site = openOwnSite();
let opened: Tab[] = [];

// A browser notes that it had no network: that is what these tests are about.
afterEach(() => {
  for (const { consoleErrors } of opened) {
    const others = consoleErrors.filter((text) => !/ERR_(INTERNET_DISCONNECTED|FAILED)/.test(text));
    consoleErrors.splice(0, consoleErrors.length, ...others);
  }
  opened = [];
});

describe("without a network", () => {
  test("shows the cached QR codes, with their date, instead of the owner's pages", { timeout: 120_000 }, async () => {
    const { page, context, id, card } = await openAsOwner("ada@example.com");
    const { pathname: shortPath } = new URL(await findShortUrl(context, { url: site.url, card }));
    const year = String(new Date().getFullYear());
    await context.setOffline(true);
    for (const path of [
      "/profile",
      `/cards/edit/${card}`,
      `/share/card/${card}`,
      "/share/profile",
      "/",
      "/my-qr",
      `/card/${card}`,
      shortPath,
      `/u/${id}`,
      `/u/${id}/card`,
      "/u/ada",
    ]) {
      await page.goto(path);
      await page.getByText("You're offline. These codes were saved on").waitFor();
      await page.getByRole("img", { name: "QR code with the contact details of Ada Lovelace" }).waitFor();
    }
    expect(await page.locator("time").textContent()).toContain(year);
    await page.getByRole("radio", { name: "Link" }).check({ force: true });
    await page.getByRole("img", { name: "QR code for Ada Lovelace's page" }).first().waitFor();
    await page.getByRole("link", { name: "Next code" }).click();
    await expect
      .poll(() => page.locator(".slides").evaluate(({ scrollLeft, clientWidth }) => scrollLeft / clientWidth))
      .toBe(1);
    expect(await findAxeViolations(page)).toEqual([]);

    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByText("You're offline").waitFor({ state: "hidden" });
  });

  test("shows the browser's error page for other users' pages, files and unknown URLs", async () => {
    const { page, context, card } = await openAsOwner("bea@example.com");
    await page.goto("/u/demo-user");
    await page.goto("/card/demo-card");
    await page.goto("/profile");
    await context.setOffline(true);
    for (const path of [
      "/u/demo-user",
      "/card/demo-card",
      `/card/${card}/qr.svg`,
      `/share/card/${card}/print.pdf`,
      "/pricing",
    ]) {
      await expect(page.goto(path), path).rejects.toThrow(/ERR_/);
    }
    expect(await cachedAddresses(await reopenPage(page, context))).toEqual(["/my-qr"]);
  });
});

describe("with a network", () => {
  test("loads pages from the server, and caches saved changes", { timeout: 120_000 }, async () => {
    const { page, context } = await openAsOwner("cleo@example.com");
    await page.goto("/cards/edit");
    // The Free plan has room for one card: the server leads away from the form.
    await page.waitForURL((url) => url.pathname !== "/cards/edit");
    await page.goto("/profile");
    await waitForHydration(page);
    await page.getByLabel("Display name").fill("Cleo Renamed");
    await page.getByRole("button", { name: "Save & Close" }).click();
    await page.waitForURL("**/u/**");
    await expect.poll(() => cachedText(page)).toContain("Cleo Renamed");
    await context.setOffline(true);
    await page.goto("/profile");
    await page.getByRole("heading", { name: "Cleo Renamed" }).first().waitFor();
  });

  test("deletes the cached page after signing out, and caches the next user's", { timeout: 120_000 }, async () => {
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
  });

  test("deletes the cached page once the session has ended on the server", { timeout: 120_000 }, async () => {
    const { page, context } = await openAsOwner("finn@example.com");
    await context.clearCookies();
    await page.goto("/profile");
    await page.waitForURL("**/auth?**");
    await expect.poll(() => cachedText(page)).toBe("");
    // Another user signs in here: their page is cached from their first visit on.
    await page.getByLabel("Email").fill("finn@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Login" }).click();
    await page.waitForURL("**/profile");
    await expect.poll(() => cachedText(page)).toContain("Finn");
  });
});

test("works without workers and storage", async () => {
  const tab = await site.open({ ...phone, serviceWorkers: "block" });
  opened.push(tab);
  await join(tab.context, "gus@example.com", "Gus");
  await tab.page.addInitScript(`
    navigator.serviceWorker.register = () => Promise.reject(new DOMException("", "SecurityError"));
    Object.defineProperty(window, "caches", { get() { throw new DOMException("", "SecurityError") } });
  `);
  await tab.page.goto("/profile");
  await waitForHydration(tab.page);
  await tab.page.waitForTimeout(1_000);
  await tab.page.goto("/my-qr");
  await tab.page.getByRole("heading", { name: "My QR" }).waitFor();
});

/** A phone that is signed in, with a card, and keeps its page. */
async function openAsOwner(email: string) {
  const tab = await site.open({ ...phone, serviceWorkers: "allow" });
  opened.push(tab);
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

/** What the device keeps, as text. */
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

async function reopenPage(page: Page, context: BrowserContext): Promise<Page> {
  await context.setOffline(false);
  await page.goto("/profile");
  return page;
}
