import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, hydrated, openSite, stopClock } from "#tests/support/browser.ts";
import { signUp } from "#tests/support/members.ts";

const site = openSite();

async function openAs(email: string, path: string) {
  const tab = await site.open(desktop);
  await signUp(tab.context, site.program, email);
  await tab.page.goto(path);
  await hydrated(tab.page);
  return tab;
}

describe("a step from page to page", () => {
  test("says 'Loading...' when it takes long, and nothing when it does not", async () => {
    const { page } = await openAs("slow@example.com", "/cards/edit");
    const words = page.getByRole("status").getByText("Loading...");
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.body.innerText.includes("Loading...")) document.body.dataset["flashed"] = "yes";
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await stopClock(page);
    await stepBack(page, async () => {
      await page.clock.runFor(399);
    });
    expect(await page.evaluate(() => document.body.dataset["flashed"])).toBeUndefined();

    await page.goBack();
    await stepBack(page, async () => {
      await expect.poll(() => page.clock.runFor(100).then(() => words.isVisible())).toBe(true);
    });
    await words.waitFor({ state: "detached" });
  });
});

describe("a tab that was open while the site was updated", () => {
  test("is loaded anew, once, where nothing is lost by that", async () => {
    const { page, context } = await openAs("clean@example.com", "/profile");
    await loseParts(page);
    let loads = 0;
    page.on("load", () => loads++);
    await page.getByRole("button", { name: "Draw an avatar" }).click();
    await expect.poll(() => loads).toBe(1);
    await hydrated(page);
    // Still gone: then it says so instead of loading for ever.
    await page.getByRole("button", { name: "Draw an avatar" }).click();
    await page.getByText("This page is out of date").waitFor();
    expect(loads).toBe(1);
    await context.unroute("**/assets/studio-dialog*");
  });

  test("keeps what was typed, and says what to do", async () => {
    const { page } = await openAs("typed@example.com", "/profile");
    await page.getByLabel("Display name").fill("Not lost");
    await loseParts(page);
    await page.getByRole("button", { name: "Draw an avatar" }).click();
    await page.getByRole("alert").getByText("This page is out of date").waitFor();
    expect(await page.getByLabel("Display name").inputValue()).toBe("Not lost");
    // The failure goes on to whoever wanted the part, which says in its own place that it is missing.
    await page.getByText("This part could not be loaded").waitFor();
  });
});

/** From a new card to the profile, whose answer waits until `meanwhile` is done. */
async function stepBack(page: Page, meanwhile: () => Promise<void>) {
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const back = page.getByRole("link", { name: "Back to Profile" });
  // The address is the new one before the page is: what it still asks for is not to be held.
  await back.waitFor();
  const answer = `${site.url}/profile.data*`;
  await page.route(answer, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await back.click();
  await asked.promise;
  await meanwhile();
  held.resolve();
  await page.waitForURL(`${site.url}/profile`);
  await page.getByRole("heading", { name: "Your profile" }).waitFor();
  await page.unroute(answer);
}

/** As after an update: what the page has not loaded by now is not there any more. */
async function loseParts(page: Page) {
  await page.context().route("**/assets/studio-dialog*", (route) => route.fulfill({ status: 404, body: "" }));
}
