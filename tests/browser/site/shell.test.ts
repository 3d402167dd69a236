import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import {
  desktop,
  expectFocus,
  waitForHydration,
  setToastCookie,
  openSite,
  phone,
} from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

const modeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset["mode"]);
const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const paper = "rgb(247, 244, 237)";
const ink = "rgb(14, 15, 18)";

/** The open theme choice, opened by mouse. */
async function themes(page: Page) {
  await page.getByRole("button", { name: "Theme" }).click();
  return page.locator("#theme-menu").getByRole("group", { name: "Theme" });
}

describe("the theme", () => {
  test("changes at once without a reload, and lasts", async () => {
    const { page, requests, context } = await site.open(desktop);
    await page.goto("/credits");
    await waitForHydration(page);
    const before = requests.length;
    const group = await themes(page);
    await group.getByRole("button", { name: "Light" }).click();
    expect(await modeOf(page)).toBe("light");
    expect(await groundOf(page)).toBe(paper);
    expect(await page.locator("meta[name=theme-color]").getAttribute("content")).toBe(paper);
    expect(requests.slice(before)).toEqual([]);
    await group.waitFor({ state: "hidden" });
    await expectFocus(page.getByRole("button", { name: "Theme" }));
    expect(await (await themes(page)).getByRole("button", { pressed: true }).innerText()).toBe("Light");
    // The next pages have it in their HTML, with or without script.
    for (const path of ["/", "/auth"]) {
      expect(await (await context.request.get(path)).text()).toContain('data-mode="light"');
    }
  });

  test("changes without a page load on a form, and what was typed stays", async () => {
    const { page, requests } = await site.open(desktop);
    for (const [path, field] of [
      ["/auth", "Email"],
      ["/contact", "Message"],
    ] as const) {
      await page.goto(path, { waitUntil: "networkidle" });
      await page.getByLabel(field, { exact: true }).fill("typed@example.com");
      const before = requests.length;
      const group = await themes(page);
      await group.getByRole("button", { name: "Light" }).click();
      await expect.poll(() => groundOf(page)).toBe(paper);
      await group.waitFor({ state: "hidden" });
      expect(await (await themes(page)).getByRole("button", { pressed: true }).innerText()).toBe("Light");
      await group.getByRole("button", { name: "Dark" }).click();
      await expect.poll(() => groundOf(page)).toBe(ink);
      expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe("typed@example.com");
      expect(requests.slice(before).filter((url) => url !== `${site.url}/theme`)).toEqual([]);
    }
    expect(await (await page.request.get("/auth")).text()).toContain('data-mode="dark"');
  });

  test("follows the device if it is set to system", async () => {
    const { page } = await site.open({ ...desktop, colorScheme: "light" });
    await page.goto("/credits");
    await waitForHydration(page);
    expect(await groundOf(page)).toBe(ink);
    await (await themes(page)).getByRole("button", { name: "System" }).click();
    expect(await groundOf(page)).toBe(paper);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await groundOf(page)).toBe(ink);
    for (const frame of await page.locator("meta[name=theme-color]").all())
      await expect.poll(() => frame.getAttribute("content")).toBe(ink);
  });

  test("is chosen in the phone menu, and works without script", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await site.open({ ...phone, javaScriptEnabled });
      for (const path of ["/auth?returnTo=%2Fprofile", "/pricing"]) {
        await page.goto(path);
        await page.getByRole("button", { name: "Menu" }).click();
        const wanted = path === "/pricing" ? "Dark" : "Light";
        await page.locator("#site-menu").getByRole("button", { name: wanted }).click();
        await page.locator(`html[data-mode=${wanted.toLowerCase()}]`).waitFor();
        expect(page.url()).toBe(site.url + path);
      }
    }
  });

  test("applies to error pages too", async () => {
    const { page, context } = await site.open({ ...desktop, colorScheme: "dark" });
    for (const [theme, ground] of Object.entries({ dark: ink, light: paper, system: ink })) {
      await context.addCookies([{ name: "theme", value: theme, url: site.url }]);
      for (const path of ["/no/such/page", "/u/nobody-here", "/card/none"]) {
        await page.goto(path);
        expect(await groundOf(page), `${path}, ${theme}`).toBe(ground);
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    expect(await groundOf(page)).toBe(paper);
  });

  test("updates other tabs and pages from the back/forward cache", async () => {
    const tab = await site.open(desktop);
    await tab.page.goto("/credits");
    await waitForHydration(tab.page);
    await tab.page.goto("/pricing");
    await waitForHydration(tab.page);
    await (await themes(tab.page)).getByRole("button", { name: "Light" }).click();
    await tab.page.goBack();
    await expect.poll(() => modeOf(tab.page)).toBe("light");
  });

  test("is operable by keyboard, and Escape changes nothing", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/credits");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Theme" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Dark");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Theme");
    expect(await modeOf(page)).toBe("dark");
  });
});

