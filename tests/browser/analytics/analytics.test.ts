import { expect, test } from "vitest";

import { expectFocus, openSite } from "#tests/support/browser/site.ts";
import { makeCard, openUser } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";
import { insertAnalytics } from "#tests/support/program/analytics.ts";

const site = openSite();

async function openAnalytics() {
  const { page, context, id } = await openUser(site);
  makePremium(site.program, id);
  const card = await makeCard(context, site.program, { card_name: "Engines" });
  insertAnalytics(site.program, { ownerId: id, card, days: 40 });
  await page.goto("/analytics");
  const visit = (mark = "") =>
    fetch(`${site.url}/card/${card}?${mark}`, { headers: { "user-agent": "Mozilla/5.0 Firefox/140.0" } });
  return { page, visit };
}

test("printed, each list is complete", async () => {
  const { page, visit } = await openAnalytics();
  for (const mark of ["n", "p", "b", "w"]) await visit(mark);
  const more = page.locator("details", { hasText: "1 more" });
  await expect.poll(async () => (await page.reload()) && more.count()).toBe(1);
  // Not by its role, which a closed list hides from assistive technology.
  const last = more.locator("tbody tr");
  expect(await last.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => last.isVisible()).toBe(true);
  expect(await more.locator("summary").isVisible()).toBe(false);
});

test("metrics follow a visit by themselves, the arrow keys read the chart, and a note is typed meanwhile", async () => {
  const { page, visit } = await openAnalytics();
  const chart = page.getByRole("slider", { name: /^Visits/ });
  await chart.focus();
  const latest = await chart.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  const previous = await chart.getAttribute("aria-valuetext");
  expect(previous).toMatch(/^\w{3}, \w{3} \d+, \d{4}: \d+, \d+ before$/);
  expect(previous).not.toBe(latest);
  const shown = page.getByText(/^\d+ before$/);
  await expect.poll(() => shown.count()).toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(() => shown.count()).toBe(0);

  const visits = page.getByRole("link", { name: /^Visits/ });
  const before = await visits.textContent();
  await page.getByText("Add a note").click();
  const note = page.getByRole("textbox", { name: "Note", exact: true });
  await note.fill("Open day");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  const scrolled = await page.evaluate(() => scrollY);
  const looking = page.getByText("1 person on your pages now");
  expect(await page.getByText("on your pages now").count()).toBe(0);
  // The connection opens some seconds after the page.
  await expect.poll(async () => (await visit()) && looking.count(), { interval: 1_000 }).toBe(1);
  await expect.poll(() => visits.textContent()).not.toBe(before);
  await expectFocus(note);
  expect(await note.inputValue()).toBe("Open day");
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);

  // A saved note empties its form, also on a day that the chart doesn't show, and a refused one doesn't.
  const add = page.getByRole("button", { name: "Add note" });
  await page.getByLabel("Day", { exact: true }).fill("2020-02-01");
  await add.click();
  await page.getByText("Its day isn’t in this period.").waitFor();
  await expect.poll(() => note.inputValue()).toBe("");
  const long = "x".repeat(81);
  await note.fill(long);
  await add.click();
  await page.getByText("Use at most 80 characters.").waitFor();
  expect(await note.inputValue()).toBe(long);
});
