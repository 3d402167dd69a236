import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import {
  desktop,
  blockScripts,
  waitForHydration,
  narrow,
  openSite,
  reducedMotion,
} from "#tests/support/browser/site.ts";

const site = openSite();
const stories = {
  Freelancers: "You bill by the project",
  Recruiters: "You meet more people",
  "Sales Teams": "You're in the room",
};

describe("the personas of the landing page", () => {
  test("can be changed with the arrow keys without script", async () => {
    const { page } = await site.open({ ...desktop, ...reducedMotion, javaScriptEnabled: false });
    await page.goto("/");
    await tab(page, "Freelancers").focus();
    for (const name of ["Freelancers", "Recruiters", "Sales Teams", "Freelancers"] as const) {
      expect(await tab(page, name).isChecked(), name).toBe(true);
      await expectStory(page, name);
      await page.keyboard.press("ArrowRight");
    }
  });

  test("show a focus ring", async () => {
    const { page } = await site.open({ ...desktop, ...reducedMotion });
    await page.goto("/");
    await tab(page, "Freelancers").focus();
    await page.keyboard.press("ArrowRight");
    const label = page.locator("label", { hasText: "Recruiters" });
    expect(await label.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
  });

  test("keep the tab chosen before hydration", async () => {
    const { page } = await site.open({ ...desktop, ...reducedMotion });
    const letGo = await blockScripts(page);
    await page.goto("/", { waitUntil: "domcontentloaded" });
    await tab(page, "Recruiters").check({ force: true });
    await expectStory(page, "Recruiters");
    letGo();
    await waitForHydration(page);
    expect(await tab(page, "Recruiters").isChecked()).toBe(true);
    await expectStory(page, "Recruiters");
    await tab(page, "Sales Teams").check({ force: true });
    await expectStory(page, "Sales Teams");
  });

  test("open by their fragment, even when it changes", async () => {
    const { page } = await site.open({ ...desktop, ...reducedMotion });
    await page.goto("/#recruiters");
    await waitForHydration(page);
    await expectStory(page, "Recruiters");
    await page.evaluate(() => (location.hash = "#sales-teams"));
    await page.getByText(stories["Sales Teams"]).waitFor();
    await expect.poll(() => tab(page, "Sales Teams").isChecked()).toBe(true);
  });

  test.each([
    ["320 px", narrow],
    ["a desktop", desktop],
  ] as const)("fit %s in every tab", async (_, device) => {
    const { page } = await site.open({ ...device, ...reducedMotion });
    await page.goto("/");
    for (const name of ["Freelancers", "Recruiters", "Sales Teams"] as const) {
      await tab(page, name).check({ force: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
      const { height, lineHeight } = await page.locator("#personas label", { hasText: name }).evaluate((label) => ({
        height: label.clientHeight,
        lineHeight: Number.parseFloat(getComputedStyle(label).lineHeight),
      }));
      expect(height, `${name} on one line`).toBeLessThan(44 + lineHeight);
      expect(height).toBeGreaterThanOrEqual(44);
    }
  });

  test("load only the images of the open tab", async () => {
    const { page, requests } = await site.open({ ...desktop, ...reducedMotion });
    await page.goto("/#personas");
    await page.getByRole("img").first().waitFor();
    await page.locator("#personas").scrollIntoViewIfNeeded();
    const asked = (name: string) => requests.some((url) => url.includes(`/assets/${name}-`));
    await expect.poll(() => asked("freelancer")).toBe(true);
    expect(asked("recruiter")).toBe(false);
    await tab(page, "Recruiters").check({ force: true });
    await expect.poll(() => asked("recruiter")).toBe(true);
  });
});

function tab(page: Page, name: string) {
  return page.getByRole("radio", { name, exact: true });
}

async function expectStory(page: Page, name: keyof typeof stories) {
  const shown = async () => {
    const seen = await Promise.all(Object.values(stories).map((story) => page.getByText(story).isVisible()));
    return Object.keys(stories).filter((_, index) => seen[index]);
  };
  await expect.poll(shown).toEqual([name]);
}