describe("the phone menu", () => {
  test("is closed by its button and by Escape, which return the focus", async () => {
    const { page } = await site.open(phone);
    await page.goto("/credits");
    const open = page.getByRole("button", { name: "Menu", exact: true });
    const menu = page.locator("#site-menu");
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("button", { name: "Close menu" }).click(),
      () => page.getByRole("button", { name: "Close menu" }).press("Enter"),
    ]) {
      await open.press("Enter");
      await menu.getByRole("link", { name: "Pricing" }).waitFor();
      await close();
      await menu.waitFor({ state: "hidden" });
      await expectFocus(open);
    }
  });
});

test("the phone menu is closed by a link to a part of the same page", async () => {
  const { page } = await site.open(phone);
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = page.locator("#site-menu");
  await menu.getByRole("link", { name: "Features" }).click();
  await menu.waitFor({ state: "hidden" });
  expect(page.url()).toBe(`${site.url}/#features`);
});

describe("the page for unknown addresses", () => {
  test("has the site's header, footer and fonts, and no script file", async () => {
    const { page, requests } = await site.open(desktop);
    await page.goto("/no/such/page", { waitUntil: "networkidle" });
    await page.getByRole("heading", { name: "Oops! Page not found" }).waitFor();
    await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Pricing" }).waitFor();
    await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).waitFor();
    expect(requests.some((url) => url.endsWith(".woff2"))).toBe(true);
    expect(requests.filter((url) => url.endsWith(".js"))).toEqual([]);
    await (await themes(page)).getByRole("button", { name: "Light" }).click();
    await expect.poll(() => groundOf(page)).toBe(paper);
  });

  test("leaves profiles and cards their own message and way back", async () => {
    const { page } = await site.open(phone);
    for (const [path, title] of [
      ["/u/nobody-here", "Profile Not Found"],
      ["/card/none", "Card Not Found"],
    ] as const) {
      await page.goto(path);
      expect(await page.title()).toBe(title);
      expect(await page.locator("main a.button").getAttribute("href")).toBe("/");
    }
  });
});

describe("a toast", () => {
  test("is the only one, even if another follows at once", async () => {
    const { page, context } = await site.open(desktop);
    await signUp(context, site.program, "two@example.com");
    const id = await makeCard(context, site.program, { card_name: "A" });
    await page.goto("/profile");
    await waitForHydration(page);
    for (let round = 0; round < 3; round++) {
      const response = page.waitForResponse((response) => response.url().includes(`/cards/${id}/pause`));
      await page.getByRole("button", { name: "More actions for A" }).click();
      await page.getByRole("menuitem", { name: /^(Pause|Unpause)$/ }).click();
      await response;
      const title = round % 2 ? "Card unpaused" : "Card paused";
      await page.locator("dialog.ui-toast").filter({ hasText: title }).waitFor();
      expect(await page.locator("dialog.ui-toast[open]").count()).toBe(1);
    }
  });

  test("stays for five seconds, and longer while it is hovered", async () => {
    const { page, context } = await site.open(desktop);
    await setToastCookie(context, site.program, "Saved for later");
    // A page without videos, which would be drawn all the time.
    await page.goto("/credits", { waitUntil: "commit" });
    const toast = page.locator("dialog.ui-toast").filter({ hasText: "Saved for later" });
    await toast.hover();
    const waits = await toast.evaluate((dialog) => dialog.getAnimations().map((one) => one.effect?.getTiming().delay));
    expect(waits).toContain(5_000);
    await page.waitForTimeout(6_000);
    expect(await toast.isVisible()).toBe(true);
    await page.mouse.move(5, 5);
    await toast.waitFor({ state: "hidden" });
  });
});

describe("the header", () => {
  test("fits on one line from 768 pixels on, signed in and out", async () => {
    const { page, context } = await site.open({ ...desktop, viewport: { width: 768, height: 800 } });
    for (const isSignedIn of [false, true]) {
      if (isSignedIn) await signUp(context, site.program, "wide@example.com");
      for (const path of ["/pricing", ...(isSignedIn ? ["/profile"] : [])]) {
        await page.goto(path);
        const boxes = await page
          .locator("body > div > header :is(a, button):visible")
          .evaluateAll((all) =>
            all.map((one) => one.getBoundingClientRect()).map(({ left, right, height }) => ({ left, right, height })),
          );
        expect(boxes.length).toBe(isSignedIn ? 8 : 7);
        for (const [index, box] of boxes.entries()) {
          expect(box.height).toBeLessThan(60);
          expect(box.left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
          expect(box.right).toBeLessThanOrEqual(768);
        }
      }
    }
  });
});
