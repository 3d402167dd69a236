import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { desktop, narrow, openSite, reducedMotion, openPage } from "#tests/support/browser/site.ts";

const site = openSite();
const stories = {
  Freelancers: "You bill by the project",
  Recruiters: "You meet more people",
  "Sales Teams": "You’re in the room",
};
type Persona = keyof typeof stories;

test("on a desktop a persona opens with its images, quotes follow the keyboard, and screenshots are whole windows", async () => {
  const { page, requests } = await openLanding(desktop, "/");
  const isRequested = (image: string) => requests.some((url) => url.includes(`/assets/${image}-`));
  await page.locator("#personas").scrollIntoViewIfNeeded();
  await expect.poll(() => isRequested("freelancer")).toBe(true);
  await expectScreenshots(page, requests, "step-links");
  expect(isRequested("recruiter")).toBe(false);
  await expectPersonasFit(page);
  // An image is loaded while it is shown, which above may be too short.
  await persona(page, "Recruiters").check({ force: true });
  await expect.poll(() => isRequested("recruiter")).toBe(true);
  await page.evaluate(() => (location.hash = "#sales-teams"));
  await page.getByText(stories["Sales Teams"]).waitFor();
  await expect.poll(() => persona(page, "Sales Teams").isChecked()).toBe(true);
  await persona(page, "Sales Teams").focus();
  await page.keyboard.press("ArrowLeft");
  const label = page.locator("label", { hasText: "Recruiters" });
  expect(await label.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");

  await clickThroughQuotes(page);
  await quoteButton(page, "Quote 3").click();
  await expect.poll(() => currentQuote(page)).toBe("Quote 3");
  const next = quoteButton(page, "Next quote");
  await expect.poll(() => next.isDisabled()).toBe(true);
  await next.focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Next quote");
  await strip(page).evaluate((element) => element.scrollTo({ left: 0 }));
  await expect.poll(() => currentQuote(page)).toBe("Quote 1");
  await strip(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => currentQuote(page)).toBe("Quote 2");
});

test("on the narrowest phone a persona opens by its fragment, everything fits, and screenshots are details", async () => {
  const { page, requests } = await openLanding(narrow, "/#recruiters");
  await expectStory(page, "Recruiters");
  await expectPersonasFit(page);
  await persona(page, "Freelancers").check({ force: true });
  await expectScreenshots(page, requests, "step-links-phone");
  await clickThroughQuotes(page);
});

test("without script personas and quotes can be chosen", async () => {
  const { page } = await site.open({ ...desktop, ...reducedMotion, javaScriptEnabled: false });
  await page.goto("/");
  await persona(page, "Freelancers").focus();
  for (const name of ["Freelancers", "Recruiters", "Sales Teams", "Freelancers"] as const) {
    expect(await persona(page, name).isChecked(), name).toBe(true);
    await expectStory(page, name);
    await page.keyboard.press("ArrowRight");
  }

  expect(await quoteButton(page, "Next quote").count()).toBe(0);
  await strip(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.getByText("Sample Recruiter").isVisible()).toBe(true);
});

async function openLanding(device: typeof desktop | typeof narrow, path: string) {
  const tab = await site.open({ ...device, ...reducedMotion });
  await openPage(tab.page, path);
  return tab;
}

const persona = (page: Page, name: Persona) => page.getByRole("radio", { name, exact: true });
const strip = (page: Page) => page.getByRole("region", { name: "Quotes, side by side" });
const quoteButton = (page: Page, name: string) =>
  page.locator("#social-proof").getByRole("button", { name, exact: true });
const currentQuote = (page: Page) => page.locator("#social-proof button[aria-current]").getAttribute("aria-label");

async function expectStory(page: Page, name: Persona) {
  const shown = async () => {
    const seen = await Promise.all(Object.values(stories).map((story) => page.getByText(story).isVisible()));
    return Object.keys(stories).filter((_, index) => seen[index]);
  };
  await expect.poll(shown).toEqual([name]);
}

/** Each tab is on one line and at least 44 pixels high, and the page doesn't scroll sideways. */
async function expectPersonasFit(page: Page) {
  for (const name of Object.keys(stories) as Persona[]) {
    await persona(page, name).check({ force: true });
    await expectStory(page, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
    const { height, lineHeight } = await page.locator("#personas label", { hasText: name }).evaluate((label) => ({
      height: label.clientHeight,
      lineHeight: Number.parseFloat(getComputedStyle(label).lineHeight),
    }));
    expect(height, `${name} on one line`).toBeLessThan(44 + lineHeight);
    expect(height).toBeGreaterThanOrEqual(44);
  }
}

/** The screenshots are fully visible, and of the list of links this version was requested. */
async function expectScreenshots(page: Page, requests: string[], links: string) {
  const images = page.locator(":is(#personas .sheet > div, #how-it-works picture) > img");
  const shown = await images.filter({ visible: true }).all();
  expect(shown).toHaveLength(4 + 3);
  for (const image of shown) {
    await image.scrollIntoViewIfNeeded();
    const natural = () => image.evaluate((img: HTMLImageElement) => img.naturalWidth / img.naturalHeight);
    await expect.poll(natural).toBeGreaterThan(0);
    const box = await image.evaluate(({ clientWidth, clientHeight }) => clientWidth / clientHeight);
    expect(box).toBeCloseTo(await natural(), 1);
  }
  const versions = requests.flatMap((url) => /\/assets\/(step-links(?:-phone)?)-[\w-]{8}\.avif$/.exec(url)?.[1] ?? []);
  expect(versions).toEqual([links]);
}

/** With the buttons from the first quote to the last one and back; they are off at the ends. */
async function clickThroughQuotes(page: Page) {
  await strip(page).scrollIntoViewIfNeeded();
  const [back, next] = [quoteButton(page, "Previous quote"), quoteButton(page, "Next quote")];
  await expect.poll(() => Promise.all([back.isDisabled(), next.isDisabled()])).toEqual([true, false]);
  const width = await strip(page).evaluate((element) => element.clientWidth);
  await next.click();
  await expect.poll(() => currentQuote(page)).toBe("Quote 2");
  await expect.poll(() => strip(page).evaluate((element) => element.scrollLeft)).toBeCloseTo(0.9 * width, -1);
  await next.click();
  await expect.poll(() => currentQuote(page)).toBe("Quote 3");
  await expect.poll(() => next.isDisabled()).toBe(true);
  await back.click();
  await expect.poll(() => currentQuote(page)).toBe("Quote 2");
}
