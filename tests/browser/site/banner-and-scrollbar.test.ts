import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import {
  boxOf,
  desktop,
  expectFocus,
  waitForHydration,
  narrow,
  openSite,
  phone,
  reducedMotion,
  pauseClock,
  setToastCookie,
  openPage,
} from "#tests/support/browser/site.ts";
import { readLayoutShifts } from "#tests/support/browser/layout.ts";
import { openUser, saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

const banner = (page: Page) => page.locator("aside.ui-bottom-banner");

/** Scrolls past the first screen. */
const readOn = (page: Page) => page.evaluate(() => scrollTo(0, innerHeight * 1.5));

/** Waits until observers of what is in view have run. */
const drawn = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
  });

describe("the banner", () => {
  test("comes back only after a press that ends typing, so that the button below it gets the press", async () => {
    const { page } = await openUser(site, { ...phone, ...reducedMotion });
    await openPage(page, "/account");
    await page.getByText("Change password", { exact: true }).first().click();
    await page.getByLabel("Current password").last().fill("not the password");
    for (const label of ["New password", "Confirm password"]) await page.getByLabel(label).fill("tea for two");
    const button = page.getByRole("button", { name: "Change password", exact: true });
    // As a phone's keyboard leaves it: at the lower edge, where the bars were.
    await button.evaluate((element) => element.scrollIntoView({ block: "end", behavior: "instant" }));
    await button.click();
    await page.getByText("This isn’t your current password.").waitFor();
  });

  test("appears after the first screen or the hero, without a layout shift, stays, and is the last stop of the keyboard", async () => {
    const { page } = await site.open(narrow);
    await openPage(page, "/");
    const hero = await boxOf(page.locator("main > section").first());
    await page.evaluate((end) => scrollTo(0, end - 40), hero.y + hero.height);
    await drawn(page);
    expect(await banner(page).count()).toBe(0);
    await page.evaluate(() => scrollBy(0, 80));
    await banner(page).waitFor();

    await openPage(page, "/contact");
    await drawn(page);
    expect(await banner(page).count()).toBe(0);
    await page.locator("body > div > footer a").last().focus();
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Create your free Profile Hub today\s+Share a beautiful profile with QR\/NFC in minutes\.\s+See Plans/,
    );
    const caption = banner(page).getByText("Share a beautiful profile with QR/NFC in minutes.");
    expect((await boxOf(caption)).height).toBeGreaterThan(15);
    expect(await readLayoutShifts(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await expectFocus(banner(page).getByRole("link", { name: "See Plans" }));
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/pricing");
    await page.evaluate(() => scrollTo(0, 0));
    await drawn(page);
    expect(await banner(page).isVisible()).toBe(true);
  });

  // For how long, and what a foreign value in the storage does: call-to-action-banner.test.ts.
  test("stays dismissed on other pages", async () => {
    const { page } = await site.open(phone);
    await openPage(page, "/credits");
    await readOn(page);
    await banner(page).getByRole("button", { name: "Dismiss" }).click();
    await banner(page).waitFor({ state: "detached" });
    await openPage(page, "/");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await drawn(page);
    expect(await banner(page).count()).toBe(0);
  });

  test("can be dismissed without local storage", async () => {
    const { page, context } = await site.open(phone);
    await context.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("denied", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: refuse });
    });
    await page.goto("/credits");
    await readOn(page);
    await banner(page).getByRole("button", { name: "Dismiss" }).click();
    await banner(page).waitFor({ state: "detached" });
  });

  test("isn't shown on pages with a save bar, on its own target and on wide screens", async () => {
    const { page, context } = await site.open(phone);
    await openPage(page, "/pricing");
    await readOn(page);
    await drawn(page);
    expect(await banner(page).count()).toBe(0);
    await signUp(context, site.program, "member@example.com");
    await page.goto("/account");
    await readOn(page);
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Finish your profile\s+Add your links, photo, and theme—looks great on iOS & Android\.\s+Open Profile/,
    );
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/profile");
    await page.setViewportSize({ width: 768, height: 800 });
    expect(await banner(page).isVisible()).toBe(false);
    await page.setViewportSize(phone.viewport);
    await saveProfile(context, site.program, { links: [{ label: "Site", url: "https://example.com" }] });
    await page.goto("/account");
    await readOn(page);
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(/^Add your photo\s/);
    for (const path of ["/profile", "/cards/edit", "/share/profile"]) {
      await openPage(page, path);
      expect(await banner(page).count(), path).toBe(0);
    }
  });

  test("covers neither the end of a page nor a toast", async () => {
    const { page, context } = await site.open({ ...phone, ...reducedMotion });
    await setToastCookie(context, site.program, "Saved");
    await page.goto("/credits", { waitUntil: "commit" });
    // The toast stays while it has the focus.
    await page.locator("dialog.ui-toast button").focus();
    await waitForHydration(page);
    await readOn(page);
    await banner(page).waitFor();
    const toast = await boxOf(page.locator("dialog.ui-toast"));
    expect(toast.y + toast.height).toBeLessThanOrEqual((await boxOf(banner(page))).y);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const end = await boxOf(page.locator("footer p"));
    expect(end.y + end.height).toBeLessThanOrEqual((await boxOf(banner(page))).y);
  });
});

