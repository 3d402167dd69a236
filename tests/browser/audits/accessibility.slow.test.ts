import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { themes } from "#app/features/profile/themes.ts";
import { findAxeViolations, findLightThemeViolations } from "#tests/support/browser/axe.ts";
import { openEditor } from "#tests/support/browser/editors.ts";
import { findUnreachable, tabThrough } from "#tests/support/browser/focus-ring.ts";
import { findOverflow, listMovingElements, listSmallTargets } from "#tests/support/browser/layout.ts";
import { narrow, openOwnSite, phone, sharedSettings, openPage } from "#tests/support/browser/site.ts";
import { saveProfile } from "#tests/support/browser/users.ts";
import { makePremium } from "#tests/support/program/database.ts";
import { appleEnv, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import { createScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { screens } from "#tests/support/screens/screens.ts";
import { visitScreens } from "#tests/support/screens/visit.ts";

/** With all providers, whose buttons are on many screens. */
const settings = { ...sharedSettings, ...providerEnv, GOOGLE_CONTACTS: "on", ...appleEnv };
const site = openOwnSite({ ...settings, ...ssoEnv("https://login.corp.example") });
const [small, wide] = [[320, 640] as const, [1280, 800] as const];
const visitorGroups = ["a visitor's pages", "a visitor's shared contact"];
let cast: ScreenAccounts;

beforeAll(async () => {
  cast = await createScreenAccounts(site);
});

/** The checks of each screen, with the passing results. */
const noViolations = {
  movesThoughAskedNotTo: [] as string[],
  smallTargets: [] as string[],
  overflowOfLargeText: [] as string[],
  overflowAt320: [] as string[],
  axe: [] as string[],
  axeInTheLight: [] as string[],
  overflowAt1280: [] as string[],
  fromOtherHosts: [] as string[],
  /** Controls that Tab doesn't reach. */
  unreached: [] as string[],
  withoutRing: [] as string[],
};

describe("every screen passes axe, keyboard, focus and zoom checks", () => {
  test.for(Object.keys(screens))("on %s", async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await visitScreens(site, { list, cast, device: phone }, async (page, screen, requests) => {
      const found = { ...noViolations, movesThoughAskedNotTo: await page.evaluate(listMovingElements) };
      if (visitorGroups.includes(group)) {
        found.smallTargets = await page.evaluate(listSmallTargets);
        found.overflowOfLargeText = await findOverflowOfLargeText(page);
      }
      found.overflowAt320 = await findOverflow(page, small);
      found.axe = await findAxeViolations(page);
      found.axeInTheLight = await findLightThemeViolations(page);
      found.overflowAt1280 = await findOverflow(page, wide);
      // A modal traps the keyboard: other tests check that.
      if (!screen.prepare) Object.assign(found, await tabThroughPage(page));
      found.fromOtherHosts = requests.filter((url) => new URL(url).origin !== site.url && !url.startsWith("blob:"));
      expect.soft(found, screen.name).toEqual(noViolations);
    });
  });

  test("in each group of the avatar studio", async () => {
    const { page } = await openEditor(site, { displayName: "Ada Lovelace" });
    await page.getByRole("button", { name: "Create an avatar" }).click();
    const dialog = page.getByRole("dialog", { name: "Create an avatar" });
    for (const group of ["Face", "Hair", "Clothes", "Background", "Position", "Download"]) {
      await dialog.getByRole("radio", { name: group, exact: true }).check({ force: true });
      for (const size of [wide, small]) {
        expect.soft(await findOverflow(page, size), `${group} ${size[0]}`).toEqual([]);
        const wider = await dialog.evaluate((element) =>
          [element, ...element.querySelectorAll(".overflow-y-auto")].map((box) => box.scrollWidth - box.clientWidth),
        );
        expect.soft(Math.max(...wider), `${group} ${size[0]}`).toBe(0);
      }
      expect.soft(await findAxeViolations(page, { within: "dialog[open]" }), group).toEqual([]);
      expect.soft(await findLightThemeViolations(page), group).toEqual([]);
    }
  });

  test("on a profile in any of the themes, on devices that prefer light or dark", async () => {
    const owner = cast.people.rtl;
    makePremium(site.program, owner.id);
    const { page, context } = await site.open({ ...narrow, reducedMotion: "reduce" });
    await context.addCookies(owner.state.cookies);
    for (const { id } of themes) {
      await saveProfile(context, site.program, { displayName: "Ada", bio: "Notes on engines.", theme: id, links });
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`/u/${owner.id}`);
      expect(await page.locator("main").getAttribute("data-theme")).toBe(id);
      expect.soft(await findAxeViolations(page), id).toEqual([]);
      await page.getByRole("button", { name: "QR Code" }).click();
      expect.soft(await findAxeViolations(page), `${id}, the code`).toEqual([]);
      await page.keyboard.press("Escape");
      await page.emulateMedia({ colorScheme: "dark" });
      expect.soft(await findAxeViolations(page, { rules: ["color-contrast"] }), `${id}, dark`).toEqual([]);
    }
  });
});

test("these checks detect motion, overflow, a small target, a hidden focus ring, an unreachable control and low contrast", async () => {
  const { page } = await site.open(phone);
  await openPage(page, "/credits");
  await page.evaluate(() => {
    const wrong = document.createElement("div");
    wrong.innerHTML = '<button tabindex="-1">Out of reach</button><a href="/">No ring</a><p>Hard to read</p>';
    document.querySelector("main")?.append(wrong);
    const [, link, words] = wrong.children;
    if (link instanceof HTMLElement) link.style.outline = "none";
    if (words instanceof HTMLElement) words.style.cssText = "width: 1300px; color: light-dark(#eee, #fff)";
    words?.animate([{ opacity: 0.9 }, { opacity: 1 }], { duration: 100_000 });
  });
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLightThemeViolations(page)).toEqual([expect.stringContaining("color-contrast: ")]);
  expect(await page.evaluate(listMovingElements)).toEqual([expect.stringContaining("<p")]);
  expect(await page.evaluate(listSmallTargets)).toContainEqual(expect.stringContaining("No ring"));
  for (const size of [small, wide]) expect(await findOverflow(page, size)).not.toEqual([]);
  const { unreached, withoutRing } = await tabThroughPage(page);
  expect(unreached).toEqual([expect.stringContaining("Out of reach")]);
  expect(withoutRing).toEqual([expect.stringContaining("No ring")]);
});

const links = [
  { label: "GitHub", url: "https://github.com/ada" },
  { label: "Poems", url: "https://example.com/poems" },
];

/** What a page is too wide for with text twice as large, as it is set in a phone's browser. */
async function findOverflowOfLargeText(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const setSize = (standard: number) =>
    session.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard * 0.8125 } });
  const readSize = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  await setSize(32);
  await expect.poll(readSize).toBe("32px");
  const found = await findOverflow(page, [390, 844]);
  await setSize(16);
  await expect.poll(readSize).toBe("16px");
  return found;
}

/** Tabs through the page, on a desktop. */
async function tabThroughPage(page: Page) {
  const stops = await tabThrough(page);
  const withoutRing = stops.filter(({ ring }) => !ring).map(({ label }) => label);
  return { withoutRing, unreached: await findUnreachable(page, stops) };
}
