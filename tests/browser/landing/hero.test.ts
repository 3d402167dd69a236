import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, openSite, phone, pauseClock } from "#tests/support/browser/site.ts";
import { readLayoutShifts } from "#tests/support/browser/layout.ts";

const site = openSite();

/** The loops requested so far, in order: "ink", "edge" … */
const requestedVideos = (requests: string[]) => [
  ...new Set(requests.flatMap((url) => /\/assets\/([a-z]+)-[^/]*\.(?:webm|mp4)$/.exec(url)?.[1] ?? [])),
];
/** The loops in the page, bottom first, and whether they run. */
const loadedVideos = (page: Page) =>
  page.locator("video").evaluateAll((all) =>
    (all as HTMLVideoElement[]).map((video) => ({
      name: /\/([a-z]+)-[^/]*$/.exec(video.poster)?.[1],
      runs: !video.paused,
      isSeen: getComputedStyle(video).opacity === "1",
      isOnTop: getComputedStyle(video).zIndex === "1",
    })),
  );
const names = async (page: Page) => (await loadedVideos(page)).map(({ name }) => name);
const button = (page: Page) => page.getByRole("button", { name: /background video$/ });

/** Opens the page with a clock that only the test advances, until the first loop is there for at most 100 ms. */
async function openWithClock(prepare?: (page: Page) => Promise<unknown>) {
  const tab = await site.open();
  await prepare?.(tab.page);
  await pauseClock(tab.page);
  await tab.page.goto("/");
  const orWait = async (found: (string | undefined)[]) => (found.length > 0 ? found : advanceClock(tab.page, 100));
  await expect.poll(async () => orWait(await names(tab.page))).toEqual(["ink"]);
  return tab;
}

async function advanceClock(page: Page, milliseconds: number): Promise<undefined> {
  await page.clock.runFor(milliseconds);
}

