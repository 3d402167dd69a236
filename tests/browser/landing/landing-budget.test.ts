import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { desktop, waitForHydration, openOwnSite, phone } from "#tests/support/browser/site.ts";
import { tabThrough, findUnreachable } from "#tests/support/browser/focus-ring.ts";
import { listMovingElements } from "#tests/support/browser/layout.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { recordDays } from "#tests/support/program/database.ts";
import { gzipBytes, plainBytes } from "#tests/support/measurements.ts";

const site = openOwnSite();
const sections = "how-it-works live-demo personas integrations social-proof security pricing faq".split(" ");

// With a week of records the page has one more sentence.
beforeAll(() => recordDays(site.program, 7));

const devices: Record<string, BrowserContextOptions> = { "390 pixels": phone, "1280 pixels": desktop };

describe("the landing page on the wire", () => {
  test("has at most 25 kB gzip of HTML and CSS, with every optional text", async () => {
    const response = await fetch(site.url);
    expect(await response.clone().text()).toContain("uptime over the past");
    const { links } = await readHead(response);
    const sheets = links.filter(({ rel }) => rel === "stylesheet").map(({ href }) => href);
    expect(sheets.length).toBeGreaterThan(0);
    const sizes = await Promise.all(["/", ...sheets].map((path) => gzipBytes(site.url + path)));
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(25_000);
  });

  test.for(Object.keys(devices))("has at most 150 kB of images above the fold at %s", async (name) => {
    const { page } = await site.open(devices[name]);
    await page.goto("/", { waitUntil: "load" });
    await waitForHydration(page);
    const images = await page.evaluate(visibleImages);
    const sizes = await Promise.all(images.map((url) => plainBytes(url)));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(150_000);
  });

  test.for(Object.keys(devices))(
    "requests no script or video before it is painted and idle, at %s, and then at most 150 kB gzip of script",
    async (name) => {
      const { page, requests } = await site.open(devices[name]);
      await page.addInitScript(noteIdle);
      await page.goto("/");
      await waitForHydration(page);
      await scrollThrough(page);
      const seen = await page.evaluate(timesOf);
      expect(seen.painted).toBeGreaterThan(0);
      expect(seen.idle).toBeGreaterThanOrEqual(Math.max(seen.loaded, seen.painted));
      expect(seen.scripts.length).toBeGreaterThan(0);
      for (const { name, at } of [...seen.scripts, ...seen.videos]) expect(at, name).toBeGreaterThanOrEqual(seen.idle);
      const files = requests.filter((url) => url.endsWith(".js"));
      const sizes = await Promise.all([...new Set(files)].map((url) => gzipBytes(url)));
      expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(150_000);
    },
  );
});

describe("the landing page", () => {
  test.for(Object.keys(devices))(
    "has no layout shift while it loads, hydrates and is scrolled, at %s",
    async (name) => {
      const { page } = await site.open(devices[name]);
      await page.addInitScript(noteShifts);
      await page.goto("/");
      await waitForHydration(page);
      await scrollThrough(page);
      expect(await page.evaluate(() => (window as unknown as ObservedWindow).shifts)).toEqual([]);
    },
  );

  test("the layout shift test detects a shift", async () => {
    const { page } = await site.open(desktop);
    await page.addInitScript(noteShifts);
    await page.goto("/");
    await waitForHydration(page);
    await page.evaluate(() => {
      const line = document.createElement("hr");
      line.style.height = "300px";
      document.querySelector("main")?.prepend(line);
    });
    await expect
      .poll(() => page.evaluate(() => (window as unknown as ObservedWindow).shifts.length))
      .toBeGreaterThan(0);
  });

  test("lets the keyboard reach every control, with a visible focus ring", { timeout: 120_000 }, async () => {
    for (const device of Object.values(devices)) {
      const { page } = await site.open({ ...device, reducedMotion: "reduce" });
      await page.goto("/");
      await waitForHydration(page);
      const places = await tabThrough(page);
      expect(places.length).toBeGreaterThan(10);
      expect.soft(places.filter(({ ring }) => !ring)).toEqual([]);
      expect.soft(await findUnreachable(page, places)).toEqual([]);
    }
  });

  test.for(Object.keys(devices))("has no motion and requests no video with reduced motion, at %s", async (name) => {
    const { page, requests } = await site.open({ ...devices[name], reducedMotion: "reduce" });
    await page.goto("/");
    await waitForHydration(page);
    const moving = new Set<string>();
    await scrollThrough(page, async () => {
      for (const what of await page.evaluate(listMovingElements)) moving.add(what);
    });
    expect([...moving]).toEqual([]);
    expect(requests.filter((url) => /\.(?:webm|mp4)/.test(url))).toEqual([]);
  });

  test("shows all its text without script, and every fragment link has a target", { timeout: 120_000 }, async () => {
    const { page, requests } = await site.open({ ...desktop, javaScriptEnabled: false });
    await page.goto("/");
    expect(requests.filter((url) => url.endsWith(".js"))).toEqual([]);
    for (const id of sections) {
      const section = page.locator(`#${id}`);
      await section.scrollIntoViewIfNeeded();
      expect((await section.innerText()).length, id).toBeGreaterThan(100);
    }
    // Scroll-driven reveal must not hide text without script.
    const unseen = await page.locator("main h2, main h3, main p").evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility() && !element.closest("details:not([open])"))
        .filter((element) => Number(getComputedStyle(element).opacity) < 0.1)
        .map((element) => element.textContent),
    );
    expect(unseen).toEqual([]);
    const anchors = await page
      .locator('a[href^="#"], a[href^="/#"]')
      .evaluateAll((all) =>
        all
          .map((link) => (link as HTMLAnchorElement).hash.slice(1))
          .filter((id) => id !== "" && !document.getElementById(id)),
      );
    expect(anchors).toEqual([]);
  });
});

