import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { desktop, narrow, openSite, phone } from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, signUp } from "#tests/support/browser/users.ts";
import { createScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { findOverflow, readLayoutShifts } from "#tests/support/browser/layout.ts";
import { screens } from "#tests/support/screens/screens.ts";
import { visitScreens } from "#tests/support/screens/visit.ts";
import { openSlowProxy } from "#tests/support/program/slow-proxy.ts";

const site = openSite();
/** Pages that visitors enter the site by. */
const entryPages = ["/", "/pricing", "/auth", "/u/demo-user", "/card/demo-card", "/u/nobody"];
const visitorGroups = ["a visitor's pages", "a visitor's shared contact"];
let cast: ScreenAccounts;

beforeAll(async () => {
  cast = await createScreenAccounts(site);
});

describe("no page scrolls sideways", () => {
  test.for(visitorGroups)("on a phone with text twice as large: %s", { timeout: 120_000 }, async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await visitScreens(site, { list, cast, device: phone }, async (page, { name }) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      expect.soft(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), name).toBe("32px");
      expect.soft(await findOverflow(page, [390, 844]), name).toEqual([]);
    });
  });
});

describe("a visitor's page", () => {
  test("has a name of two words on one line, 320 pixels wide", async () => {
    const { context, page } = await site.open(narrow);
    const { id } = await signUp(context, site.program, `${crypto.randomUUID()}@example.com`);
    await saveProfile(context, site.program, { displayName: "Alexandra Montgomery" });
    const card = await makeCard(context, site.program, {});
    await context.clearCookies();
    for (const path of [`/u/${id}`, `/card/${card}`]) {
      await page.goto(path);
      const lines = await page.getByRole("heading", { level: 1 }).evaluate((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      });
      expect(lines, path).toBe(1);
    }
  });

  test.for(visitorGroups)("has no tap target smaller than 44 by 44 pixels: %s", { timeout: 120_000 }, async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await visitScreens(site, { list, cast, device: phone }, async (page, { name }) => {
      expect.soft(await page.evaluate(smallTargets), name).toEqual([]);
    });
  });

  test.for(entryPages)("%s has no layout shift while it loads", async (path) => {
    for (const device of [phone, desktop]) {
      const { page } = await site.open(device);
      await page.goto(path);
      await page.evaluate(() => document.fonts.ready);
      expect(await readLayoutShifts(page)).toEqual([]);
    }
  });

  test.for(entryPages)("%s has no layout shift when its document arrives in pieces", async (path) => {
    const line = await openSlowProxy(site.url, { bytes: 1_200, ms: 15 });
    onTestFinished(line.close);
    for (const device of [phone, desktop]) {
      const { page } = await site.open(device);
      await page.goto(line.url + path);
      await page.evaluate(() => document.fonts.ready);
      expect(await readLayoutShifts(page)).toEqual([]);
    }
  });
});

/** WCAG 2.5.5: 44 by 44. */
function smallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLInputElement>("a, button, input, select, textarea, summary")];
  return (
    targets
      // The skip link gets its size with the focus. No one sees the field that only bots fill in.
      .filter((element) => element.checkVisibility() && element.getAttribute("href") !== "#content")
      .filter((element) => !element.closest("[aria-hidden]"))
      // Pressing its label presses a checkbox.
      .map((element) => ({ element, target: (element.matches("[type=checkbox]") && element.labels?.[0]) || element }))
      .map(({ element, target }) => ({ element, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ element, box }) => `${element.textContent || element.id} ${box.width} x ${box.height}`)
  );
}
