import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import {
  boxOf,
  desktop,
  waitForHydration,
  narrow,
  openSite,
  phone,
  reducedMotion,
  pauseClock,
  setToastCookie,
} from "#tests/support/browser/site.ts";
import { readLayoutShifts } from "#tests/support/browser/layout.ts";
import { saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

const dismissedKey = "meishi.banner-dismissed-until";
const banner = (page: Page) => page.locator("aside.ui-bottom-banner");

/** A page on a phone with `stored` in its local storage. */
async function openPhone(path: string, stored?: string, device: Parameters<typeof site.open>[0] = phone) {
  const tab = await site.open(device);
  if (stored !== undefined) {
    await tab.context.addInitScript(
      ([key, value]) => localStorage.setItem(key ?? "", value ?? ""),
      [dismissedKey, stored],
    );
  }
  await tab.page.goto(path);
  await waitForHydration(tab.page);
  return tab;
}

/** Scrolls past the first screen. */
const readOn = (page: Page) => page.evaluate(() => scrollTo(0, innerHeight * 1.5));

describe("the banner", () => {
  test("appears after the first screen or the hero of the landing page, and stays", async () => {
    const { page } = await openPhone("/credits");
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
    await readOn(page);
    await banner(page).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(300);
    expect(await banner(page).isVisible()).toBe(true);
    await page.goto("/");
    await waitForHydration(page);
    const hero = await boxOf(page.locator("main > section").first());
    await page.evaluate((end) => scrollTo(0, end - 40), hero.y + hero.height);
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
    await page.evaluate(() => scrollBy(0, 80));
    await banner(page).waitFor();
  });

  test("shows its caption at 320 pixels, also on a page with a form", async () => {
    const { page } = await openPhone("/contact", undefined, narrow);
    await readOn(page);
    await banner(page).waitFor();
    const caption = banner(page).getByText("Share a beautiful profile with QR/NFC in minutes.");
    expect((await boxOf(caption)).height).toBeGreaterThan(15);
  });

  test("comes after the last link in the tab order", async () => {
    const { page } = await openPhone("/credits");
    await page.locator("body > div > footer a").last().focus();
    await banner(page).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("See Plans");
  });

  test("invites visitors without a layout shift, and stays dismissed for seven days", async () => {
    const { page } = await openPhone("/credits");
    await readOn(page);
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Create your free Profile Hub today\s+Share a beautiful profile with QR\/NFC in minutes\.\s+See Plans/,
    );
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/pricing");
    expect(await readLayoutShifts(page)).toEqual([]);
    const before = Date.now() / 1000;
    await banner(page).getByRole("button", { name: "Dismiss" }).click();
    await banner(page).waitFor({ state: "detached" });
    const until = Number(await page.evaluate((key) => localStorage.getItem(key), dismissedKey));
    expect(until - before).toBeGreaterThan(7 * 86_400 - 2);
    expect(until - before).toBeLessThan(7 * 86_400 + 60);
    await page.goto("/");
    await waitForHydration(page);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
  });

  test.each([String(Math.floor(Date.now() / 1000) - 1), "soon", "{}", "99999999999", ""])(
    "is shown when %j is stored",
    async (stored) => {
      const { page } = await openPhone("/credits", stored);
      await readOn(page);
      await banner(page).waitFor();
    },
  );

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
    const { page, context } = await openPhone("/pricing");
    await readOn(page);
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
    await page.setViewportSize({ width: 768, height: 800 });
    await page.goto("/credits");
    await readOn(page);
    await banner(page).waitFor({ state: "attached" });
    expect(await banner(page).isVisible()).toBe(false);
    await page.setViewportSize(phone.viewport);
    await signUp(context, site.program, "member@example.com");
    await page.goto("/account");
    await readOn(page);
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Finish your profile\s+Add your links, photo, and theme—looks great on iOS & Android\.\s+Open Profile/,
    );
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/profile");
    await saveProfile(context, site.program, { links: [{ label: "Site", url: "https://example.com" }] });
    await page.goto("/account");
    await readOn(page);
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(/^Add your photo\s/);
    for (const path of ["/profile", "/cards/edit", "/share/profile"]) {
      await page.goto(path);
      await waitForHydration(page);
      expect(await banner(page).count(), path).toBe(0);
    }
  });

  test("covers neither the end of a page nor a toast", async () => {
    const { page, context } = await openPhone("/credits", undefined, { ...phone, ...reducedMotion });
    await readOn(page);
    await banner(page).waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const end = await boxOf(page.locator("footer p"));
    expect(end.y + end.height).toBeLessThanOrEqual((await boxOf(banner(page))).y);
    await setToastCookie(context, site.program, "Saved");
    await page.reload({ waitUntil: "commit" });
    // The toast stays while it has the focus.
    await page.locator("dialog.ui-toast button").focus();
    await waitForHydration(page);
    await readOn(page);
    await banner(page).waitFor();
    const toast = await boxOf(page.locator("dialog.ui-toast"));
    expect(toast.y + toast.height).toBeLessThanOrEqual((await boxOf(banner(page))).y);
  });
});

describe("the scrollbar", () => {
  const state = (page: Page) => page.evaluate(() => document.documentElement.dataset["scrollbar"]);

  test("appears while scrolling or near the pointer, and hides 600 ms later without a layout shift", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/credits");
    await waitForHydration(page);
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
    const mouse = await site.open(desktop);
    await mouse.page.goto("/credits");
    await waitForHydration(mouse.page);
    await expect.poll(() => color(mouse.page)).toBe(hidden);
    for (const options of [
      phone,
      { ...desktop, forcedColors: "active" as const },
      { ...desktop, contrast: "more" as const },
    ]) {
      const { page } = await site.open(options);
      await page.goto("/credits");
      await waitForHydration(page);
      await expect.poll(() => state(page)).toBe("hidden");
      expect(await color(page)).not.toBe(hidden);
    }
  });
});

test("scroll animations never hide content, and respect reduced motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const { page } = await site.open({ ...desktop, reducedMotion });
    await page.goto("/");
    const looks = await page.locator(".reveal").evaluateAll((all) =>
      all
        .map((one) => getComputedStyle(one))
        .map(({ opacity, visibility, animationName }) => ({
          isSeen: opacity === "1" && visibility === "visible",
          animationName,
        })),
    );
    expect(looks.length).toBeGreaterThan(3);
    expect(looks.every(({ isSeen }) => isSeen)).toBe(true);
    const name = reducedMotion === "reduce" ? "none" : "reveal";
    expect(looks.every(({ animationName }) => animationName === name)).toBe(true);
  }
});

test("a printed page is dark on light, without buttons", async () => {
  const { page } = await site.open(desktop);
  await page.goto("/credits");
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(23, 24, 27)");
  expect(await page.locator("body > div > header").isVisible()).toBe(false);
  expect(await page.locator("body > div > footer").isVisible()).toBe(false);
});