type ObservedWindow = Window & { shifts: string[]; firstIdle?: number };

/** Runs before the page's own scripts and records layout shifts. */
function noteShifts() {
  const noted = window as unknown as ObservedWindow;
  noted.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node?: Element }[] };
      noted.shifts.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 120)).join(" | ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Runs before the page's own scripts and records the first idle callback. */
function noteIdle() {
  const noted = window as unknown as ObservedWindow;
  const wait = window.requestIdleCallback.bind(window);
  window.requestIdleCallback = (work, options) =>
    wait((deadline) => {
      noted.firstIdle ??= performance.now();
      work(deadline);
    }, options);
}

/** In milliseconds since the page was requested. */
function timesOf() {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const entries = performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, at: startTime }));
  return {
    loaded: visit?.loadEventStart ?? 0,
    painted: paint?.startTime ?? 0,
    idle: (window as unknown as ObservedWindow).firstIdle ?? 0,
    scripts: entries.filter(({ name }) => /\.js(?:$|\?)/.test(name)),
    videos: entries.filter(({ name }) => /\.(?:webm|mp4)(?:$|\?)/.test(name)),
  };
}

/** The URLs of images in the initial viewport. */
function visibleImages(): string[] {
  const inSight = (element: Element) => {
    const { top, bottom, left, right, width } = element.getBoundingClientRect();
    return width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  };
  const found = [...document.querySelectorAll<HTMLElement>("body, body *")].filter(inSight).flatMap((element) => {
    const own = element instanceof HTMLImageElement ? [element.currentSrc] : [];
    const poster = element instanceof HTMLVideoElement && element.poster ? [element.poster] : [];
    const backgrounds = [
      getComputedStyle(element),
      getComputedStyle(element, "::before"),
      getComputedStyle(element, "::after"),
    ]
      .flatMap(({ backgroundImage, maskImage }) => [...`${backgroundImage} ${maskImage}`.matchAll(/url\("([^"]+)"\)/g)])
      .map(([, url = ""]) => url);
    return [...own, ...poster, ...backgrounds];
  });
  return [...new Set(found)].filter((url) => url.startsWith("http"));
}

/** Scrolls slowly to the end of the page, as a reader does. */
async function scrollThrough(page: Page, look: () => Promise<void> = async () => undefined) {
  const steps = await page.evaluate(() => Math.ceil(document.documentElement.scrollHeight / 250));
  for (let step = 0; step <= steps; step++) {
    await page.evaluate(async (top) => {
      scrollTo({ top, behavior: "instant" });
      const drawn = (async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      })();
      // Chromium may draw no frame for a tab that it takes for hidden.
      await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, 500))]);
    }, step * 250);
    await look();
  }
}
