import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";

import { hydrated, openSite, still } from "#tests/support/browser.ts";

const site = openSite({ DEMO: "on" });

async function openAt(width: number, height = 844) {
  const { page } = await site.open({ ...still, viewport: { width, height } });
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

/** In how many rows parts of one height stand. */
async function rowsOf(parts: Locator): Promise<number> {
  return new Set(await parts.evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().top))))
    .size;
}

describe("the first screen", () => {
  test.for([320, 390, 430])(
    "shows the whole card on a phone, above what is asked at its edge, at %s",
    async (width) => {
      const { page, hero, card } = await openAt(width);
      await hydrated(page);
      expect((await boxOf(card)).bottom).toBeLessThan(735);
      // The heading is two lines, also before its own font is there: what follows would move.
      const heading = await boxOf(hero.getByRole("heading", { level: 1 }));
      expect(heading.height).toBeLessThan(width * 0.28);
      for (const name of ["Get Started — Free", "Open the sample profile"]) {
        const phone = await boxOf(hero.locator('img[src*="/phone-"]'));
        expect((await boxOf(hero.getByRole("link", { name }))).end).toBeLessThan(phone.x);
      }
    },
  );

  test("shows the card in what a browser leaves of a small phone", async () => {
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

  test.for([768, 1024, 1280])("names the ways to share in one row, at %s", async (width) => {
    const { hero } = await openAt(width);
    expect(await rowsOf(hero.getByRole("listitem"))).toBe(1);
  });

  test("is all in one window of a laptop, the sample below the phone that shows it", async () => {
    const { hero } = await openAt(1280, 800);
    const ways = await boxOf(hero.getByRole("list", { name: "Ways to share" }));
    expect(ways.bottom).toBeLessThanOrEqual(810);
    const phone = await boxOf(hero.locator('img[src*="/phone-"]'));
    const sample = await boxOf(hero.getByRole("link", { name: "Open the sample profile" }));
    expect(sample.y).toBeGreaterThan(phone.bottom);
    expect(sample.x).toBeGreaterThan(phone.x);
    const start = await boxOf(hero.getByRole("link", { name: "Get Started — Free" }));
    const note = await boxOf(hero.getByText("Free for one card."));
    expect(note.y).toBeGreaterThan(start.y);
    expect(note.bottom).toBeLessThan(start.bottom);
  });
});
