import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

import { boxOf, openSite, reducedMotion, waitForHydration } from "#tests/support/browser/site.ts";

const site = openSite();

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
  await page.goto("/");
  await waitForHydration(page);
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
    // The links of the picture start a sixteenth of its width from its edge.
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
