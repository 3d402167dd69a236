import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { boxOf, desktop, hydrated, openSite, phone, still, stopClock, leaveToast } from "#tests/support/browser.ts";
import { layoutShifts } from "#tests/support/layout-shift.ts";
import { signUp } from "#tests/support/members.ts";

const site = openSite();

const KEY = "meishi.banner-dismissed-until";
const banner = (page: Page) => page.locator("aside.ui-call");

/** A page of a phone that has what `stored` says in its local storage. */
async function openPhone(path: string, stored?: string, device: Parameters<typeof site.open>[0] = phone) {
  const tab = await site.open(device);
  if (stored !== undefined) {
    await tab.context.addInitScript(([key, value]) => localStorage.setItem(key ?? "", value ?? ""), [KEY, stored]);
  }
  await tab.page.goto(path);
  await hydrated(tab.page);
  return tab;
}

/** Past the first screen, which is read before anything is asked. */
const readOn = (page: Page) => page.evaluate(() => scrollTo(0, innerHeight * 1.5));

describe("the banner", () => {
  test("comes when somebody has read on, past the first screen or the hero of the landing page, and stays", async () => {
    const { page } = await openPhone("/credits");
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
    await readOn(page);
    await banner(page).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(300);
    expect(await banner(page).isVisible()).toBe(true);
    await page.goto("/");
    await hydrated(page);
    const hero = await boxOf(page.locator("main > section").first());
    await page.evaluate((end) => scrollTo(0, end - 40), hero.y + hero.height);
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
    await page.evaluate(() => scrollBy(0, 80));
    await banner(page).waitFor();
  });

  test("is found by keyboard, behind the last link of the page", async () => {
    const { page } = await openPhone("/credits");
    await page.locator("body > div > footer a").last().focus();
    await banner(page).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("See Plans");
  });

  test("asks visitors to start, moves nothing when it comes, and stays away for seven days", async () => {
    const { page } = await openPhone("/credits");
    await readOn(page);
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Create your free Profile Hub today\s+Share a beautiful profile with QR\/NFC in minutes\.\s+See Plans/,
    );
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/pricing");
    expect(await layoutShifts(page)).toEqual([]);
    const before = Date.now() / 1000;
    await banner(page).getByRole("button", { name: "Dismiss" }).click();
    await banner(page).waitFor({ state: "detached" });
    const until = Number(await page.evaluate((key) => localStorage.getItem(key), KEY));
    expect(until - before).toBeGreaterThan(7 * 86_400 - 2);
    expect(until - before).toBeLessThan(7 * 86_400 + 60);
    await page.goto("/");
    await hydrated(page);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
  });

  test.each([String(Math.floor(Date.now() / 1000) - 1), "soon", "{}", "99999999999", ""])(
    "is there when %j is stored",
    async (stored) => {
      const { page } = await openPhone("/credits", stored);
      await readOn(page);
      await banner(page).waitFor();
    },
  );

  test("can be dismissed where the browser keeps nothing", async () => {
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

  test("stands on no page that has a bar of its own or leads where it leads, nor on a wide screen", async () => {
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
    // Too short to be read on: there it comes at once.
    await page.goto("/account");
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Finish your profile\s+Add your links, photo, and theme—looks great on iOS & Android\.\s+Open Profile/,
    );
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/profile");
    for (const path of ["/profile", "/cards/edit", "/share/profile"]) {
      await page.goto(path);
      await hydrated(page);
      expect(await banner(page).count(), path).toBe(0);
    }
  });

  test("covers neither the end of a page nor a toast", async () => {
    const { page, context } = await openPhone("/credits", undefined, { ...phone, ...still });
    await readOn(page);
    await banner(page).waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const end = await boxOf(page.locator("footer p"));
    expect(end.y + end.height).toBeLessThanOrEqual((await boxOf(banner(page))).y);
    await leaveToast(context, site.url, "Saved");
    await page.reload({ waitUntil: "commit" });
    // It stays as long as the keyboard is in it.
    await page.locator("dialog.ui-toast button").focus();
    await hydrated(page);
    await readOn(page);
    await banner(page).waitFor();
    const toast = await boxOf(page.locator("dialog.ui-toast"));
    expect(toast.y + toast.height).toBeLessThanOrEqual((await boxOf(banner(page))).y);
  });
});

describe("the scrollbar", () => {
  const state = (page: Page) => page.evaluate(() => document.documentElement.dataset["scrollbar"]);

  test("shows itself while somebody scrolls or comes near, goes 600 ms later, and its room stays", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/credits");
    await hydrated(page);
    const width = () => page.evaluate(() => document.documentElement.clientWidth);
    const before = await width();
    await expect.poll(() => state(page)).toBe("hidden");
    await stopClock(page);
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

  test("stays as it is where it can't come back: on touch, with forced colours, without script", async () => {
    const color = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).scrollbarColor);
    const hidden = "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)";
    const mouse = await site.open(desktop);
    await mouse.page.goto("/credits");
    await hydrated(mouse.page);
    await expect.poll(() => color(mouse.page)).toBe(hidden);
    for (const options of [
      phone,
      { ...desktop, forcedColors: "active" as const },
      { ...desktop, contrast: "more" as const },
    ]) {
      const { page } = await site.open(options);
      await page.goto("/credits");
      await hydrated(page);
      await expect.poll(() => state(page)).toBe("hidden");
      expect(await color(page)).not.toBe(hidden);
    }
  });
});

test("what rises as it is scrolled to is never hidden, and does not move for whoever asked for that", async () => {
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

test("on paper a page is dark on light, without what is there to be pressed", async () => {
  const { page } = await site.open(desktop);
  await page.goto("/credits");
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(23, 24, 27)");
  expect(await page.locator("body > div > header").isVisible()).toBe(false);
  expect(await page.locator("body > div > footer").isVisible()).toBe(false);
});
