import { beforeAll, describe, expect, test } from "vitest";

import { dayWords } from "#app/features/status/words.ts";
import { findings } from "#tests/support/axe.ts";
import { desktop, hydrated, narrow, openSite, phone } from "#tests/support/browser.ts";
import { recordDays } from "#tests/support/recorded-days.ts";

const site = openSite();

let today = 0;

/** Sixty days: well but for half an hour without mail a week ago and an hour a month ago that nobody recorded. */
beforeAll(() => {
  const start = "0".repeat(600);
  today = recordDays(site.program, 60, { 7: start + "4".repeat(30), 30: start + "-".repeat(60) });
});

describe("the status page", () => {
  test("has a bar for each of ninety days, all of one size and at one distance, on whole pixels", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/status");
    const boxes = await page
      .locator("main ol > li > svg")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes).toHaveLength(90);
    const [first] = boxes;
    for (const [index, { x, y, width, height }] of boxes.entries()) {
      expect([x - (first?.x ?? 0), y, width, height]).toEqual([index * 9, first?.y, 6, 80]);
    }
    const column = await page.locator("h1").boundingBox();
    expect(first?.x).toBe(column?.x);
  });

  test("shows the day under the pointer in words, and nothing moves for it", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/status");
    await hydrated(page);
    const bar = page.locator("main ol > li").filter({ hasText: dayWords(today - 7) });
    const words = bar.locator("p");
    expect(await words.isVisible()).toBe(false);
    const before = await page.locator("main").evaluate((main) => main.scrollHeight);
    await bar.hover();
    await words.waitFor();
    expect(await words.innerText()).toMatch(/^\w{3} \d+ \w{3} 1,410 of 1,440 minutes well, 30 failing$/);
    expect(await page.locator("main").evaluate((main) => main.scrollHeight)).toBe(before);
  });

  test("is all there without script, and opened by keyboard: each day in a table", async () => {
    const { page } = await site.open({ ...phone, javaScriptEnabled: false });
    await page.goto("/status");
    const table = page.getByRole("table", { name: /Minutes of each day/ });
    expect(await table.isVisible()).toBe(false);
    await page.locator("main summary").focus();
    await page.keyboard.press("Enter");
    const named = await table.getByRole("rowheader").allTextContents();
    const sixty = Array.from({ length: 60 }, (_, index) => dayWords(today - 1 - index));
    expect(named.slice(-60)).toEqual(sixty);
    // Today has no minute yet when it has just begun.
    expect([[], [dayWords(today)]]).toContainEqual(named.slice(0, -60));
    // A phone has no room for the weekday.
    const name = dayWords(today - 7).slice(4);
    const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    expect(await row.getByRole("cell").allInnerTexts()).toEqual(["1,410", "30", "0", "97.91%"]);
    await page.getByText("Mail failing").waitFor();
    const hour = page.getByRole("listitem").filter({ hasText: "10:00 to 11:00 UTC" });
    await hour.getByText("Nothing recorded for 1 h").waitFor();
  });

  test.each(["dark", "light"] as const)("has nothing that axe would mend, %s, with the table open", async (theme) => {
    const { page, context } = await site.open({ ...phone, reducedMotion: "reduce" });
    await context.addCookies([{ name: "theme", value: theme, url: site.url }]);
    await page.goto("/status");
    await page.locator("main summary").click();
    expect(await findings(page)).toEqual([]);
  });

  test("fits the narrowest phone, with the table open too; no word is broken in it", async () => {
    const { page } = await site.open(narrow);
    await page.goto("/status");
    await page.locator("main summary").click();
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll("main > div *")]
        .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth - 18)
        .filter((element) => !element.closest("svg"))
        .map((element) => `${element.tagName} ${element.className} ${element.getBoundingClientRect().right}`),
    );
    expect(wide).toEqual([]);
    const lines = await page
      .locator("main tbody td")
      .evaluateAll((cells) => cells.filter((cell) => cell.getBoundingClientRect().height > 40).length);
    expect(lines).toBe(0);
  });
});
