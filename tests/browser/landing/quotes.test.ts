import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { desktop, waitForHydration, openSite, phone, reducedMotion } from "#tests/support/browser/site.ts";

const site = openSite();

test.for([
  ["phone", phone],
  ["desktop", desktop],
] as const)("on a %s the buttons lead from quote to quote, and are off at the ends", async ([, device]) => {
  const page = await openQuotes(device);
  const [back, next] = [button(page, "Previous quote"), button(page, "Next quote")];
  await expect.poll(() => Promise.all([back.isDisabled(), next.isDisabled()])).toEqual([true, false]);
  const width = await strip(page).evaluate((element) => element.clientWidth);
  await next.click();
  await expect.poll(() => dotOf(page)).toBe("Quote 2");
  await expect.poll(() => scrolled(page)).toBeCloseTo(0.9 * width, -1);
  await next.click();
  await expect.poll(() => dotOf(page)).toBe("Quote 3");
  await expect.poll(() => next.isDisabled()).toBe(true);
  await back.click();
  await expect.poll(() => dotOf(page)).toBe("Quote 2");
});

test("a dot scrolls to its quote, and follows scrolling by touch or arrow keys", async () => {
  const page = await openQuotes(desktop);
  await button(page, "Quote 3").click();
  await expect.poll(() => dotOf(page)).toBe("Quote 3");
  await strip(page).evaluate((element) => element.scrollTo({ left: 0 }));
  await expect.poll(() => dotOf(page)).toBe("Quote 1");
  await strip(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => dotOf(page)).toBe("Quote 2");
});

test("a disabled button keeps the focus", async () => {
  const page = await openQuotes(desktop);
  await button(page, "Quote 3").click();
  await expect.poll(() => button(page, "Next quote").isDisabled()).toBe(true);
  await button(page, "Next quote").focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Next quote");
});

test("without script the quotes scroll, the buttons are hidden, and one question opens at a time", async () => {
  const { page } = await site.open({ ...desktop, ...reducedMotion, javaScriptEnabled: false });
  await page.goto("/");
  expect(await button(page, "Next quote").count()).toBe(0);
  await strip(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.getByText("Sample Recruiter").isVisible()).toBe(true);

  const open = page.locator("#faq details[open]");
  await page.getByText("Can I run it myself?").click();
  await page.getByText("Do people need an app to open my card?").click();
  expect(await open.locator("h3").allTextContents()).toEqual(["Do people need an app to open my card?"]);
  await page.getByText("Do people need an app to open my card?").click();
  expect(await open.count()).toBe(0);
});

test("choosing month or year changes the price without script", async () => {
  const { page } = await site.open({ ...desktop, ...reducedMotion, javaScriptEnabled: false });
  await page.goto("/");
  const plans = page.locator("#pricing");
  expect(await plans.getByText("$7.99").isVisible()).toBe(true);
  await plans.getByRole("radio", { name: /Yearly/ }).check({ force: true });
  expect(await plans.getByText("$80").isVisible()).toBe(true);
  expect(await plans.getByText("$7.99").isVisible()).toBe(false);
});

async function openQuotes(device: typeof desktop | typeof phone): Promise<Page> {
  const { page } = await site.open({ ...device, ...reducedMotion });
  await page.goto("/");
  await waitForHydration(page);
  await strip(page).scrollIntoViewIfNeeded();
  return page;
}

const strip = (page: Page) => page.getByRole("region", { name: "Quotes, side by side" });
const button = (page: Page, name: string) => page.locator("#social-proof").getByRole("button", { name, exact: true });
const scrolled = (page: Page) => strip(page).evaluate((element) => element.scrollLeft);
const dotOf = (page: Page) => page.locator("#social-proof button[aria-current]").getAttribute("aria-label");
