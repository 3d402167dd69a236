import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, openSite, phone } from "../support/browser.ts";

const site = openSite();

/** The loops that the page has asked for so far, in that order: "ink", "edge" … */
const asked = (requests: string[]) => [
  ...new Set(requests.flatMap((url) => /\/assets\/([a-z]+)-[^/]*\.(?:webm|mp4)$/.exec(url)?.[1] ?? [])),
];
/** The loops that are in the page, lowest first, with whether they run. */
const films = (page: Page) =>
  page.locator("video").evaluateAll((all) =>
    (all as HTMLVideoElement[]).map((video) => ({
      name: /\/([a-z]+)-[^/]*$/.exec(video.poster)?.[1],
      runs: !video.paused,
      isSeen: getComputedStyle(video).opacity === "1",
      isOnTop: getComputedStyle(video).zIndex === "1",
    })),
  );
const names = async (page: Page) => (await films(page)).map(({ name }) => name);
const button = (page: Page) => page.getByRole("button", { name: /the background$/ });

/** Machines that test are slow. */
const soon = { timeout: 20_000 };

/** Opens the page with a clock that can be moved on, until the first loop is there. */
async function openWithClock(options = desktop) {
  const tab = await site.open(options);
  await tab.page.clock.install();
  await tab.page.goto("/");
  await expect.poll(() => tick(tab.page, 100).then(() => names(tab.page)), { timeout: 20_000 }).toEqual(["ink"]);
  return tab;
}

/** The page's time, in milliseconds, at which it is so. */
async function timeOf(page: Page, isSo: () => boolean): Promise<number> {
  await page.waitForFunction(isSo, undefined, { timeout: 30_000, polling: 50 });
  return page.evaluate(() => performance.now());
}

async function tick(page: Page, milliseconds: number) {
  await page.clock.runFor(milliseconds);
}

describe("the loops behind the first screen", () => {
  test("are asked for after the page is loaded, one alone", async () => {
    const { page, requests } = await site.open();
    await page.goto("/");
    await page.locator("video").waitFor();
    await expect.poll(() => films(page), soon).toEqual([{ name: "ink", runs: true, isSeen: true, isOnTop: true }]);
    expect(asked(requests)).toEqual(["ink"]);
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

  test("take turns every 7 seconds, the next one loaded shortly before, with a fade of 1.5", async () => {
    const { page, requests } = await site.open();
    await page.goto("/");
    const from = await timeOf(page, () => document.querySelectorAll("video").length === 1);
    const loaded = await timeOf(page, () => document.querySelectorAll("video").length === 2);
    const changed = await timeOf(page, () => document.querySelector("video[poster*='/edge-'].z-1") !== null);
    // Both run while the one covers the other.
    await expect.poll(async () => (await films(page)).map(({ runs }) => runs), soon).toEqual([true, true]);
    const faded = await timeOf(page, () => document.querySelectorAll("video").length === 1);
    expect(await films(page)).toEqual([{ name: "edge", runs: true, isSeen: true, isOnTop: true }]);
    expect(asked(requests)).toEqual(["ink", "edge"]);
    // Timers never come early; how late they come is the machine's.
    expect(changed - from).toBeGreaterThan(6800);
    expect(changed - from).toBeLessThan(9500);
    expect(changed - loaded).toBeGreaterThan(1000);
    expect(faded - changed).toBeGreaterThan(1300);
    expect(faded - changed).toBeLessThan(4000);
  });

  test("stand still while they are out of sight", async () => {
    const { page } = await openWithClock();
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(true);
    await page.locator("footer").scrollIntoViewIfNeeded();
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(false);
    await tick(page, 20_000);
    expect(await names(page)).toEqual(["ink"]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(true);
  });

  test("stand still while the tab is hidden", async () => {
    const { page } = await openWithClock();
    const turnTo = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await turnTo("hidden");
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(false);
    await turnTo("visible");
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(true);
  });

  test("can be stopped with a button, which is kept for the next visit", async () => {
    const tab = await site.open();
    const { page } = tab;
    await page.goto("/");
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(true);
    await page.getByRole("button", { name: "Pause the background" }).press("Enter");
    await expect.poll(async () => (await films(page))[0]?.runs, soon).toBe(false);
    await page.getByRole("button", { name: "Play the background" }).waitFor();

    const next = await site.openBeside(tab);
    await next.page.goto("/");
    await next.page.getByRole("button", { name: "Play the background" }).waitFor();
    expect(await films(next.page)).toEqual([]);
    expect(asked(next.requests)).toEqual([]);
    await button(next.page).click();
    await expect.poll(async () => (await films(next.page))[0]?.runs, soon).toBe(true);
  });

  test("are not there for people who asked for less motion, nor is a button", async () => {
    const { page, requests } = await site.open({ ...desktop, reducedMotion: "reduce" });
    await expectStill(page, requests);
  });

  test("are not there for people who save data", async () => {
    const { page, requests } = await site.open();
    await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
    await expectStill(page, requests);
  });

  test("are not there without script: a picture is", async () => {
    const { page, requests } = await site.open({ ...desktop, javaScriptEnabled: false });
    await page.goto("/", { waitUntil: "networkidle" });
    expect(asked(requests)).toEqual([]);
    expect(requests.some((url) => /\/ink-[^/]*\.avif$/.test(url))).toBe(true);
  });

  test("leave their picture where they can't be loaded", async () => {
    const { page } = await site.open();
    await page.route(/\.(webm|mp4)$/, (route) => route.fulfill({ status: 404 }));
    await page.goto("/");
    await page.locator("video").waitFor();
    await page.waitForFunction(
      () => document.querySelector("video")?.networkState === HTMLMediaElement.NETWORK_NO_SOURCE,
    );
    const picture = page.locator('img[src*="/ink-"]');
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    expect(await page.locator("video").getAttribute("poster")).toMatch(/ink-[^/]*\.avif$/);
  });
});

describe("the first screen", () => {
  test.for([phone, desktop])("moves nothing when its films come", async (device) => {
    const { page } = await site.open(device);
    await page.addInitScript(() => {
      Object.assign(globalThis, { shifts: [] });
      new PerformanceObserver((list) =>
        (Reflect.get(globalThis, "shifts") as number[]).push(
          ...list.getEntries().map((entry) => Reflect.get(entry, "value") as number),
        ),
      ).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto("/");
    if (device === desktop) await page.locator("video").waitFor();
    await page.waitForTimeout(1500);
    const shifts = await page.evaluate(() => Reflect.get(globalThis, "shifts") as number[]);
    expect(shifts).toEqual([]);
  });

  test("has pictures of at most 60 kB in all", async () => {
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
  // Hydrated, and with all the time it takes to begin.
  await page.waitForTimeout(4000);
  expect(await films(page)).toEqual([]);
  expect(asked(requests)).toEqual([]);
  expect(await button(page).count()).toBe(0);
}
