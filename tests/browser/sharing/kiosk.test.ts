import { beforeAll, describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { findOverflow } from "#tests/support/browser/layout.ts";
import { boxOf, expectFocus, narrow, openSite, pauseClock, openPage } from "#tests/support/browser/site.ts";

import { fillIn, nextVisitor, openOwner, openTablet, sendVisitor, visitorName } from "./kiosk-device.ts";
import type { Owner } from "./kiosk-device.ts";

const site = openSite();
let owner: Owner;

beforeAll(async () => {
  owner = await openOwner(site, "kiosk@example.com");
});

describe("a visitor", () => {
  test("sends the form, is thanked, and the next one gets an empty form after ten seconds", async () => {
    const link = await owner.createLink();
    const { page, requests } = await openTablet(site, link);
    await pauseClock(page);
    await sendVisitor(page, "One");
    await expectFocus(page.getByRole("heading", { name: "has your details" }));
    await expect.poll(() => owner.leads()).toContain(visitorName("One"));
    expect(await page.content()).not.toContain("One@example.org");
    await page.clock.runFor(9_000);
    expect(await page.getByRole("heading", { name: "has your details" }).isVisible()).toBe(true);
    await page.clock.runFor(2_000);
    await expectFocus(page.getByRole("heading", { name: "Leave your contact" }));
    // No one is there: the page invites, and a touch anywhere starts.
    expect(await page.getByRole("textbox").count()).toBe(0);
    await page.touchscreen.tap(30, 30);
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    // So does an empty form that no one uses.
    await page.clock.runFor(121_000);
    await page.getByRole("button", { name: "Touch to start" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("");
    expect(await page.getByRole("checkbox").first().isChecked()).toBe(false);
    // It leads nowhere else, and loads nothing else.
    expect(await page.getByRole("link").count()).toBe(0);
    const loaded = new Set(requests.map((url) => new URL(url).pathname));
    expect([link, "/kiosk-worker.js", `${link}/leads`]).toEqual(expect.arrayContaining([...loaded]));
  });

  test("sees the whole form with its button on a tablet, in either direction", async () => {
    const { page } = await site.open({ viewport: { width: 1024, height: 768 } });
    await page.goto(await owner.createLink());
    const send = page.getByRole("button", { name: "Share your details" });
    for (const [width, height] of [
      [1024, 768],
      [768, 1024],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { y, height: buttonHeight } = await boxOf(send);
      expect(y + buttonHeight).toBeLessThan(height);
    }
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
    await page.getByRole("button", { name: "Touch to start" }).click();
    expect(await name.inputValue()).toBe("");
    await name.press("Control+z");
    expect(await name.inputValue()).toBe("");
    await page.reload();
    expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe("");
  });

  test("gets errors next to the fields, with nothing typed lost, and sends with the keyboard alone, once", async () => {
    const { page } = await openTablet(site, await owner.createLink());
    const email = page.getByRole("textbox", { name: "Email" });
    await email.waitFor();
    const { height } = await boxOf(email);
    await email.fill("ada@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Enter your name.").waitFor();
    // A field beside one with an error is as high as before.
    expect((await boxOf(email)).height).toBe(height);
    await page.getByRole("textbox", { name: "Name" }).fill(visitorName("Keys"));
    await email.fill("keys");
    await page.keyboard.press("Enter");
    await expectFocus(email);
    expect(await email.getAttribute("aria-describedby")).toBe("email-error");
    expect(await page.locator("#email-error").textContent()).toContain("valid email address");
    expect(await page.locator("#consent-answer-error").textContent()).toContain("Check this box");
    await email.fill("keys@example.org");
    await page.getByRole("checkbox").first().press("Space");
    await page.evaluate(() => {
      const form = document.querySelector("form");
      for (let press = 0; press < 20; press++) form?.requestSubmit();
    });
    await page.getByRole("button", { name: "Next visitor" }).press("Enter");
    const heading = page.getByRole("heading", { name: "Leave your contact" });
    await expectFocus(heading);
    // Only what a visitor can use has a ring.
    expect(await heading.evaluate((focused) => getComputedStyle(focused).outlineStyle)).toBe("none");
    await fillIn(page, "After");
    await page.getByRole("button", { name: "Share your details" }).press("Enter");
    await expect.poll(() => owner.leads()).toContain(visitorName("After"));
    expect((await owner.leads()).filter((name) => name === visitorName("Keys"))).toHaveLength(1);
  });

  test("gets the form as its owner changed it, once the one before has finished", async () => {
    const changing = await openOwner(site, "kiosk-changing@example.com");
    const { page } = await openTablet(site, await changing.createLink());
    await fillIn(page, "Early");
    await changing.saveForm({ version: "1", "field-phone": "required" });
    // The device requests the form whenever the network comes back.
    const asked = page.waitForResponse((response) => response.request().resourceType() === "fetch");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await asked;
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe(visitorName("Early"));
    expect(await page.getByRole("textbox", { name: "Phone" }).count()).toBe(0);
    await page.getByRole("button", { name: "Share your details" }).click();
    await nextVisitor(page);
    await page.getByRole("textbox", { name: "Phone" }).waitFor();
    await expect.poll(() => changing.leads()).toEqual([visitorName("Early")]);
  });
});

test("starts on the owner's own device, signed out, so that leaving it leads to no account", async () => {
  const own = await openOwner(site, "kiosk-own@example.com");
  const { page } = await site.open({ ...narrow, storageState: own.state });
  await openPage(page, `/cards/${own.card}/kiosk`);
  await page.getByRole("button", { name: "Create kiosk link" }).click();
  await page.getByRole("button", { name: "Sign out and start here" }).click();
  await page.getByRole("heading", { name: "Leave your contact" }).waitFor();
  expect(await page.getByText("Someone is signed in").count()).toBe(0);
  await page.goto("/leads");
  expect(new URL(page.url()).pathname).toBe("/auth");
});

test("says that it needs a network where it isn't opened over https, and sends the form all the same", async () => {
  const { page } = await site.open(narrow);
  await page.addInitScript(() => Object.defineProperty(globalThis, "isSecureContext", { value: false }));
  await page.goto(await owner.createLink());
  await page.getByText("the form works only with a network").waitFor();
  await page.getByText("About this device").click();
  await page.getByText("What is stored and why").click();
  expect(await findOverflow(page, [320, 640])).toEqual([]);
  await sendVisitor(page, "Plain");
  // Other screens of a kiosk are in the audits.
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findOverflow(page, [320, 640])).toEqual([]);
  expect(await owner.leads()).toContain(visitorName("Plain"));
  expect(await page.content()).not.toContain("Plain");
});