describe("the scrollbar", () => {
  const state = (page: Page) => page.evaluate(() => document.documentElement.dataset["scrollbar"]);

  test("appears while scrolling or near the pointer, and hides 600 ms later without a layout shift", async () => {
    const { page } = await site.open(desktop);
    await openPage(page, "/credits");
    const width = () => page.evaluate(() => document.documentElement.clientWidth);
    const before = await width();
    await expect.poll(() => state(page)).toBe("hidden");
    await pauseClock(page);
    await page.mouse.move(400, 400);
    const scrolled = page.evaluate(() =>
      new Promise((resolve) => addEventListener("scrollend", resolve)).then(() => 1),
    );
    await page.mouse.wheel(0, 300);
    await scrolled;
    for (const [after, expected] of [
      [149, "scrolling"],
      [1, "idle"],
      [449, "idle"],
      [1, "hidden"],
    ] as const) {
      await page.clock.runFor(after);
      expect(await state(page)).toBe(expected);
    }
    await page.mouse.move(1275, 400);
    await expect.poll(() => state(page)).toBe("interacting");
    await page.clock.runFor(10_000);
    expect(await state(page)).toBe("interacting");
    await page.mouse.move(600, 400);
    await expect.poll(() => state(page)).toBe("idle");
    await page.clock.runFor(449);
    expect(await state(page)).toBe("idle");
    await page.clock.runFor(1);
    expect(await state(page)).toBe("hidden");
    expect(await width()).toBe(before);
  });

  test("stays visible on touch screens, with forced colors and without script", async () => {
    const color = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).scrollbarColor);
    const hidden = "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)";
    for (const device of [desktop, phone]) {
      const { page } = await site.open(device);
      await openPage(page, "/credits");
      await expect.poll(() => state(page)).toBe("hidden");
      if (device === desktop) await expect.poll(() => color(page)).toBe(hidden);
      else expect(await color(page)).not.toBe(hidden);
      for (const media of [{ forcedColors: "active" }, { contrast: "more" }] as const) {
        await page.emulateMedia({ forcedColors: "none", contrast: "no-preference", ...media });
        expect(await color(page)).not.toBe(hidden);
      }
    }
  });
});

test("scroll animations never hide content, and respect reduced motion; a printed page is dark on light, without buttons", async () => {
  const { page } = await site.open(desktop);
  await page.goto("/");
  for (const [reducedMotion, name] of [
    ["no-preference", "reveal"],
    ["reduce", "none"],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    const looks = await page
      .locator(".reveal")
      .evaluateAll((all) =>
        all
          .map((one) => getComputedStyle(one))
          .map(({ opacity, visibility, animationName }) => [opacity, visibility, animationName].join()),
      );
    expect(looks.length).toBeGreaterThan(3);
    expect([...new Set(looks)]).toEqual([`1,visible,${name}`]);
  }
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(23, 24, 27)");
  expect(await page.locator("body > div > header").isVisible()).toBe(false);
  expect(await page.locator("body > div > footer").isVisible()).toBe(false);
});
