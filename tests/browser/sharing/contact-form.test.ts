import type { BrowserContext, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";

import { findOverflow } from "#tests/support/browser/layout.ts";
import { boxOf, desktop, expectFocus, narrow, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();
let owner: Awaited<ReturnType<typeof signUp>>;
let card: string;

beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "contact-form@example.com");
  card = await makeCard(context, site.program, { company: "Analytical Engines" });
  await saveForm(context, "0");
  await context.close();
});

function saveForm({ request }: BrowserContext, version: string) {
  const form = {
    is_on: "on",
    version,
    months: "24",
    has_newsletter: "on",
    "field-name": "optional",
    booking_url: "cal.com/ada",
  };
  return request.post(`${site.url}/cards/${card}/leads`, { form, headers: { origin: site.url } });
}

describe("the form of a card", () => {
  test("is on one plain background on a wide screen", async () => {
    const { page } = await site.open(desktop);
    await page.goto(`/card/${card}/connect`);
    const title = page.getByRole("heading", { name: "Share your contact" });
    expect(await colorBeside(page, title)).toEqual(await colorBeside(page, page.getByText("No account needed")));
  });

  test("is accepted with the keyboard at 320 px, and thanks without scrolling sideways", async () => {
    const { page } = await site.open(narrow);
    await page.goto(`/card/${card}/connect`);
    await page.getByRole("textbox", { name: "Email" }).fill("grace@example.com");
    await page.keyboard.press("Enter");
    const consent = page.getByRole("checkbox").first();
    await expectFocus(consent);
    // Marked like other fields with an error.
    expect(await consent.evaluate((box) => getComputedStyle(box).borderTopWidth)).toBe("2px");
    await consent.press("Space");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Save Contact" }).waitFor();
    expect(await findOverflow(page, [320, 640])).toEqual([]);
  });
});

test("the settings ask for answers only of questions with a choice, also without script", async () => {
  const { page } = await site.open({ ...narrow, storageState: owner.state, javaScriptEnabled: false });
  await page.goto(`/cards/${card}/leads`);
  const answers = page.getByLabel("Answers to choose from");
  expect(await answers.first().isVisible()).toBe(false);
  await page.getByLabel("Answer", { exact: true }).first().selectOption("choice");
  expect(await answers.first().isVisible()).toBe(true);
  expect(await answers.nth(1).isVisible()).toBe(false);
});

test("the settings have a switch between form and preview on a phone, with the keyboard too", async () => {
  const { page } = await site.open({ ...narrow, storageState: owner.state });
  await page.goto(`/cards/${card}/leads`);
  await waitForHydration(page);
  const question = page.getByRole("textbox", { name: "Question 1" });
  const previewed = page.getByRole("tabpanel", { name: "Preview" }).getByText("Which booth?");
  await question.fill("Which booth?");
  expect(await previewed.count()).toBe(0);
  await page.getByRole("tab", { name: "Edit" }).focus();
  await page.keyboard.press("ArrowRight");
  await previewed.waitFor();
  expect(await question.isVisible()).toBe(false);
  expect(await findOverflow(page, [320, 390])).toEqual([]);
  await page.keyboard.press("ArrowLeft");
  expect(await question.inputValue()).toBe("Which booth?");
  expect(await previewed.count()).toBe(0);
});

test("settings that can't be saved show why, where their owner looks", async () => {
  const { page, context } = await site.open({ ...narrow, storageState: owner.state });
  await page.goto(`/cards/${card}/leads`);
  await waitForHydration(page);
  const booking = page.getByLabel("Booking link");
  await booking.fill("javascript:alert(1)");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await expectFocus(booking);
  await booking.fill("cal.com/grace");
  await saveForm(context, "1");
  await save.click();
  const conflict = page.getByText("also changed in another tab");
  await conflict.waitFor();
  await expect.poll(() => conflict.evaluate(isInView)).toBe(true);
  expect(await booking.inputValue()).toBe("cal.com/grace");
});

test("the settings keep Save in view while something is unsaved, and ask before it is lost", async () => {
  const { page } = await site.open({ ...narrow, storageState: owner.state });
  await page.goto(`/cards/${card}/leads`);
  await waitForHydration(page);
  const unsaved = page.getByText("You have unsaved changes.", { exact: true });
  const question = page.getByRole("textbox", { name: "Question 1" });
  await question.fill("Which booth?");
  await unsaved.waitFor();
  await page.getByRole("link", { name: "Edit card" }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  await question.fill("");
  await unsaved.waitFor({ state: "hidden" });
  await question.fill("Which booth?");
  await unsaved.waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Visitors of this card can share their contact.").waitFor();
  await unsaved.waitFor({ state: "hidden" });
  expect(await question.inputValue()).toBe("Which booth?");
});

test("a card's menu leads to the settings of its form", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto("/profile");
  await waitForHydration(page);
  await page.getByRole("button", { name: /^More actions/ }).click();
  await page.getByRole("menuitem", { name: "Contact form" }).click();
  await page.getByRole("heading", { name: "Contact form" }).waitFor();
});

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** The color left of an element's text. */
async function colorBeside(page: Page, target: Locator) {
  const { x, y, height } = await boxOf(target);
  const clip = { x: x - 4, y: y + height / 2, width: 3, height: 3 };
  const { channels } = await sharp(await page.screenshot({ clip, fullPage: true })).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

test("settings that can't be sent stay in the form, and are saved once there is a network", async () => {
  const { page, consoleErrors } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto(`/cards/${card}/leads`);
  await waitForHydration(page);
  const question = page.getByLabel("Question 1", { exact: true });
  await question.fill("Which team?");
  await page.route("**/cards/**", (route) => route.abort("internetdisconnected"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("You are offline.").waitFor();
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining("ERR_INTERNET_DISCONNECTED")]);
  expect(await question.inputValue()).toBe("Which team?");
  await page.unroute("**/cards/**");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Visitors of this card can share their contact.").waitFor();
  expect(await question.inputValue()).toBe("Which team?");
});
