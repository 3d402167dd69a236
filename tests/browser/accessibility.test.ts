import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { themes } from "#app/features/profile/themes.ts";
import { findings } from "#tests/support/axe.ts";
import { desktop, hydrated, openSite, phone, leaveToast } from "#tests/support/browser.ts";
import { gatherCast } from "#tests/support/cast.ts";
import type { Cast } from "#tests/support/cast.ts";
import { tabThrough, unreached } from "#tests/support/focus-ring.ts";
import { makePremium, saveProfile } from "#tests/support/members.ts";
import { movingParts } from "#tests/support/moving-parts.ts";
import { sideways } from "#tests/support/overflow.ts";
import { screens, walk } from "#tests/support/screens.ts";

const site = openSite();
let cast: Cast;

beforeAll(async () => {
  cast = await gatherCast(site);
});

/** What is asked of each screen, and the answer that is right. */
const nothingToMend = {
  axe: [] as string[],
  axeInTheLight: [] as string[],
  movesThoughAskedNotTo: [] as string[],
  sidewaysAt320: [] as string[],
  /** A window of 1280 by 800 at 200 %. */
  sidewaysZoomed: [] as string[],
  fromOtherHosts: [] as string[],
  /** Operable, but Tab does not lead there. */
  unreached: [] as string[],
  withoutRing: [] as string[],
};

describe("nothing is to be mended, whoever looks at it and however", () => {
  test.for(Object.keys(screens))("on %s", { timeout: 240_000 }, async (group) => {
    const list = screens[group]?.(cast) ?? [];
    await walk(site, { list, cast, device: phone }, async (page, screen, requests) => {
      const axe = await findings(page);
      const axeInTheLight = await findingsInTheLight(page);
      const movesThoughAskedNotTo = await page.evaluate(movingParts);
      const sidewaysAt320 = await sideways(page, [320, 640]);
      const sidewaysZoomed = await sideways(page, [640, 400]);
      // What opens over a page keeps the keyboard to itself: that is asked in other tests.
      const keyboard = screen.lead ? {} : await goByKeyboard(page);
      const fromOtherHosts = requests.filter((url) => new URL(url).origin !== site.url && !url.startsWith("blob:"));
      const found = { axe, axeInTheLight, movesThoughAskedNotTo, sidewaysAt320, sidewaysZoomed, fromOtherHosts };
      expect.soft({ ...nothingToMend, ...found, ...keyboard }, screen.name).toEqual(nothingToMend);
    });
  });
});

describe("what is wrong would be found", () => {
  test("when something moves, sticks out, hides its focus, is out of reach or hard to read", async () => {
    const { page } = await site.open(phone);
    await page.goto("/credits");
    await hydrated(page);
    await page.evaluate(() => {
      const wrong = document.createElement("div");
      wrong.innerHTML = '<button tabindex="-1">Out of reach</button><a href="/">No ring</a><p>Hard to read</p>';
      document.querySelector("main")?.append(wrong);
      const [, link, words] = wrong.children;
      if (link instanceof HTMLElement) link.style.outline = "none";
      if (words instanceof HTMLElement) words.style.cssText = "width: 700px; color: light-dark(#eee, #fff)";
      words?.animate([{ opacity: 0.9 }, { opacity: 1 }], { duration: 100_000 });
    });
    expect(await findings(page)).toEqual([]);
    expect(await findingsInTheLight(page)).toEqual([expect.stringContaining("color-contrast: ")]);
    expect(await page.evaluate(movingParts)).toEqual(["<p"].map((tag) => expect.stringContaining(tag)));
    expect(await sideways(page, [320, 640])).not.toEqual([]);
    expect(await sideways(page, [640, 400])).not.toEqual([]);
    const { unreached, withoutRing } = await goByKeyboard(page);
    expect(unreached).toEqual([expect.stringContaining("Out of reach")]);
    expect(withoutRing).toEqual([expect.stringContaining("No ring")]);
  });
});

describe("a toast that is about to go", () => {
  test("is read as long as it is whole, and goes then", async () => {
    const { page, context } = await site.open(phone);
    await leaveToast(context, site.url, "Saved");
    await page.goto("/credits");
    const toast = page.locator("dialog.ui-toast");
    await toast.evaluate((dialog) => {
      for (const one of dialog.getAnimations()) one.currentTime = 4_900;
    });
    expect(await findings(page)).toEqual([]);
    await toast.waitFor({ state: "hidden" });
  });
});

describe("axe-core finds nothing to mend", () => {
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

/** The colours alone: nothing else is different there. What visitors see of a person is that person's choice, in the light too. */
async function findingsInTheLight(page: Page): Promise<string[]> {
  const hasMode = await page.evaluate(() => {
    const { dataset } = document.documentElement;
    if (!dataset["mode"]) return false;
    dataset["mode"] = "light";
    return true;
  });
  if (!hasMode) return [];
  const found = await findings(page, { rules: ["color-contrast"] });
  await page.evaluate(() => void (document.documentElement.dataset["mode"] = "dark"));
  return found;
}

/** With the keyboard, at a desk. */
async function goByKeyboard(page: Page) {
  await page.setViewportSize(desktop.viewport);
  const places = await tabThrough(page);
  const withoutRing = places.filter(({ ring }) => !ring).map(({ place }) => place);
  return { withoutRing, unreached: await unreached(page, places) };
}
