import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, expectFocus, hydrated, leaveToast, openSite, phone } from "#tests/support/browser.ts";
import { makeCard, signUp } from "#tests/support/members.ts";

const site = openSite();

const modeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset["mode"]);
const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const paper = "rgb(247, 244, 237)";
const ink = "rgb(14, 15, 18)";

/** The open theme choice, as a mouse gets there. */
async function themes(page: Page) {
  await page.getByRole("button", { name: "Theme" }).click();
  return page.locator("#theme-menu").getByRole("group", { name: "Theme" });
}

describe("the theme", () => {
  test("changes at once, without a page being loaded, and stays", async () => {
    const { page, requests, context } = await site.open(desktop);
    await page.goto("/credits");
    await hydrated(page);
    const before = requests.length;
    const group = await themes(page);
    await group.getByRole("button", { name: "Light" }).click();
    expect(await modeOf(page)).toBe("light");
    expect(await groundOf(page)).toBe(paper);
    expect(await page.locator("meta[name=theme-color]").getAttribute("content")).toBe(paper);
    expect(await group.getByRole("button", { pressed: true }).innerText()).toBe("Light");
    expect(requests.slice(before)).toEqual([]);
    // Any page that follows is right from its first byte on, whether it runs script or not.
    for (const path of ["/", "/auth"]) {
      expect(await (await context.request.get(path)).text()).toContain('data-mode="light"');
    }
  });

  test("follows the device when it is left to it", async () => {
    const { page } = await site.open({ ...desktop, colorScheme: "light" });
    await page.goto("/credits");
    await hydrated(page);
    expect(await groundOf(page)).toBe(ink);
    await (await themes(page)).getByRole("button", { name: "System" }).click();
    expect(await groundOf(page)).toBe(paper);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await groundOf(page)).toBe(ink);
    for (const frame of await page.locator("meta[name=theme-color]").all())
      await expect.poll(() => frame.getAttribute("content")).toBe(ink);
  });

  test("is chosen in the menu of a phone, and works where no script runs", async () => {
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

  test("is that of the pages as well that say that something is not there", async () => {
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

  test("is caught up with by a tab that was open meanwhile, and by a page that Back brings", async () => {
    const tab = await site.open(desktop);
    await tab.page.goto("/credits");
    await hydrated(tab.page);
    await tab.page.goto("/pricing");
    await hydrated(tab.page);
    await (await themes(tab.page)).getByRole("button", { name: "Light" }).click();
    await tab.page.goBack();
    await expect.poll(() => modeOf(tab.page)).toBe("light");
  });

  test("is reached by the keyboard, and Escape leaves it as it was", async () => {
    const { page } = await site.open(desktop);
    await page.goto("/credits");
    await hydrated(page);
    await page.getByRole("button", { name: "Theme" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Dark");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Theme");
    expect(await modeOf(page)).toBe("dark");
  });
});

describe("the menu of a phone", () => {
  test("is closed by its button and by Escape, which give the keyboard back", async () => {
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

describe("a toast", () => {
  test("is the only one, also when another follows at once", async () => {
    const { page, context } = await site.open(desktop);
    await signUp(context, site.program, "two@example.com");
    const id = await makeCard(context, site.program, { card_name: "A" });
    await page.goto("/profile");
    await hydrated(page);
    for (let round = 0; round < 3; round++) {
      const answered = page.waitForResponse((answer) => answer.url().includes(`/cards/${id}/pause`));
      await page.getByRole("button", { name: "More for A" }).click();
      await page.getByRole("menuitem", { name: /^(Pause|Show)/ }).click();
      await answered;
      const said = round % 2 ? "Card shown again" : "Card paused";
      await page.locator("dialog.ui-toast").filter({ hasText: said }).waitFor();
      expect(await page.locator("dialog.ui-toast[open]").count()).toBe(1);
    }
  });

  test("stays for five seconds, and longer while somebody has the pointer on it", async () => {
    const { page, context } = await site.open(desktop);
    await leaveToast(context, site.url, "Saved for later");
    await page.goto("/", { waitUntil: "commit" });
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
  test("fits on one line from 768 pixels on, for visitors and members", async () => {
    const { page, context } = await site.open({ ...desktop, viewport: { width: 768, height: 800 } });
    for (const isMember of [false, true]) {
      if (isMember) await signUp(context, site.program, "wide@example.com");
      for (const path of ["/pricing", ...(isMember ? ["/profile"] : [])]) {
        await page.goto(path);
        const boxes = await page
          .locator("body > div > header :is(a, button):visible")
          .evaluateAll((all) =>
            all.map((one) => one.getBoundingClientRect()).map(({ left, right, height }) => ({ left, right, height })),
          );
        expect(boxes.length).toBe(isMember ? 8 : 7);
        for (const [index, box] of boxes.entries()) {
          expect(box.height).toBeLessThan(60);
          expect(box.left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
          expect(box.right).toBeLessThanOrEqual(768);
        }
      }
    }
  });
});
