import { beforeAll, describe, expect, test } from "vitest";

import { desktop, narrow, openSite, phone } from "#tests/support/browser.ts";
import { gatherCast } from "#tests/support/cast.ts";
import type { Cast } from "#tests/support/cast.ts";
import { tabThrough } from "#tests/support/focus-ring.ts";
import { screens, walk } from "#tests/support/screens.ts";

const site = openSite();
let cast: Cast;

beforeAll(async () => {
  cast = await gatherCast(site);
});

describe("nothing scrolls sideways", () => {
  test.for(Object.keys(screens))("at 320 pixels on %s", { timeout: 120_000 }, async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await walk(site, { list, cast, device: narrow }, async (page, name) => {
      expect.soft(await page.evaluate(sideways), name).toEqual([]);
    });
  });

  test("on a screen of 1280 pixels zoomed to 200 %", { timeout: 120_000 }, async () => {
    const device = { ...desktop, viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
    const list = ["the site", "an owner's pages", "the editors"].flatMap((group) => screens[group]?.(cast) ?? []);
    await walk(site, { list: list.filter(isWide), cast, device }, async (page, name) => {
      expect.soft(await page.evaluate(sideways), name).toEqual([]);
    });
  });

  test("on a phone whose letters are twice as large", { timeout: 120_000 }, async () => {
    const list = screens["a visitor's pages"]?.(cast) ?? [];
    await walk(site, { list, cast, device: phone }, async (page, name) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      expect.soft(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), name).toBe("32px");
      expect.soft(await page.evaluate(sideways), name).toEqual([]);
    });
  });
});

describe("a visitor's page", () => {
  test("has nothing to tap that is smaller than a fingertip", { timeout: 120_000 }, async () => {
    const list = screens["a visitor's pages"]?.(cast) ?? [];
    await walk(site, { list, cast, device: phone }, async (page, name) => {
      expect.soft(await page.evaluate(smallTargets), name).toEqual([]);
    });
  });

  test("shows where the keyboard is, wherever it goes", { timeout: 120_000 }, async () => {
    const list = screens["a visitor's pages"]?.(cast) ?? [];
    await walk(site, { list, cast, device: desktop }, async (page, name) => {
      const places = await tabThrough(page);
      expect.soft(places.length, name).toBeGreaterThan(0);
      expect
        .soft(
          places.filter(({ ring }) => !ring),
          name,
        )
        .toEqual([]);
    });
  });

  test.for(["/", "/pricing", "/auth", "/u/demo-user", "/card/demo-card"])(
    "%s does not move while it loads",
    async (path) => {
      for (const device of [phone, desktop]) {
        const { page } = await site.open(device);
        await page.goto(path);
        await page.evaluate(() => document.fonts.ready);
        expect(await page.evaluate(layoutShift)).toBe(0);
      }
    },
  );
});

/** What is wider than its window, or leads out of it. */
function sideways(): string[] {
  const width = document.documentElement.clientWidth;
  const name = (element: Element) =>
    `${element.tagName}.${element.className} "${element.textContent?.trim().slice(0, 30)}"`;
  const found =
    document.documentElement.scrollWidth > width ? [`the page: ${document.documentElement.scrollWidth}`] : [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    // What is there to be leafed through goes on beyond its edge.
    if (element.closest('[aria-roledescription="carousel"]')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { overflowX, position } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth)
      found.push(`inside ${name(element)}`);
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const isThere = own > 1 && height > 1 && position !== "absolute";
    if (isThere && (left < -1 || right > width + 1) && !element.closest("svg, .sr-only, .unseen")) {
      found.push(`${name(element)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
  }
  return found;
}

/** WCAG 2.5.5: 44 by 44. */
function smallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")];
  return targets
    .filter((element) => element.checkVisibility())
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width < 44 || box.height < 44)
    .map(({ element, box }) => `${element.textContent || element.id} ${box.width} x ${box.height}`);
}

function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    // Two frames: what loaded last is then drawn, and reported.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
  });
}

/** On the others the two widths look alike. */
function isWide({ name }: { name: string }): boolean {
  return !/refused|share|from right to left/.test(name);
}
