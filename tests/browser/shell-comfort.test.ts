import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, hydrated, openSite, phone } from "#tests/support/browser.ts";
import { signUp } from "#tests/support/members.ts";

const site = openSite();

const KEY = "meishi.banner-dismissed-until";
const banner = (page: Page) => page.locator("aside.ui-call");

/** A page of a phone that has what `stored` says in its local storage. */
async function openPhone(path: string, stored?: string) {
  const tab = await site.open(phone);
  if (stored !== undefined) {
    await tab.context.addInitScript(([key, value]) => localStorage.setItem(key ?? "", value ?? ""), [KEY, stored]);
  }
  await tab.page.goto(path);
  await hydrated(tab.page);
  return tab;
}

describe("the banner", () => {
  test("asks visitors to start, moves nothing when it comes, and stays away for seven days", async () => {
    const { page } = await openPhone("/credits");
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Create your free Profile Hub today\s+Share a beautiful profile with QR\/NFC in minutes\.\s+See Plans/,
    );
    expect(await banner(page).getByRole("link").getAttribute("href")).toBe("/pricing");
    expect(await page.evaluate(layoutShift)).toBe(0);
    const before = Date.now() / 1000;
    await banner(page).getByRole("button", { name: "Dismiss" }).click();
    expect(await banner(page).count()).toBe(0);
    const until = Number(await page.evaluate((key) => localStorage.getItem(key), KEY));
    expect(until - before).toBeGreaterThan(7 * 86_400 - 2);
    expect(until - before).toBeLessThan(7 * 86_400 + 60);
    await page.goto("/");
    await hydrated(page);
    await page.waitForTimeout(200);
    expect(await banner(page).count()).toBe(0);
  });

  test.each([String(Math.floor(Date.now() / 1000) - 1), "soon", "{}", "99999999999", ""])(
    "is there when %j is stored",
    async (stored) => {
      const { page } = await openPhone("/credits", stored);
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
    await banner(page).getByRole("button", { name: "Dismiss" }).click();
    expect(await banner(page).count()).toBe(0);
  });

  test("stands on no page that has a bar of its own or leads where it leads, nor on a wide screen", async () => {
    const { page, context } = await openPhone("/pricing");
    await page.waitForTimeout(300);
    expect(await banner(page).count()).toBe(0);
    await page.setViewportSize({ width: 768, height: 800 });
    await page.goto("/credits");
    await banner(page).waitFor({ state: "attached" });
    expect(await banner(page).isVisible()).toBe(false);
    await page.setViewportSize(phone.viewport);
    await signUp(context, site.program, "member@example.com");
    await page.goto("/account");
    await banner(page).waitFor();
    expect(await banner(page).innerText()).toMatch(
      /Finish your profile\s+Add your links, photo, and theme—looks great on iOS & Android\.\s+Open Profile/,
    );
    for (const path of ["/profile", "/cards/edit", "/share/profile"]) {
      await page.goto(path);
      await hydrated(page);
      expect(await banner(page).count(), path).toBe(0);
    }
  });

  test("covers neither the end of a page nor a toast", async () => {
    const { page, context } = await openPhone("/credits");
    await banner(page).waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const end = await page.locator("footer p").boundingBox();
    const top = (await banner(page).boundingBox())?.y ?? 0;
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(top);
    const value = Buffer.from(JSON.stringify({ title: "Saved", tone: "success" })).toString("base64url");
    await context.addCookies([{ name: "meishi.toast", value, url: site.url }]);
    await page.reload();
    await hydrated(page);
    await banner(page).waitFor();
    await page.waitForTimeout(400);
    const toast = await page.locator("dialog.ui-toast").boundingBox();
    const edge = (await banner(page).boundingBox())?.y ?? 0;
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(edge);
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
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, 300);
    await expect.poll(() => state(page)).toBe("scrolling");
    await expect.poll(() => state(page), { interval: 10 }).toBe("idle");
    await expect.poll(() => state(page)).toBe("hidden");
    await page.mouse.move(1275, 400);
    await expect.poll(() => state(page)).toBe("interacting");
    await page.waitForTimeout(800);
    expect(await state(page)).toBe("interacting");
    await page.mouse.move(600, 400);
    await expect.poll(() => state(page), { interval: 10 }).toBe("idle");
    await expect.poll(() => state(page)).toBe("hidden");
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

function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 300)));
  });
}
