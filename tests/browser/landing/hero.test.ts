import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { boxOf, openSite, pauseClock, reducedMotion, openPage } from "#tests/support/browser/site.ts";

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
const isRunning = async (page: Page) => (await loadedVideos(page))[0]?.runs;
const button = (page: Page) => page.getByRole("button", { name: /background video$/ });

/** Opens the page with a clock that only the test advances, until the first loop is there for at most 100 ms. */
async function openWithClock() {
  const tab = await site.open();
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
  test("change every 7 seconds with a fade of 1.5, load shortly before, and pause while they are out of sight", async () => {
    const { page, requests } = await openWithClock();
    await expect.poll(() => loadedVideos(page)).toEqual([{ name: "ink", runs: true, isSeen: true, isOnTop: true }]);
    await advanceClock(page, 4_350);
    expect(await names(page)).toEqual(["ink"]);
    expect(requestedVideos(requests)).toEqual(["ink"]);
    const isNextLoaded = [
      { name: "ink", isOnTop: true },
      { name: "edge", runs: false },
    ];
    await advanceClock(page, 200);
    await expect.poll(() => loadedVideos(page)).toMatchObject(isNextLoaded);
    await advanceClock(page, 2_300);
    expect(await loadedVideos(page)).toMatchObject(isNextLoaded);
    await advanceClock(page, 200);
    // Both run during the fade.
    await expect
      .poll(() => loadedVideos(page))
      .toMatchObject([{ runs: true }, { name: "edge", runs: true, isOnTop: true }]);
    const next = page.locator("video").last();
    expect(await next.evaluate((film) => getComputedStyle(film).transitionDuration)).toBe("1.5s");
    await advanceClock(page, 1_300);
    expect(await names(page)).toEqual(["ink", "edge"]);
    await advanceClock(page, 200);
    await expect.poll(() => loadedVideos(page)).toEqual([{ name: "edge", runs: true, isSeen: true, isOnTop: true }]);
    expect(requestedVideos(requests)).toEqual(["ink", "edge"]);

    await page.locator("footer").scrollIntoViewIfNeeded();
    await expect.poll(() => isRunning(page)).toBe(false);
    await advanceClock(page, 20_000);
    expect(await names(page)).toEqual(["edge"]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => isRunning(page)).toBe(true);
    for (const [state, runs] of [
      ["hidden", false],
      ["visible", true],
    ] as const) {
      await page.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
      await expect.poll(() => isRunning(page)).toBe(runs);
    }
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
    await expect.poll(() => isRunning(page)).toBe(true);
    await page.getByRole("button", { name: "Pause background video" }).press("Enter");
    await expect.poll(() => isRunning(page)).toBe(false);
    await page.getByRole("button", { name: "Play background video" }).waitFor();

    const next = await site.openBeside(tab);
    await next.page.goto("/");
    await next.page.getByRole("button", { name: "Play background video" }).waitFor();
    expect(await loadedVideos(next.page)).toEqual([]);
    expect(requestedVideos(next.requests)).toEqual([]);
    await button(next.page).click();
    await expect.poll(() => isRunning(next.page)).toBe(true);
  });

  test("are omitted with the button when data saving is on", async () => {
    const { page, requests } = await site.open();
    await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
    await openPage(page, "/");
    // The page's own observer, which would start them, was called before this one.
    await page.evaluate(() => new Promise((seen) => new IntersectionObserver(seen).observe(document.body)));
    expect(await button(page).count()).toBe(0);
    expect(await loadedVideos(page)).toEqual([]);
    expect(requestedVideos(requests)).toEqual([]);
  });
});

const endOf = async (part: Locator) => {
  const { x, width } = await boxOf(part);
  return x + width;
};
const bottomOf = async (part: Locator) => {
  const { y, height } = await boxOf(part);
  return y + height;
};

/** The number of rows that elements of equal height form. */
async function rowsOf(parts: Locator): Promise<number> {
  const tops = await parts.evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().top)));
  return new Set(tops).size;
}

test("the first screen fits windows of all sizes", async () => {
  const { page } = await site.open(reducedMotion);
  await openPage(page, "/");
  await page.evaluate(() => document.fonts.ready);
  const hero = page.getByRole("region", { name: "Meishi", exact: true });
  const card = hero.locator('img[src*="/card-"]');
  const phone = hero.locator('img[src*="/phone-"]');
  const heading = hero.getByRole("heading", { level: 1 });
  const start = hero.getByRole("link", { name: "Get Started — Free" });
  const sample = hero.getByRole("link", { name: "View a sample profile" });
  const resize = (width: number, height = 844) => page.setViewportSize({ width, height });

  for (const width of [320, 390, 430]) {
    await resize(width);
    expect(await bottomOf(card), `the whole card, above the banner at the bottom, at ${width}`).toBeLessThan(735);
    // The heading has two lines even before its font loads; otherwise the content below would shift.
    expect((await boxOf(heading)).height, `${width}`).toBeLessThan(width * 0.28);
    for (const link of [start, sample])
      expect(await endOf(link), `a link beside the phone at ${width}`).toBeLessThan((await boxOf(phone)).x);
  }
  await resize(375, 620);
  expect(await bottomOf(card), "the card in the small viewport of a phone browser").toBeLessThan(620);

  for (const width of [320, 390, 640, 768, 1024, 1280]) {
    await resize(width);
    const buttons = hero.getByRole("link", { name: /^(Get your card|See how it works)$/ });
    expect(await rowsOf(buttons), `rows of buttons at ${width}`).toBe(1);
    for (const button of await buttons.all()) expect((await boxOf(button)).height, `${width}`).toBeLessThanOrEqual(60);
    if (width >= 768) expect(await rowsOf(hero.getByRole("listitem")), `rows of ways to share at ${width}`).toBe(1);
  }
  for (const width of [640, 768, 1280, 1920]) {
    await resize(width);
    const box = await boxOf(phone);
    // The links of the image start a sixteenth of its width from its edge.
    expect(await endOf(card), `the phone's links aren't covered at ${width}`).toBeLessThanOrEqual(
      box.x + box.width / 16,
    );
  }

  await resize(1600, 900);
  const brand = page.getByRole("banner").getByRole("link", { name: "Meishi" }).first();
  expect([(await boxOf(brand)).x, (await boxOf(heading)).x]).toEqual([220, 220]);

  await resize(1280, 800);
  expect(await bottomOf(hero.getByRole("list", { name: "Ways to share" }))).toBeLessThanOrEqual(810);
  expect((await boxOf(sample)).y).toBeGreaterThan(await bottomOf(phone));
  expect((await boxOf(sample)).x).toBeGreaterThan((await boxOf(phone)).x);
  const note = hero.getByText("Your first card is free.");
  expect((await boxOf(note)).y).toBeGreaterThan((await boxOf(start)).y);
  expect(await bottomOf(note)).toBeLessThan(await bottomOf(start));
});