describe("the loops behind the first screen", () => {
  test("are requested after the page has loaded", async () => {
    const { page, requests } = await site.open();
    await page.goto("/");
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /\.(webm|mp4)$/.test(name)),
    );
    expect(requestedVideos(requests)[0]).toBe("ink");
    const times = await page.evaluate(() => ({
      loaded: performance
        .getEntriesByType("navigation")
        .map((entry) => (entry as PerformanceNavigationTiming).loadEventEnd)[0],
      first: performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\.(webm|mp4)$/.test(name))
        .map(({ startTime }) => startTime)[0],
    }));
    expect(times.first).toBeGreaterThan(times.loaded ?? Infinity);
  });

  test("change every 7 seconds with a fade of 1.5, and the next one loads shortly before", async () => {
    const { page, requests } = await openWithClock();
    await expect.poll(() => loadedVideos(page)).toEqual([{ name: "ink", runs: true, isSeen: true, isOnTop: true }]);
    await advanceClock(page, 4_350);
    expect(await names(page)).toEqual(["ink"]);
    expect(requestedVideos(requests)).toEqual(["ink"]);
    await advanceClock(page, 200);
    await expect
      .poll(() => loadedVideos(page))
      .toMatchObject([
        { name: "ink", isOnTop: true },
        { name: "edge", runs: false },
      ]);
    await advanceClock(page, 2_300);
    expect(await loadedVideos(page)).toMatchObject([
      { name: "ink", isOnTop: true },
      { name: "edge", runs: false },
    ]);
    await advanceClock(page, 200);
    // Both run during the fade.
    await expect
      .poll(() => loadedVideos(page))
      .toMatchObject([{ runs: true }, { name: "edge", runs: true, isOnTop: true }]);
    expect(
      await page
        .locator("video")
        .last()
        .evaluate((film) => getComputedStyle(film).transitionDuration),
    ).toBe("1.5s");
    await advanceClock(page, 1_300);
    expect(await names(page)).toEqual(["ink", "edge"]);
    await advanceClock(page, 200);
    await expect.poll(() => loadedVideos(page)).toEqual([{ name: "edge", runs: true, isSeen: true, isOnTop: true }]);
    expect(requestedVideos(requests)).toEqual(["ink", "edge"]);
  });

  test("pause while they are out of sight", async () => {
    const { page } = await openWithClock();
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(true);
    await page.locator("footer").scrollIntoViewIfNeeded();
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(false);
    await advanceClock(page, 20_000);
    expect(await names(page)).toEqual(["ink"]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(true);
  });

  test("pause while the tab is hidden", async () => {
    const { page } = await openWithClock();
    const turnTo = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await turnTo("hidden");
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(false);
    await turnTo("visible");
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(true);
  });

  test("leave the poster, without a button, where the browser refuses autoplay", async () => {
    const { page } = await site.open();
    await page.addInitScript(() => {
      HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException("to save power", "NotAllowedError"));
    });
    await page.goto("/");
    const poster = page.locator("[aria-hidden] > div > img").first();
    await expect.poll(() => poster.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    // The video was tried and removed.
    const isTried = () => performance.getEntriesByType("resource").some(({ name }) => /\.(webm|mp4)$/.test(name));
    await expect.poll(() => page.evaluate(isTried)).toBe(true);
    await expect.poll(() => page.locator("video").count()).toBe(0);
    expect(await button(page).count()).toBe(0);
    expect(await poster.isVisible()).toBe(true);
  });

  test("can be paused with a button, which the next visit remembers", async () => {
    const tab = await site.open();
    const { page } = tab;
    await page.goto("/");
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(true);
    await page.getByRole("button", { name: "Pause background video" }).press("Enter");
    await expect.poll(async () => (await loadedVideos(page))[0]?.runs).toBe(false);
    await page.getByRole("button", { name: "Play background video" }).waitFor();

    const next = await site.openBeside(tab);
    await next.page.goto("/");
    await next.page.getByRole("button", { name: "Play background video" }).waitFor();
    expect(await loadedVideos(next.page)).toEqual([]);
    expect(requestedVideos(next.requests)).toEqual([]);
    await button(next.page).click();
    await expect.poll(async () => (await loadedVideos(next.page))[0]?.runs).toBe(true);
  });

  test("are omitted with the button when reduced motion is preferred", async () => {
    const { page, requests } = await site.open({ ...desktop, reducedMotion: "reduce" });
    await expectStill(page, requests);
  });

  test("are omitted when data saving is on", async () => {
    const { page, requests } = await site.open();
    await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
    await expectStill(page, requests);
  });

  test("are a still image without script", async () => {
    const { page, requests } = await site.open({ ...desktop, javaScriptEnabled: false });
    await page.goto("/", { waitUntil: "networkidle" });
    expect(requestedVideos(requests)).toEqual([]);
    expect(requests.some((url) => /\/ink-[^/]*\.avif$/.test(url))).toBe(true);
  });

  test("leave the poster where they can't be loaded", async () => {
    const { page } = await openWithClock((page) =>
      page.route(/\.(webm|mp4)$/, (route) => route.fulfill({ status: 404 })),
    );
    await page.waitForFunction(
      () => document.querySelector("video")?.networkState === HTMLMediaElement.NETWORK_NO_SOURCE,
    );
    const picture = page.locator('img[src*="/ink-"]');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await page.locator("video").getAttribute("poster")).toMatch(/ink-[^/]*\.avif$/);
  });
});

describe("the first screen", () => {
  test.for([phone, desktop])("doesn't shift when its videos load", async (device) => {
    const { page } = await site.open(device);
    await page.goto("/");
    if (device === desktop) await page.locator("video").first().waitFor();
    await page.waitForTimeout(1500);
    expect(await readLayoutShifts(page)).toEqual([]);
  });

  test("has at most 60 kB of images", async () => {
    const { page } = await site.open({ ...desktop, reducedMotion: "reduce" });
    await page.goto("/", { waitUntil: "networkidle" });
    const sizes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\/(ink|phone|card)-[^/]*\.(avif|webp)$/.test(name))
        .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
    );
    expect(sizes).toHaveLength(3);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(60_000);
  });
});

async function expectStill(page: Page, requests: string[]) {
  await page.goto("/", { waitUntil: "networkidle" });
  // Hydrated, with enough time to start.
  await page.waitForTimeout(4000);
  expect(await loadedVideos(page)).toEqual([]);
  expect(requestedVideos(requests)).toEqual([]);
  expect(await button(page).count()).toBe(0);
}
