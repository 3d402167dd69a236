import { beforeAll, describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { findOverflow } from "#tests/support/browser/layout.ts";
import { expectFocus, narrow, openSite, pauseClock, waitForHydration } from "#tests/support/browser/site.ts";

import { fillIn, nextVisitor, openOwner, openTablet, sendVisitor, visitorName } from "./kiosk-device.ts";
import type { Owner } from "./kiosk-device.ts";

const site = openSite();
let owner: Owner;

beforeAll(async () => {
  owner = await openOwner(site, "kiosk@example.com");
});

describe("a visitor", () => {
  test("sends the form, is thanked, and the next one gets an empty form after ten seconds", async () => {
    const { page } = await openTablet(site, await owner.createLink());
    await pauseClock(page);
    await sendVisitor(page, "One");
    await expectFocus(page.getByRole("heading", { name: "Thank you" }));
    await expect.poll(() => owner.leads()).toContain(visitorName("One"));
    expect(await page.content()).not.toContain("One@example.org");
    await page.clock.runFor(9_000);
    expect(await page.getByRole("heading", { name: "Thank you" }).isVisible()).toBe(true);
    await page.clock.runFor(2_000);
    await expectFocus(page.getByRole("heading", { name: "Share your contact" }));
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("");
    expect(await page.getByRole("checkbox").first().isChecked()).toBe(false);
  });

  test("who leaves is followed by an empty form after a minute, with a warning before, and no way to undo", async () => {
    const { page } = await openTablet(site, await owner.createLink());
    await pauseClock(page);
    await fillIn(page, "Left");
    await page.clock.runFor(46_000);
    const name = page.getByRole("textbox", { name: "Name" });
    const warning = page.getByRole("alert").filter({ hasText: "Still there?" });
    await warning.getByRole("button", { name: "Keep it" }).click();
    await page.clock.runFor(1_000);
    await warning.waitFor({ state: "hidden" });
    expect(await name.inputValue()).toBe(visitorName("Left"));
    await page.clock.runFor(61_000);
    await expect.poll(() => name.inputValue()).toBe("");
    await name.press("Control+z");
    expect(await name.inputValue()).toBe("");
    await page.reload();
    expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe("");
  });

  test("sees a field as high as before beside one with an error", async () => {
    const { page } = await openTablet(site, await owner.createLink());
    const email = page.getByRole("textbox", { name: "Email" });
    const height = async () => (await email.boundingBox())?.height;
    const before = await height();
    await email.fill("ada@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Enter your name.").waitFor();
    expect(await height()).toBe(before);
  });

  test("gets errors next to the fields, with nothing typed lost, and sends with the keyboard alone", async () => {
    const { page } = await openTablet(site, await owner.createLink());
    await page.getByRole("textbox", { name: "Name" }).fill(visitorName("Keys"));
    await page.getByRole("textbox", { name: "Email" }).fill("keys");
    await page.keyboard.press("Enter");
    const email = page.getByRole("textbox", { name: "Email" });
    await expectFocus(email);
    expect(await email.getAttribute("aria-describedby")).toBe("email-error");
    expect(await page.locator("#email-error").textContent()).toContain("valid email address");
    expect(await page.locator("#consent-answer-error").textContent()).toContain("Check this box");
    expect(await findAxeViolations(page)).toEqual([]);
    await email.fill("keys@example.org");
    await page.getByRole("checkbox").first().press("Space");
    await page.getByRole("button", { name: "Share your contact" }).press("Enter");
    await page.getByRole("button", { name: "Next visitor" }).press("Enter");
    const heading = page.getByRole("heading", { name: "Share your contact" });
    await expectFocus(heading);
    // Only what a visitor can use has a ring.
    expect(await heading.evaluate((focused) => getComputedStyle(focused).outlineStyle)).toBe("none");
    await expect.poll(() => owner.leads()).toContain(visitorName("Keys"));
  });

  test("sends once by pressing twenty times", async () => {
    const { page } = await openTablet(site, await owner.createLink());
    await fillIn(page, "Twenty");
    await page.evaluate(() => {
      const form = document.querySelector("form");
      for (let press = 0; press < 20; press++) form?.requestSubmit();
    });
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await nextVisitor(page);
    await sendVisitor(page, "After");
    await expect.poll(() => owner.leads()).toContain(visitorName("After"));
    expect((await owner.leads()).filter((name) => name === visitorName("Twenty"))).toHaveLength(1);
  });

  test("gets the form as its owner changed it, once the one before has finished", async () => {
    const changing = await openOwner(site, "kiosk-changing@example.com");
    const { page } = await openTablet(site, await changing.createLink());
    await fillIn(page, "Early");
    await changing.saveForm({ version: "1", "field-phone": "required" });
    // The device asks for the form whenever the network comes back.
    const asked = page.waitForResponse((response) => response.request().resourceType() === "fetch");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await asked;
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe(visitorName("Early"));
    expect(await page.getByRole("textbox", { name: "Phone" }).count()).toBe(0);
    await page.getByRole("button", { name: "Share your contact" }).click();
    await nextVisitor(page);
    await page.getByRole("textbox", { name: "Phone" }).waitFor();
    await expect.poll(() => changing.leads()).toEqual([visitorName("Early")]);
  });
});

test("fits and is accessible at 320 px, dark and light, with the form and with the thanks", async () => {
  const link = await owner.createLink();
  for (const colorScheme of ["dark", "light"] as const) {
    const { page } = await site.open({ ...narrow, colorScheme });
    await page.goto(link);
    await page.getByText("About this device").click();
    await page.getByText("What is stored and why").click();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findOverflow(page, [320, 640])).toEqual([]);
    await sendVisitor(page, colorScheme);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findOverflow(page, [320, 640])).toEqual([]);
  }
});

test("starts on the owner's own device, signed out, so that leaving it leads to no account", async () => {
  const own = await openOwner(site, "kiosk-own@example.com");
  const { page } = await site.open({ ...narrow, storageState: own.state });
  await page.goto(`/cards/${own.card}/kiosk`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Create kiosk link" }).click();
  await page.getByRole("button", { name: "Sign out and start here" }).click();
  await page.getByRole("heading", { name: "Share your contact" }).waitFor();
  expect(await page.getByText("Someone is signed in").count()).toBe(0);
  await sendVisitor(page, "Owner");
  await page.goto("/leads");
  expect(new URL(page.url()).pathname).toBe("/auth");
});

test("says that it needs a network where it isn't opened over https, and sends the form all the same", async () => {
  const { page } = await site.open(narrow);
  await page.addInitScript(() => Object.defineProperty(globalThis, "isSecureContext", { value: false }));
  await page.goto(await owner.createLink());
  await page.getByText("the form works only with a network").waitFor();
  await sendVisitor(page, "Plain");
  expect(await owner.leads()).toContain(visitorName("Plain"));
  expect(await page.content()).not.toContain("Plain");
});

test("leads nowhere else, and asks to sign out where someone is signed in", async () => {
  const link = await owner.createLink();
  const { page } = await site.open({ storageState: owner.state });
  await page.goto(link);
  await page.getByText("Someone is signed in to Meishi in this browser.").waitFor();
  expect(await page.getByRole("link").count()).toBe(0);
  const device = await openTablet(site, link);
  expect(await device.page.getByText("Someone is signed in").count()).toBe(0);
  const loaded = device.requests.map((url) => new URL(url).pathname);
  expect(loaded.filter((path) => path !== link && path !== "/kiosk-worker.js")).toEqual([]);
});
