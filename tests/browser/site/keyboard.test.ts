import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { desktop, expectFocus, waitForHydration, openSite } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { seededPassword as password } from "#tests/support/database/seed.ts";

const site = openSite();

test("with the keyboard alone a user signs in, adds a link, makes a card, and opens both", async () => {
  const { page, context } = await site.open(desktop);
  const { email } = await signUp(context, site.program, "ada@example.com");
  await context.clearCookies();
  const press = async (target: Locator, key = "Enter") => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  const arriveAt = async (path: string) => {
    await page.waitForURL(path);
    await waitForHydration(page);
  };
  await page.goto("/profile");
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await arriveAt("**/profile");
  await press(page.getByRole("button", { name: "Add link" }));
  await page.keyboard.type("b.example");
  // Selects the name that was filled in from the host.
  await page.keyboard.press("Tab");
  await page.keyboard.type("Resume");
  await press(page.getByRole("button", { name: "Save & Close" }));
  await arriveAt("**/u/*");
  await page.getByRole("link", { name: "Resume" }).waitFor();

  await press(page.getByRole("link", { name: "Create card" }));
  await arriveAt("**/cards/edit");
  await tabTo(page, page.getByLabel("Company"));
  await page.keyboard.type("Analytical Engines");
  await press(page.getByRole("button", { name: "Save Changes" }));
  await arriveAt("**/share/card/*");
  await press(page.getByRole("link", { name: "Back to Profile" }));
  await arriveAt("**/profile");
  await press(page.getByRole("link", { name: "Back", exact: true }));
  await arriveAt("**/u/*");

  const view = page.getByRole("button", { name: /^View Card/ });
  await press(view);
  const dialog = page.getByRole("dialog", { name: /Business Card$/ });
  await press(dialog.getByRole("radio", { name: "View Card" }), "ArrowRight");
  await dialog.getByLabel("Display Name").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expectFocus(view);
  await press(page.getByRole("radio", { name: "Professional" }), "ArrowRight");
  await page.getByText("No personal links added yet.").waitFor();
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
    const isInHeader = () => document.activeElement?.closest("header, nav[aria-label=Site]") !== null;
    expect(await page.evaluate(isInHeader)).toBe(false);
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

/** Presses Tab until the target has the focus; fails after a whole round. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor();
  for (let steps = 0; steps < 120; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not get to ${target.toString()}`);
}
