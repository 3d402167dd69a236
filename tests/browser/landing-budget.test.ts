import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { desktop, hydrated, openSite, phone } from "#tests/support/browser.ts";
import { tabThrough, unreached } from "#tests/support/focus-ring.ts";
import { movingParts } from "#tests/support/moving-parts.ts";
import { readHead } from "#tests/support/page-head.ts";
import { recordDays } from "#tests/support/recorded-days.ts";
import { gzipBytes, plainBytes } from "#tests/support/wire-bytes.ts";

const site = openSite();
const sections = "how-it-works live-demo personas integrations social-proof security pricing faq".split(" ");

// With a week of them the page has one more sentence.
beforeAll(() => recordDays(site.program, 7));

const devices: Record<string, BrowserContextOptions> = { "390 pixels": phone, "1280 pixels": desktop };

describe("the landing page on the wire", () => {
  test("has at most 25 kB gzip of HTML and CSS, with all that it can say", async () => {
    const answer = await fetch(site.url);
    expect(await answer.clone().text()).toContain("uptime over the past");
    const { links } = await readHead(answer);
    const sheets = links.filter(({ rel }) => rel === "stylesheet").map(({ href }) => href);
    expect(sheets.length).toBeGreaterThan(0);
    const sizes = await Promise.all(["/", ...sheets].map((path) => gzipBytes(site.url + path)));
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(25_000);
  });

  test.for(Object.keys(devices))("has at most 150 kB of pictures above the fold at %s", async (name) => {
    const { page } = await site.open(devices[name]);
    await page.goto("/", { waitUntil: "load" });
    await hydrated(page);
    const pictures = await page.evaluate(picturesInSight);
    const sizes = await Promise.all(pictures.map((url) => plainBytes(url)));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(150_000);
  });

  test.for(Object.keys(devices))(
    "asks for no script and no video before it is painted and the browser idle, at %s, and then at most 150 kB gzip of script",
    async (name) => {
      const { page, requests } = await site.open(devices[name]);
      await page.addInitScript(noteIdle);
      await page.goto("/");
      await hydrated(page);
      await scrollThrough(page);
      const seen = await page.evaluate(timesOf);
      expect(seen.painted).toBeGreaterThan(0);
      expect(seen.idle).toBeGreaterThanOrEqual(Math.max(seen.loaded, seen.painted));
      expect(seen.scripts.length).toBeGreaterThan(0);
      for (const { name, at } of [...seen.scripts, ...seen.videos]) expect(at, name).toBeGreaterThanOrEqual(seen.idle);
      const files = requests.filter((url) => url.endsWith(".js"));
      const sizes = await Promise.all([...new Set(files)].map(gzipBytes));
      expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(150_000);
    },
  );
});

describe("the landing page", () => {
  test.for(Object.keys(devices))(
    "does not move by itself: while it loads, comes to life and is scrolled, at %s",
    async (name) => {
      const { page } = await site.open(devices[name]);
      await page.addInitScript(noteShifts);
      await page.goto("/");
      await hydrated(page);
      await scrollThrough(page);
      expect(await page.evaluate(() => (window as unknown as Noted).shifts)).toEqual([]);
    },
  );

  test("that moves would be seen by this test", async () => {
    const { page } = await site.open(desktop);
    await page.addInitScript(noteShifts);
    await page.goto("/");
    await hydrated(page);
    await page.evaluate(() => {
      const line = document.createElement("hr");
      line.style.height = "300px";
      document.querySelector("main")?.prepend(line);
    });
    await expect.poll(() => page.evaluate(() => (window as unknown as Noted).shifts.length)).toBeGreaterThan(0);
  });

  test(
    "leads the keyboard to everything that can be operated, and shows where it is",
    { timeout: 120_000 },
    async () => {
      for (const device of Object.values(devices)) {
        const { page } = await site.open({ ...device, reducedMotion: "reduce" });
        await page.goto("/");
        await hydrated(page);
        const places = await tabThrough(page);
        expect(places.length).toBeGreaterThan(10);
        expect.soft(places.filter(({ ring }) => !ring)).toEqual([]);
        expect.soft(await unreached(page, places)).toEqual([]);
      }
    },
  );

  test.for(Object.keys(devices))("holds still for those who want that, and asks for no video, at %s", async (name) => {
    const { page, requests } = await site.open({ ...devices[name], reducedMotion: "reduce" });
    await page.goto("/");
    await hydrated(page);
    const moving = new Set<string>();
    await scrollThrough(page, async () => {
      for (const what of await page.evaluate(movingParts)) moving.add(what);
    });
    expect([...moving]).toEqual([]);
    expect(requests.filter((url) => /\.(?:webm|mp4)/.test(url))).toEqual([]);
  });

  test("says all that it says without script, and every link of it leads somewhere", { timeout: 120_000 }, async () => {
    const { page, requests } = await site.open({ ...desktop, javaScriptEnabled: false });
    await page.goto("/");
    expect(requests.filter((url) => url.endsWith(".js"))).toEqual([]);
    for (const id of sections) {
      const section = page.locator(`#${id}`);
      await section.scrollIntoViewIfNeeded();
      expect((await section.innerText()).length, id).toBeGreaterThan(100);
    }
    // Scroll reveal must not keep from sight what only a script would show.
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

type Noted = Window & { shifts: string[]; firstIdle?: number };

/** Runs before the page's own scripts: what moved, and by how much. */
function noteShifts() {
  const noted = window as unknown as Noted;
  noted.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node?: Element }[] };
      noted.shifts.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 120)).join(" | ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Runs before the page's own scripts: when the browser was first idle of those times that somebody waited for. */
function noteIdle() {
  const noted = window as unknown as Noted;
  const wait = window.requestIdleCallback.bind(window);
  window.requestIdleCallback = (work, options) =>
    wait((deadline) => {
      noted.firstIdle ??= performance.now();
      work(deadline);
    }, options);
}

/** In milliseconds since the page was asked for. */
function timesOf() {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const entries = performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, at: startTime }));
  return {
    loaded: visit?.loadEventStart ?? 0,
    painted: paint?.startTime ?? 0,
    idle: (window as unknown as Noted).firstIdle ?? 0,
    scripts: entries.filter(({ name }) => /\.js(?:$|\?)/.test(name)),
    videos: entries.filter(({ name }) => /\.(?:webm|mp4)(?:$|\?)/.test(name)),
  };
}

/** The addresses of pictures that show in the window as it was opened. */
function picturesInSight(): string[] {
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

/** Slowly to the end of the page, as somebody reads. */
async function scrollThrough(page: Page, look: () => Promise<void> = async () => undefined) {
  const steps = await page.evaluate(() => Math.ceil(document.documentElement.scrollHeight / 250));
  for (let step = 0; step <= steps; step++) {
    await page.evaluate(async (top) => {
      scrollTo({ top, behavior: "instant" });
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    }, step * 250);
    await look();
  }
}
