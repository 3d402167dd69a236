import { describe, expect, test } from "vitest";

import { openSite } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";

import {
  fillIn,
  makeFirstEntryOld,
  nextVisitor,
  openOwner,
  openTablet,
  reloadOffline,
  sendVisitor,
  storedText,
  visitorName,
} from "./kiosk-device.ts";

const site = openSite({ isOffline: true });

async function openBeside(tab: Tab, path: string): Promise<Tab> {
  const beside = await site.openBeside(tab);
  await beside.page.goto(path);
  return beside;
}

describe("without a network", () => {
  test("contacts wait encrypted, through reloads and a closed page, and are sent once", async () => {
    const owner = await openOwner(site, "kiosk-offline@example.com");
    const link = await owner.createLink();
    const first = await openTablet(site, link);
    const { context } = first;
    await context.setOffline(true);
    await sendVisitor(first.page, "Alan");
    await nextVisitor(first.page);
    await reloadOffline(first.page);
    await sendVisitor(first.page, "Barbara");
    await first.page.getByText("2 waiting to be sent.").first().waitFor();
    await nextVisitor(first.page);
    await fillIn(first.page, "Unsent");
    const stored = await storedText(first);
    expect(stored).toContain('"content":"eyJ');
    for (const typed of ["Alan", "Barbara", "Unsent", "example.org"]) expect(stored).not.toContain(typed);

    const second = await openBeside(first, link);
    await first.page.close();
    await second.page.getByText("2 waiting to be sent.").first().waitFor();
    expect(await second.page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("");
    await context.setOffline(false);
    await expect.poll(() => owner.leads()).toEqual([visitorName("Alan"), visitorName("Barbara")]);
    await expect.poll(() => storedText(second)).not.toContain('"content":"eyJ');
    await second.page.getByText("About this device").click();
    await second.page.getByText("Nothing is waiting to be sent.").waitFor();
  });

  test("two tabs of a browser send each contact once", async () => {
    const other = await openOwner(site, "kiosk-tabs@example.com");
    const link = await other.createLink();
    const first = await openTablet(site, link);
    const second = await openBeside(first, link);
    await first.context.setOffline(true);
    await sendVisitor(first.page, "Cara");
    await sendVisitor(second.page, "Dan");
    await first.page.getByText("2 waiting to be sent.").first().waitFor();
    await first.context.setOffline(false);
    await expect.poll(() => other.leads()).toEqual([visitorName("Cara"), visitorName("Dan")]);
    const sent = [...first.requests, ...second.requests].filter((url) => url.endsWith("/leads"));
    expect(sent.length).toBeGreaterThan(0);
    await expect.poll(() => storedText(second)).not.toContain('"content":"eyJ');
  });
});

test("a contact whose answer from the server is lost is sent again, and stored once", async () => {
  const other = await openOwner(site, "kiosk-lost@example.com");
  const { page } = await openTablet(site, await other.createLink());
  let posts = 0;
  await page.route("**/leads", async (route) => {
    posts += 1;
    if (posts > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await sendVisitor(page, "Eve");
  await expect.poll(() => posts).toBe(2);
  await page.getByText("About this device").click();
  await page.getByText("Nothing is waiting to be sent.").waitFor();
  expect(await other.leads()).toEqual([visitorName("Eve")]);
});

test("a removed link says what is left on the device, without what is older than 90 days, and a new one sends it", async () => {
  const other = await openOwner(site, "kiosk-removed@example.com");
  const { page, context } = await openTablet(site, await other.createLink());
  await context.setOffline(true);
  await sendVisitor(page, "Old");
  await nextVisitor(page);
  await sendVisitor(page, "Fay");
  await nextVisitor(page);
  await makeFirstEntryOld(page, 91);
  await other.removeLinks();
  await context.setOffline(false);
  await page.getByRole("heading", { name: "This kiosk link doesn’t work" }).waitFor();
  // Also when it is opened without a network.
  await context.setOffline(true);
  await reloadOffline(page);
  await page.getByText("1 contact is still on this device.").waitFor();
  await context.setOffline(false);
  expect(await other.leads()).toEqual([]);
  await page.goto(await other.createLink());
  // The first of the two in the storage of the device was too old.
  await expect.poll(() => other.leads()).toHaveLength(1);
});

test("contacts wait while the form is off, are sent from its page, and the form returns by itself", async () => {
  const other = await openOwner(site, "kiosk-off@example.com");
  const tab = await openTablet(site, await other.createLink());
  await tab.context.setOffline(true);
  await sendVisitor(tab.page, "Gil");
  await nextVisitor(tab.page);
  await other.switchFormOff();
  await tab.context.setOffline(false);
  await tab.page.getByRole("heading", { name: "The form is off" }).waitFor();
  await expect.poll(() => other.leads()).toEqual([visitorName("Gil")]);
  await other.saveForm({ version: "2" });
  await tab.page.evaluate(() => dispatchEvent(new Event("online")));
  await tab.page.getByRole("heading", { name: "Leave your contact" }).waitFor();
});

describe("a browser that refuses to store anything", () => {
  test("notices that the link was removed", async () => {
    const other = await openOwner(site, "kiosk-no-cache@example.com");
    const link = await other.createLink();
    const { page } = await openTablet(site, link);
    await page.addInitScript(() => {
      CacheStorage.prototype.open = () => Promise.reject(new DOMException("", "QuotaExceededError"));
    });
    await page.goto(link);
    await page.getByRole("heading", { name: "Leave your contact" }).waitFor();
    await other.removeLinks();
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByRole("heading", { name: "This kiosk link doesn’t work" }).waitFor();
  });

  test("sends at once with a network, and without one keeps what was typed", async () => {
    const other = await openOwner(site, "kiosk-full@example.com");
    const link = await other.createLink();
    const tab = await openTablet(site, link);
    await tab.page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("", "QuotaExceededError");
      };
    });
    await tab.page.goto(link);
    await sendVisitor(tab.page, "Hal");
    await expect.poll(() => other.leads()).toEqual([visitorName("Hal")]);
    await nextVisitor(tab.page);
    await tab.context.setOffline(true);
    await fillIn(tab.page, "Ida");
    await tab.page.getByRole("button", { name: "Share your details" }).click();
    await tab.page.getByRole("alert").filter({ hasText: "can’t store your details" }).waitFor();
    expect(await tab.page.getByRole("textbox", { name: "Name" }).inputValue()).toBe(visitorName("Ida"));
    await tab.context.setOffline(false);
    await tab.page.getByRole("button", { name: "Share your details" }).click();
    await tab.page.getByRole("heading", { name: "has your details" }).waitFor();
    await expect.poll(() => other.leads()).toEqual([visitorName("Hal"), visitorName("Ida")]);
  });
});
