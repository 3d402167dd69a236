import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { desktop, openSite, phone } from "#tests/support/browser.ts";
import { gatherCast } from "#tests/support/cast.ts";
import type { Cast } from "#tests/support/cast.ts";
import { layoutShifts } from "#tests/support/layout-shift.ts";
import { sideways } from "#tests/support/overflow.ts";
import { screens, walk } from "#tests/support/screens.ts";
import { openSlowLine } from "#tests/support/slow-line.ts";

const site = openSite();
/** What somebody may meet first. */
const met = ["/", "/pricing", "/auth", "/u/demo-user", "/card/demo-card", "/u/nobody"];
let cast: Cast;

beforeAll(async () => {
  cast = await gatherCast(site);
});

describe("nothing scrolls sideways", () => {
  test("on a phone whose letters are twice as large", { timeout: 120_000 }, async () => {
    const list = screens["a visitor's pages"]?.(cast) ?? [];
    await walk(site, { list, cast, device: phone }, async (page, { name }) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      expect.soft(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), name).toBe("32px");
      expect.soft(await sideways(page, [390, 844]), name).toEqual([]);
    });
  });
});

describe("a visitor's page", () => {
  test("has nothing to tap that is smaller than a fingertip", { timeout: 120_000 }, async () => {
    const list = screens["a visitor's pages"]?.(cast) ?? [];
    await walk(site, { list, cast, device: phone }, async (page, { name }) => {
      expect.soft(await page.evaluate(smallTargets), name).toEqual([]);
    });
  });

  test.for(met)("%s does not move while it loads", async (path) => {
    for (const device of [phone, desktop]) {
      const { page } = await site.open(device);
      await page.goto(path);
      await page.evaluate(() => document.fonts.ready);
      expect(await layoutShifts(page)).toEqual([]);
    }
  });

  test.for(met)(
    "%s is not shown by halves, and so does not move, over a line that brings it in pieces",
    async (path) => {
      const line = await openSlowLine(site.url, { bytes: 1_200, ms: 15 });
      onTestFinished(line.close);
      for (const device of [phone, desktop]) {
        const { page } = await site.open(device);
        await page.goto(line.url + path);
        await page.evaluate(() => document.fonts.ready);
        expect(await layoutShifts(page)).toEqual([]);
      }
    },
  );
});

/** WCAG 2.5.5: 44 by 44. */
function smallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")];
  return targets
    .filter((element) => element.checkVisibility())
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width < 44 || box.height < 44)
    .map(({ element, box }) => `${element.textContent || element.id} ${box.width} x ${box.height}`);
}
