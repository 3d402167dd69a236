import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";

import { waitForHydration, openSite, reducedMotion } from "#tests/support/browser/site.ts";

const site = openSite();

async function openAt(width: number, height = 844) {
  const { page } = await site.open({ ...reducedMotion, viewport: { width, height } });
  await page.goto("/");
  await page.evaluate(() => document.fonts.ready);
  const hero = page.getByRole("region", { name: "Meishi", exact: true });
  return { page, hero, card: hero.locator('img[src*="/card-"]') };
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (!box) throw new Error(`${String(part)} is not shown`);
  return { ...box, end: box.x + box.width, bottom: box.y + box.height };
}

/** The number of rows that elements of equal height form. */
async function rowsOf(parts: Locator): Promise<number> {
  return new Set(await parts.evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().top))))
    .size;
}

describe("the first screen", () => {
  test.for([320, 390, 430])("shows the whole card on a phone, above the banner at the bottom, at %s", async (width) => {
    const { page, hero, card } = await openAt(width);
    await waitForHydration(page);
    expect((await boxOf(card)).bottom).toBeLessThan(735);
    // The heading has two lines even before its font loads; otherwise the content below would shift.
    const heading = await boxOf(hero.getByRole("heading", { level: 1 }));
    expect(heading.height).toBeLessThan(width * 0.28);
    for (const name of ["Get Started — Free", "View a sample profile"]) {
      const phone = await boxOf(hero.locator('img[src*="/phone-"]'));
      expect((await boxOf(hero.getByRole("link", { name }))).end).toBeLessThan(phone.x);
    }
  });

  test("shows the card in the small viewport of a phone browser", async () => {
    const { card } = await openAt(375, 620);
    expect((await boxOf(card)).bottom).toBeLessThan(620);
  });

  test.for([320, 390, 640, 768, 1024, 1280])("has its two buttons in one row, at %s", async (width) => {
    const { hero } = await openAt(width);
    const buttons = hero.getByRole("link", { name: /^(Get your card|See how it works)$/ });
    expect(await rowsOf(buttons)).toBe(1);
    const heights = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThanOrEqual(60);
  });

  test("lines up with the header on a wide window, at most 1160 pixels wide", async () => {
    const { page, hero } = await openAt(1600, 900);
    const brand = await boxOf(page.getByRole("banner").getByRole("link", { name: "Meishi" }).first());
    const heading = await boxOf(hero.getByRole("heading", { level: 1 }));
    expect([brand.x, heading.x]).toEqual([220, 220]);
  });

  test.for([768, 1024, 1280])("lists the ways to share in one row, at %s", async (width) => {
    const { hero } = await openAt(width);
    expect(await rowsOf(hero.getByRole("listitem"))).toBe(1);
  });

  test.for([640, 768, 1280, 1920])("leaves the phone's links uncovered by the card, at %s", async (width) => {
    const { hero, card } = await openAt(width);
    const phone = await boxOf(hero.locator('img[src*="/phone-"]'));
    // The links of the picture start a sixteenth of its width from its edge.
    expect((await boxOf(card)).end).toBeLessThanOrEqual(phone.x + phone.width / 16);
  });

  test("fits a laptop's window, with the link to the sample below the phone", async () => {
    const { hero } = await openAt(1280, 800);
    const ways = await boxOf(hero.getByRole("list", { name: "Ways to share" }));
    expect(ways.bottom).toBeLessThanOrEqual(810);
    const phone = await boxOf(hero.locator('img[src*="/phone-"]'));
    const sample = await boxOf(hero.getByRole("link", { name: "View a sample profile" }));
    expect(sample.y).toBeGreaterThan(phone.bottom);
    expect(sample.x).toBeGreaterThan(phone.x);
    const start = await boxOf(hero.getByRole("link", { name: "Get Started — Free" }));
    const note = await boxOf(hero.getByText("Your first card is free."));
    expect(note.y).toBeGreaterThan(start.y);
    expect(note.bottom).toBeLessThan(start.bottom);
  });
});
