import { expect, onTestFinished, test } from "vitest";

import { readLayoutShifts } from "#tests/support/browser/layout.ts";
import { desktop, narrow, openSite, phone } from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, openUser } from "#tests/support/browser/users.ts";
import { openSlowProxy } from "#tests/support/program/slow-proxy.ts";

const site = openSite();
/** Pages that visitors enter the site by. */
const entryPages = ["/", "/pricing", "/auth", "/u/demo-user", "/card/demo-card", "/u/nobody"];

test("a visitor's page has a name of two words on one line, 320 pixels wide", async () => {
  const { context, page, id } = await openUser(site, narrow);
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

test.for(entryPages)(
  "%s has no layout shift while it loads, also when its document arrives in pieces",
  async (path) => {
    const line = await openSlowProxy(site.url, { bytes: 1_200, ms: 15 });
    onTestFinished(line.close);
    for (const device of [phone, desktop]) {
      for (const url of [site.url, line.url]) {
        const { page } = await site.open(device);
        await page.goto(url + path);
        await page.evaluate(() => document.fonts.ready);
        expect(await readLayoutShifts(page), url).toEqual([]);
      }
    }
  },
);
