import { beforeAll, describe, expect, test } from "vitest";

import { formatDay } from "#app/features/status/messages.ts";
import { findAxeViolations, findLightThemeViolations } from "#tests/support/browser/axe.ts";
import { desktop, waitForHydration, narrow, openOwnSite, reducedMotion } from "#tests/support/browser/site.ts";
import { recordDays } from "#tests/support/program/database.ts";

const site = openOwnSite();

let today = 0;

/** Sixty good days, except for half an hour of failing mail a week ago and an unrecorded hour a month ago. */
beforeAll(() => {
  const start = "0".repeat(600);
  today = recordDays(site.program, 60, { 7: start + "4".repeat(30), 30: start + "-".repeat(60) });
});

describe("the status page", () => {
  test("has ninety bars of the same size at the same distance, and describes the one under the pointer without moving anything", async () => {
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

    await waitForHydration(page);
    const bar = page.locator("main ol > li").filter({ hasText: formatDay(today - 7) });
    const tooltip = bar.locator("p");
    expect(await tooltip.isVisible()).toBe(false);
    const before = await page.locator("main").evaluate((main) => main.scrollHeight);
    await bar.hover();
    await tooltip.waitFor();
    expect(await tooltip.innerText()).toMatch(/^\w{3}, \w{3} \d+ 1,410 of 1,440 minutes up, 30 failing$/);
    expect(await page.locator("main").evaluate((main) => main.scrollHeight)).toBe(before);
  });

  test("passes axe, dark and light, and fits the narrowest phone with the table open, without broken words", async () => {
    const { page } = await site.open({ ...narrow, ...reducedMotion });
    await page.goto("/status");
    const table = page.getByRole("table", { name: /Minutes per day/ });
    expect(await table.isVisible()).toBe(false);
    await page.locator("main summary").press("Enter");
    await table.waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLightThemeViolations(page)).toEqual([]);
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
