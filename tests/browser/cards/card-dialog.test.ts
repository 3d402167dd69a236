import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { expectAccessible } from "#tests/support/browser/axe.ts";
import { expectFocus, isOnTop, waitForHydration, openSite } from "#tests/support/browser/site.ts";
import { makeCard, saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

const card = {
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
  profession: "Mathematician",
  company: "Analytical Engines",
  position: "Head of Research",
  years_experience: "12",
  links: [{ name: "Notes", url: "https://ada.example/notes" }],
};

describe("the card dialog", () => {
  test("shows the card's contact rows and QR code", async () => {
    const { page } = await openDialog();
    const dialog = page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
    const shown = dialog.getByRole("paragraph");
    for (const content of [
      "Ada Lovelace",
      "Mathematician · 12 years",
      "Analytical Engines",
      "Head of Research",
      "Poetical science",
    ]) {
      await shown.filter({ hasText: content }).first().waitFor();
    }
    expect(await dialog.getByRole("link", { name: card.email }).getAttribute("href")).toBe(`mailto:${card.email}`);
    expect(await dialog.getByRole("link", { name: card.phone }).getAttribute("href")).toBe("tel:+442079460000");
    expect(await dialog.getByRole("link", { name: "Notes" }).getAttribute("target")).toBe("_blank");
    expect(await dialog.getByRole("link", { name: "Full" }).getAttribute("target")).toBe("_blank");

    const code = dialog.getByRole("img", { name: "QR code" });
    expect(await code.isVisible()).toBe(false);
    await dialog.getByRole("button", { name: "QR" }).click();
    await code.waitFor();
    await dialog.getByText("Scan to open this business card").waitFor();

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByText("vCard saved to your device.").waitFor(),
      dialog.getByRole("link", { name: "Save" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("Ada Lovelace.vcf");
  });

  test("keeps its title and its close button in view while its content scrolls", async () => {
    const { page } = await openDialog();
    await page.setViewportSize({ width: 320, height: 480 });
    const dialog = page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
    await dialog.getByRole("radio", { name: "Edit Details" }).check();
    for (const top of [0, 200, 10_000]) {
      await dialog.evaluate((element, top) => element.scrollTo(0, top), top);
      for (const kept of [dialog.getByRole("heading").first(), dialog.getByRole("button", { name: "Close" })])
        expect(await isOnTop(kept), `${kept.toString()} at ${top}`).toBe(true);
    }
    // Nor does it cover the field that has the focus.
    await dialog.getByLabel("Bio").focus();
    await dialog.getByLabel("Display Name").focus();
    expect(await isOnTop(dialog.getByLabel("Display Name"))).toBe(true);
  });

  test("saves changes made with the keyboard and updates the page behind it", async () => {
    const { page } = await openDialog();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("View Card: My Business Card");
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "View Card" }).press("ArrowRight");
    await page.keyboard.press("Tab");
    expect(await page.getByRole("button", { name: "Save Details" }).count()).toBe(0);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Countess Lovelace");
    await page.keyboard.press("Enter");
    await page.getByText("Your business card information has been updated.").waitFor();
    await page.getByRole("button", { name: "Save Details" }).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Countess Lovelace", level: 1 }).waitFor();
  });

  test("shows errors next to fields and confirms before discarding changes", async () => {
    const { page } = await openDialog();
    await page.getByText("Edit Details").click();
    await page.getByLabel("Email Address").fill("ada@");
    await page.getByRole("button", { name: "Save Details" }).click();
    await page.getByText("Invalid email").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Email Address").inputValue()).toBe("ada@");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("View Card: My Business Card");
  });

  test("keeps what was typed when the server can't be reached", async () => {
    const tab = await openDialog();
    const { page, context } = tab;
    await page.getByText("Edit Details").click();
    await page.getByLabel("Company").fill("Typed for an hour");
    await context.setOffline(true);
    await Promise.all([
      page.getByText("Check your connection and try again.", { exact: false }).waitFor(),
      page.getByText("Save Failed").waitFor(),
      page.getByRole("button", { name: "Save Details" }).click(),
    ]);
    await context.setOffline(false);
    await page.getByRole("button", { name: "Save Details" }).click();
    await page.getByText("Details Saved").waitFor();
    expect(tab.consoleErrors.splice(0)).toEqual(["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"]);
  });

  test("passes axe and doesn't scroll sideways, dark or light", async () => {
    const { page } = await openDialog();
    for (const tab of ["View Card", "Edit Details"]) {
      await page.getByRole("radio", { name: tab }).check({ force: true });
      const dialog = page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
      await expectAccessible(page, { where: tab, dialog });
    }
  });
});

describe("the list of cards", () => {
  test("deletes a card after confirmation and keeps unsaved profile changes", async () => {
    const { page } = await openAsUser();
    await page.goto("/profile");
    await waitForHydration(page);
    await page.getByLabel("Display name").fill("Not saved yet");
    const more = page.getByRole("button", { name: "More actions for My Business Card" });
    const remove = page.getByRole("menuitem", { name: "Delete" });
    await more.click();
    await remove.click();
    const question = page.getByRole("alertdialog", { name: "Are you sure you want to delete this business card?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    // The menu closes shortly after the dialog and returns the focus.
    await expectFocus(more);
    await more.press("Enter");
    // The menu's first item gets the focus after the toggle event.
    const first = page.getByRole("menuitem").first();
    await expectFocus(first);
    await remove.press("Enter");
    await question.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Business card deleted").waitFor();
    await page.getByText("No business cards yet").waitFor();
    expect(await page.getByLabel("Display name").inputValue()).toBe("Not saved yet");
  });
});

/** A new user with a name, a bio and a card. */
async function openAsUser() {
  const tab = await site.open();
  const { id } = await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  await saveProfile(tab.context, site.program, { displayName: "Ada Lovelace", bio: "Poetical science" });
  await makeCard(tab.context, site.program, card);
  return { ...tab, id };
}

async function openDialog() {
  const tab = await openAsUser();
  await tab.page.goto(`/u/${tab.id}`);
  await waitForHydration(tab.page);
  await tab.page.getByRole("button", { name: "View Card" }).click();
  await tab.page.getByText("Full", { exact: true }).waitFor();
  return tab;
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
}
