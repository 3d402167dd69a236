import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import {
  desktop,
  expectFocus,
  waitForHydration,
  setToastCookie,
  openSite,
  phone,
  openPage,
} from "#tests/support/browser/site.ts";
import { makeCard, signUp, openUser } from "#tests/support/browser/users.ts";

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
  test("changes at once without a request for a page, by mouse and keyboard, lasts, and applies to pages opened before", async () => {
    const { page, requests, context } = await site.open(desktop);
    await openPage(page, "/credits");
    await openPage(page, "/pricing");
    const button = page.getByRole("button", { name: "Theme" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expectFocus(page.locator("#theme-menu").getByRole("button", { name: "Dark" }));
    await page.keyboard.press("Escape");
    await expectFocus(button);
    expect(await modeOf(page)).toBe("dark");

    const before = requests.length;
    const group = await themes(page);
    await group.getByRole("button", { name: "Light" }).click();
    expect(await modeOf(page)).toBe("light");
    expect(await groundOf(page)).toBe(paper);
    expect(await page.locator("meta[name=theme-color]").getAttribute("content")).toBe(paper);
    expect(requests.slice(before)).toEqual([]);
    await group.waitFor({ state: "hidden" });
    await expectFocus(button);
    expect(await (await themes(page)).getByRole("button", { pressed: true }).innerText()).toBe("Light");
    // The next pages have it in their HTML, with or without script.
    for (const path of ["/", "/auth"]) {
      expect(await (await context.request.get(path)).text()).toContain('data-mode="light"');
    }
    await page.goBack();
    await expect.poll(() => modeOf(page)).toBe("light");
  });

  test("changes without a page load on a form, and what was typed stays", async () => {
    const { page, requests } = await site.open(desktop);
    for (const [path, field] of [
      ["/auth", "Email"],
      ["/contact", "Message"],
    ] as const) {
      await page.goto(path);
      if (path === "/contact") await waitForHydration(page);
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
    await openPage(page, "/credits");
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
      const path = "/auth?returnTo=%2Fprofile";
      await page.goto(path);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.locator("#site-menu").getByRole("button", { name: "Light" }).click();
      await page.locator("html[data-mode=light]").waitFor();
      expect(page.url()).toBe(site.url + path);
    }
  });

  test("applies to the error pages of the site, of profiles and of cards, which keep their own message and way back", async () => {
    const { page, context, requests } = await site.open({ ...desktop, colorScheme: "dark" });
    for (const [path, title] of [
      ["/u/nobody-here", "Profile Not Found"],
      ["/card/none", "Card Not Found"],
      ["/no/such/page", "Oops! Page not found | Meishi"],
    ] as const) {
      await context.addCookies([{ name: "theme", value: "system", url: site.url }]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.goto(path);
      expect(await page.title()).toBe(title);
      if (path !== "/no/such/page") expect(await page.locator("main a.button").getAttribute("href")).toBe("/");
      expect(await groundOf(page), path).toBe(ink);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await groundOf(page), path).toBe(paper);
      await context.addCookies([{ name: "theme", value: "dark", url: site.url }]);
      await page.reload();
      expect(await groundOf(page), path).toBe(ink);
    }
    await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Pricing" }).waitFor();
    await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).waitFor();
    expect(requests.some((url) => url.endsWith(".woff2"))).toBe(true);
    expect(requests.filter((url) => url.endsWith(".js"))).toEqual([]);
    await (await themes(page)).getByRole("button", { name: "Light" }).click();
    await expect.poll(() => groundOf(page)).toBe(paper);
  });
});

test("the phone menu is closed by its button, by Escape and by a link in the page, and returns the focus", async () => {
  const { page } = await site.open(phone);
  await openPage(page, "/");
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
  await open.click();
  await menu.getByRole("link", { name: "Features" }).click();
  await menu.waitFor({ state: "hidden" });
  expect(page.url()).toBe(`${site.url}/#features`);
});

describe("a toast", () => {
  test("is the only one, even if another follows at once", async () => {
    const { page, context } = await openUser(site, desktop);
    const id = await makeCard(context, site.program, { card_name: "A" });
    await openPage(page, "/profile");
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
    const states = () => toast.evaluate((dialog) => dialog.getAnimations().map((one) => one.playState));
    expect(await states()).toContain("paused");
    await page.mouse.move(5, 5);
    await expect.poll(states).not.toContain("paused");
    await toast.evaluate((dialog) => {
      for (const one of dialog.getAnimations()) one.finish();
    });
    await toast.waitFor({ state: "hidden" });
  });
});

test("the header fits on one line from 768 pixels on, signed in and out", async () => {
  const { page, context } = await site.open({ ...desktop, viewport: { width: 768, height: 800 } });
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) await signUp(context, site.program, "wide@example.com");
    await page.goto("/pricing");
    const boxes = await page
      .locator("body > div > header :is(a, button):visible")
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ left, right, height }) => ({ left, right, height })),
      );
    expect(boxes).toHaveLength(7);
    for (const [index, box] of boxes.entries()) {
      expect(box.height).toBeLessThan(60);
      expect(box.left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
      expect(box.right).toBeLessThanOrEqual(768);
    }
  }
});

test("in forced colors the chosen one of several has an outline, and the others none", async () => {
  const { page } = await openUser(site, desktop);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/profile");
  const outlines = await page
    .locator("label:has(input[name=theme])")
    .evaluateAll((labels) =>
      labels.map((label) => `${label.querySelector("input")?.checked} ${getComputedStyle(label).outlineStyle}`),
    );
  expect([outlines.length, ...new Set(outlines)]).toEqual([6, "true solid", "false none"]);
});
