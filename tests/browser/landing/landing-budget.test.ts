import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";

import { desktop, openSite, phone, openPage } from "#tests/support/browser/site.ts";
import { tabThrough, findUnreachable } from "#tests/support/browser/focus-ring.ts";
import { listMovingElements } from "#tests/support/browser/layout.ts";
import { gzipBytes, plainBytes } from "#tests/support/measurements.ts";

const site = openSite();
const sections = "how-it-works live-demo personas integrations social-proof security pricing faq".split(" ");
const devices: [string, BrowserContextOptions][] = [
  ["390 pixels", phone],
  ["1280 pixels", desktop],
];
const sum = (sizes: number[]) => sizes.reduce((all, bytes) => all + bytes, 0);

test.for(devices)(
  "at %s the landing page requests no script or video before it is painted and idle, stays small, and never shifts",
  async ([, device]) => {
    const { page, requests } = await site.open(device);
    await page.addInitScript(noteIdle);
    await page.addInitScript(noteShifts);
    await openPage(page, "/");
    const images = await page.evaluate(visibleImages);
    expect(sum(await Promise.all(images.map(plainBytes)))).toBeLessThanOrEqual(150_000);
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /\.(webm|mp4)$/.test(name)),
    );
    await scrollThrough(page);
    const seen = await page.evaluate(timesOf);
    expect(seen.painted).toBeGreaterThan(0);
    expect(seen.idle).toBeGreaterThanOrEqual(Math.max(seen.loaded, seen.painted));
    expect(Math.min(seen.scripts.length, seen.videos.length)).toBeGreaterThan(0);
    for (const { name, at } of [...seen.scripts, ...seen.videos]) expect(at, name).toBeGreaterThanOrEqual(seen.idle);
    const files = new Set(requests.filter((url) => url.endsWith(".js")));
    expect(sum(await Promise.all([...files].map((url) => gzipBytes(url))))).toBeLessThanOrEqual(150_000);

    const shifts = () => page.evaluate(() => (window as unknown as ObservedWindow).shifts);
    expect(await shifts()).toEqual([]);
    // A shift would have been noted.
    await page.evaluate(() => {
      scrollTo({ top: 0, behavior: "instant" });
      const line = document.createElement("hr");
      line.style.height = "300px";
      document.querySelector("main")?.prepend(line);
    });
    await expect.poll(shifts).not.toEqual([]);
  },
);

test.for(devices)(
  "at %s with reduced motion nothing moves and no video is requested, and the keyboard reaches every control",
  async ([, device]) => {
    const { page, requests } = await site.open({ ...device, reducedMotion: "reduce" });
    await openPage(page, "/");
    const heroImages = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\/(ink|phone|card)-[^/]*\.(avif|webp)$/.test(name))
        .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
    );
    expect(heroImages).toHaveLength(3);
    expect(sum(heroImages)).toBeLessThanOrEqual(60_000);
    const moving = new Set<string>();
    await scrollThrough(page, async () => {
      for (const what of await page.evaluate(listMovingElements)) moving.add(what);
    });
    expect([...moving]).toEqual([]);
    expect(requests.filter((url) => /\.(?:webm|mp4)/.test(url))).toEqual([]);
    expect(await page.getByRole("button", { name: /background video$/ }).count()).toBe(0);

    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    const stops = await tabThrough(page);
    expect(stops.length).toBeGreaterThan(10);
    expect.soft(stops.filter(({ ring }) => !ring)).toEqual([]);
    expect.soft(await findUnreachable(page, stops)).toEqual([]);
  },
);

test("without script the landing page shows all its text over a still image, and every fragment link has a target", async () => {
  const { page, requests } = await site.open({ ...desktop, javaScriptEnabled: false });
  await page.goto("/");
  expect(requests.filter((url) => /\.(?:js|webm|mp4)$/.test(url))).toEqual([]);
  expect(requests.some((url) => /\/ink-[^/]*\.avif$/.test(url))).toBe(true);
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
