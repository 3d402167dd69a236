import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { findOverflow } from "#tests/support/browser/layout.ts";
import { desktop, expectFocus, narrow, openSite, waitForHydration, openPage } from "#tests/support/browser/site.ts";
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
  const settings = { is_on: "on", version, months: "24", has_newsletter: "on", "field-name": "optional" };
  const form = { ...settings, booking_url: "cal.com/ada" };
  return request.post(`${site.url}/cards/${card}/leads`, { form, headers: { origin: site.url } });
}

test("the form of a card is accepted with the keyboard at 320 px, and thanks without scrolling sideways", async () => {
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

test("the settings ask for answers only of questions with a choice, also without script", async () => {
  const { page } = await site.open({ ...narrow, storageState: owner.state, javaScriptEnabled: false });
  await page.goto(`/cards/${card}/leads`);
  const answers = page.getByLabel("Answers to choose from");
  await page.getByText("Add question").first().click();
  expect(await answers.first().isVisible()).toBe(false);
  await page.getByLabel("Answer", { exact: true }).first().selectOption("choice");
  expect(await answers.first().isVisible()).toBe(true);
  expect(await answers.nth(1).isVisible()).toBe(false);
});

test("on a phone, a switch shows form or preview, and Save stays in view while something is unsaved", async () => {
  const { page } = await site.open({ ...narrow, storageState: owner.state });
  await openPage(page, `/cards/${card}/leads`);
  const question = page.getByRole("textbox", { name: "Question 1" });
  const unsaved = page.getByText("You have unsaved changes.", { exact: true });
  const previewed = page.getByRole("tabpanel", { name: "Preview" }).getByText("Which booth?");
  await page.getByText("Add question").first().click();
  await question.fill("Which booth?");
  await unsaved.waitFor();
  expect(await previewed.count()).toBe(0);
  await page.getByRole("tab", { name: "Edit" }).focus();
  await page.keyboard.press("ArrowRight");
  await previewed.waitFor();
  expect(await question.isVisible()).toBe(false);
  expect(await findOverflow(page, [320, 390])).toEqual([]);
  await page.keyboard.press("ArrowLeft");
  expect(await question.inputValue()).toBe("Which booth?");
  expect(await previewed.count()).toBe(0);
  await page.getByRole("navigation", { name: "Card" }).getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  await question.fill("");
  await unsaved.waitFor({ state: "hidden" });
  await question.fill("Which booth?");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Visitors to this card can send you their details.").last().waitFor();
  await unsaved.waitFor({ state: "hidden" });
  expect(await question.inputValue()).toBe("Which booth?");
});

test("settings that can't be saved keep what was typed and show why, where their owner looks", async () => {
  const { page, context } = await site.open({ ...desktop, storageState: owner.state });
  await openPage(page, "/profile");
  await page.getByRole("link", { name: /^Edit .*Business Card$/ }).click();
  await page.getByRole("navigation", { name: "Card" }).getByRole("link", { name: "Form" }).click();
  await page.getByRole("heading", { name: "Contact form" }).waitFor();
  await waitForHydration(page);
  const booking = page.getByLabel("Booking link");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await booking.fill("javascript:alert(1)");
  await page.route("**/cards/**", (route) => route.abort("internetdisconnected"));
  await save.click();
  await page.getByText("You are offline.").waitFor();
  expect(await booking.inputValue()).toBe("javascript:alert(1)");
  await page.unroute("**/cards/**");
  await save.click();
  await expectFocus(booking);
  await booking.fill("cal.com/grace");
  // Another tab saves.
  await saveForm(context, await page.locator("input[name=version]").inputValue());
  await page.setViewportSize(narrow.viewport);
  await save.click();
  const conflict = page.getByText("also changed in another tab");
  await conflict.waitFor();
  await expect.poll(() => conflict.evaluate(isInView)).toBe(true);
  expect(await booking.inputValue()).toBe("cal.com/grace");
  await save.click();
  await page.getByText("Visitors to this card can send you their details.").last().waitFor();
});

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
