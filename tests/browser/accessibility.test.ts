import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { themes } from "#app/features/profile/themes.ts";
import { openSite, phone } from "#tests/support/browser.ts";
import { gatherCast } from "#tests/support/cast.ts";
import type { Cast } from "#tests/support/cast.ts";
import { makePremium, saveProfile } from "#tests/support/members.ts";
import { screens, walk } from "#tests/support/screens.ts";

const site = openSite();
let cast: Cast;

beforeAll(async () => {
  cast = await gatherCast(site);
});

describe("axe-core finds nothing to mend", () => {
  test.for(Object.keys(screens))("on %s", { timeout: 120_000 }, async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await walk(site, { list, cast, device: phone }, async (page, name) => {
      expect.soft(await findings(page), name).toEqual([]);
    });
  });

  // What visitors see of a person is that person's choice: the theme of the site changes nothing there.
  test.for(Object.keys(screens).filter((group) => group !== "a visitor's pages"))(
    "on %s, in the light",
    { timeout: 120_000 },
    async (group) => {
      const list = screens[group]?.(cast) ?? [];
      await walk(site, { list, cast, device: phone, theme: "light" }, async (page, name) => {
        expect.soft(await findings(page), name).toEqual([]);
      });
    },
  );

  test("on a profile in any of the themes", { timeout: 120_000 }, async () => {
    const owner = cast.people.rtl;
    makePremium(site.program, owner.id);
    const { page, context } = await site.open({ ...phone, reducedMotion: "reduce" });
    await context.addCookies(owner.state.cookies);
    for (const { id } of themes) {
      await saveProfile(context, site.program, { displayName: "Ada", bio: "Notes on engines.", theme: id, links });
      await page.goto(`/u/${owner.id}`);
      expect(await page.locator("main").getAttribute("data-theme")).toBe(id);
      expect.soft(await findings(page), id).toEqual([]);
      await page.getByRole("button", { name: "QR Code" }).click();
      expect.soft(await findings(page), `${id}, the code`).toEqual([]);
    }
  });
});

const links = [
  { label: "GitHub", url: "https://github.com/ada" },
  { label: "Poems", url: "https://example.com/poems" },
];

/** The rule and the place of each finding. */
async function findings(page: Page): Promise<string[]> {
  // Legacy: without a page of its own to gather what frames of other sites say. We have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}
