import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { themes } from "#app/features/profile/themes.ts";
import { findAxeViolations, findLightThemeViolations } from "#tests/support/browser/axe.ts";
import {
  desktop,
  openOwnSite,
  sharedSettings,
  phone,
  setToastCookie,
  waitForHydration,
} from "#tests/support/browser/site.ts";
import { appleEnv, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import { createScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { tabThrough, findUnreachable } from "#tests/support/browser/focus-ring.ts";
import { saveProfile } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";
import { findOverflow, listMovingElements } from "#tests/support/browser/layout.ts";
import { screens } from "#tests/support/screens/screens.ts";
import { visitScreens } from "#tests/support/screens/visit.ts";

/** With all providers, whose buttons are on many screens. */
const site = openOwnSite({ ...sharedSettings, ...providerEnv, ...appleEnv, ...ssoEnv("https://login.corp.example") });
let cast: ScreenAccounts;

beforeAll(async () => {
  cast = await createScreenAccounts(site);
});

/** The checks of each screen, with the passing results. */
const noViolations = {
  axe: [] as string[],
  axeInTheLight: [] as string[],
  movesThoughAskedNotTo: [] as string[],
  sidewaysAt320: [] as string[],
  /** The size of a window of 1280 by 800 at 200 % zoom. */
  sidewaysZoomed: [] as string[],
  fromOtherHosts: [] as string[],
  /** Controls that Tab doesn't reach. */
  unreached: [] as string[],
  withoutRing: [] as string[],
};

describe("every screen passes axe, keyboard, focus and zoom checks", () => {
  test.for(Object.keys(screens))("on %s", { timeout: 240_000 }, async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await visitScreens(site, { list, cast, device: phone }, async (page, screen, requests) => {
      const axe = await findAxeViolations(page);
      const axeInTheLight = await findLightThemeViolations(page);
      const movesThoughAskedNotTo = await page.evaluate(listMovingElements);
      const sidewaysAt320 = await findOverflow(page, [320, 640]);
      const sidewaysZoomed = await findOverflow(page, [640, 400]);
      // A modal traps the keyboard: other tests check that.
      const keyboard = screen.prepare ? {} : await tabThroughPage(page);
      const fromOtherHosts = requests.filter((url) => new URL(url).origin !== site.url && !url.startsWith("blob:"));
      const found = { axe, axeInTheLight, movesThoughAskedNotTo, sidewaysAt320, sidewaysZoomed, fromOtherHosts };
      expect.soft({ ...noViolations, ...found, ...keyboard }, screen.name).toEqual(noViolations);
    });
  });
});

describe("these checks detect", () => {
  test("motion, overflow, a hidden focus ring, an unreachable control and low contrast", async () => {
    const { page } = await site.open(phone);
    await page.goto("/credits");
    await waitForHydration(page);
    await page.evaluate(() => {
      const wrong = document.createElement("div");
      wrong.innerHTML = '<button tabindex="-1">Out of reach</button><a href="/">No ring</a><p>Hard to read</p>';
      document.querySelector("main")?.append(wrong);
      const [, link, words] = wrong.children;
      if (link instanceof HTMLElement) link.style.outline = "none";
      if (words instanceof HTMLElement) words.style.cssText = "width: 700px; color: light-dark(#eee, #fff)";
      words?.animate([{ opacity: 0.9 }, { opacity: 1 }], { duration: 100_000 });
    });
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLightThemeViolations(page)).toEqual([expect.stringContaining("color-contrast: ")]);
    expect(await page.evaluate(listMovingElements)).toEqual(["<p"].map((tag) => expect.stringContaining(tag)));
    expect(await findOverflow(page, [320, 640])).not.toEqual([]);
    expect(await findOverflow(page, [640, 400])).not.toEqual([]);
    const { unreached, withoutRing } = await tabThroughPage(page);
    expect(unreached).toEqual([expect.stringContaining("Out of reach")]);
    expect(withoutRing).toEqual([expect.stringContaining("No ring")]);
  });
});

describe("a toast near its end", () => {
  test("is checked at full opacity and then disappears", async () => {
    const { page, context } = await site.open(phone);
    await setToastCookie(context, site.program, "Saved");
    await page.goto("/credits");
    const toast = page.locator("dialog.ui-toast");
    await toast.evaluate((dialog) => {
      for (const one of dialog.getAnimations()) one.currentTime = 4_900;
    });
    expect(await findAxeViolations(page)).toEqual([]);
    await toast.waitFor({ state: "hidden" });
  });
});

describe("axe-core finds no violations", () => {
  test("on a profile in any of the themes", { timeout: 120_000 }, async () => {
    const owner = cast.people.rtl;
    makePremium(site.program, owner.id);
    const { page, context } = await site.open({ ...phone, reducedMotion: "reduce" });
    await context.addCookies(owner.state.cookies);
    for (const { id } of themes) {
      await saveProfile(context, site.program, { displayName: "Ada", bio: "Notes on engines.", theme: id, links });
      await page.goto(`/u/${owner.id}`);
      expect(await page.locator("main").getAttribute("data-theme")).toBe(id);
      expect.soft(await findAxeViolations(page), id).toEqual([]);
      await page.getByRole("button", { name: "QR Code" }).click();
      expect.soft(await findAxeViolations(page), `${id}, the code`).toEqual([]);
    }
  });
});

const links = [
  { label: "GitHub", url: "https://github.com/ada" },
  { label: "Poems", url: "https://example.com/poems" },
];

/** Tabs through the page on a desktop. */
async function tabThroughPage(page: Page) {
  await page.setViewportSize(desktop.viewport);
  const places = await tabThrough(page);
  const withoutRing = places.filter(({ ring }) => !ring).map(({ place }) => place);
  return { withoutRing, unreached: await findUnreachable(page, places) };
}
