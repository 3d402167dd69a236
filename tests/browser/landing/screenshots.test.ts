import { describe, expect, test } from "vitest";

import { desktop, narrow, openSite, phone, reducedMotion } from "#tests/support/browser/site.ts";

const site = openSite();
const devices = { "320 px": narrow, "a phone": phone, "a desktop": desktop };

describe("the screenshots on the landing page", () => {
  test.for(Object.keys(devices) as (keyof typeof devices)[])("are fully visible on %s", async (name) => {
    const { page } = await site.open({ ...devices[name], ...reducedMotion });
    await page.goto("/");
    const images = page.locator(":is(#personas .sheet > div, #how-it-works picture) > img");
    const shown = await images.filter({ visible: true }).all();
    expect(shown).toHaveLength(4 + 3);
    for (const picture of shown) {
      await picture.scrollIntoViewIfNeeded();
      const natural = () => picture.evaluate((img: HTMLImageElement) => img.naturalWidth / img.naturalHeight);
      await expect.poll(natural).toBeGreaterThan(0);
      const box = await picture.evaluate(({ clientWidth, clientHeight }) => clientWidth / clientHeight);
      expect(box).toBeCloseTo(await natural(), 1);
    }
  });

  test("are details on a phone, where a whole window would be unreadable", async () => {
    const asked = async (name: keyof typeof devices) => {
      const { page, requests } = await site.open({ ...devices[name], ...reducedMotion });
      await page.goto("/");
      const links = page.getByAltText("The list of links in the profile editor, each with a switch.");
      await links.scrollIntoViewIfNeeded();
      await expect.poll(() => links.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
      return requests.flatMap((url) => /\/assets\/(step-links(?:-phone)?)-[\w-]{8}\.avif$/.exec(url)?.[1] ?? []);
    };
    expect(await asked("a phone")).toEqual(["step-links-phone"]);
    expect(await asked("a desktop")).toEqual(["step-links"]);
  });
});
