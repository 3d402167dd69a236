import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, expectFocus, waitForHydration, openSite } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { seededPassword as password } from "#tests/support/database/seed.ts";

const site = openSite();

describe("with the keyboard alone", () => {
  test("a user signs in, makes a profile and a card, and opens both", async () => {
    const { page, context } = await site.open(desktop);
    const { email } = await signUp(context, site.program, "ada@example.com");
    await context.clearCookies();
    await page.goto("/profile");
    await signIn(page, email);
    await fillInProfile(page);
    await makeCard(page);
    await openAndCloseCard(page);
    await switchTabs(page);
  });

  test("the first Tab on a page of the site reaches the skip link", async () => {
    const { page } = await site.open(desktop);
    for (const path of ["/", "/pricing", "/auth"]) {
      await page.goto(path);
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to content" });
      await expectFocus(skip);
      // It is visible only with the focus.
      expect((await skip.boundingBox())?.height, path).toBeGreaterThan(30);
      await page.keyboard.press("Enter");
      await page.waitForURL(/#/);
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(() => document.activeElement?.closest("header, nav[aria-label=Site]")?.tagName),
      ).toBeUndefined();
    }
  });

  test("the panels of a public page open, close on Escape and return the focus", async () => {
    const { page } = await site.open(desktop);
    for (const [path, panel] of [
      ["/card/demo-card", "#card-qr"],
      ["/u/demo-user", "#profile-share"],
    ] as const) {
      await page.goto(path);
      const button = page.locator(`[popovertarget="${panel.slice(1)}"]`).first();
      await tabTo(page, button);
      await page.keyboard.press("Enter");
      await page.locator(panel).waitFor();
      await page.keyboard.press("Tab");
      await page.locator(`${panel}:focus-within`).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(panel).waitFor({ state: "hidden" });
      await expectFocus(button);
    }
  });
});

async function signIn(page: Page, email: string) {
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/profile");
  await waitForHydration(page);
}

/** Adds two links, moves the second to the top and switches the other off. */
async function fillInProfile(page: Page) {
  for (const [name, address] of [
    ["Portfolio", "a.example"],
    ["Resume", "b.example"],
  ] as const) {
    await tabTo(page, page.getByRole("button", { name: "Add link" }));
    await page.keyboard.press("Enter");
    await page.keyboard.type(address);
    // Selects the name that was filled in from the host.
    await page.keyboard.press("Tab");
    await page.keyboard.type(name);
  }
  await tabTo(page, page.getByRole("button", { name: "Move up" }).last());
  await page.keyboard.press("Enter");
  expect(await page.locator("#links summary b").allInnerTexts()).toEqual(["Resume", "Portfolio"]);
  await tabTo(page, page.getByRole("switch", { name: "Show Portfolio" }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Save & Close" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/u/*");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Resume" }).waitFor();
  expect(await page.getByRole("link", { name: "Portfolio" }).count()).toBe(0);
}

async function makeCard(page: Page) {
  await tabTo(page, page.getByRole("link", { name: "Create card" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/cards/edit");
  await waitForHydration(page);
  await tabTo(page, page.getByLabel("Company"));
  await page.keyboard.type("Analytical Engines");
  await tabTo(page, page.getByRole("button", { name: "Save Changes" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/share/card/*");
  await tabTo(page, page.getByRole("link", { name: "Back to Profile" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/profile");
  await tabTo(page, page.getByRole("link", { name: "Back", exact: true }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/u/*");
  await waitForHydration(page);
}

async function openAndCloseCard(page: Page) {
  const button = page.getByRole("button", { name: /^View Card/ });
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /Business Card$/ });
  await tabTo(page, dialog.getByRole("radio", { name: "View Card" }));
  await page.keyboard.press("ArrowRight");
  await dialog.getByLabel("Display Name").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expectFocus(button);
}

async function switchTabs(page: Page) {
  await tabTo(page, page.getByRole("radio", { name: "Professional" }));
  await page.keyboard.press("ArrowRight");
  await page.getByText("No personal links added yet.").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("link", { name: "Resume" }).waitFor();
}

/** Presses Tab until the target has the focus; fails after a whole round. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor();
  for (let steps = 0; steps < 120; steps++) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not get to ${target.toString()}`);
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}
