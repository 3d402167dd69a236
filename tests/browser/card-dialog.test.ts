import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findings } from "#tests/support/axe.ts";
import { desktop, expectFocus, hydrated, narrow, openSite, phone } from "#tests/support/browser.ts";
import { makeCard, saveProfile, signUp } from "#tests/support/members.ts";

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
  test("shows everything on the card as something to tap, and its code", async () => {
    const { page } = await openDialog();
    const dialog = page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
    const shown = dialog.getByRole("paragraph");
    for (const words of [
      "Ada Lovelace",
      "Mathematician · 12 years",
      "Analytical Engines",
      "Head of Research",
      "Poetical science",
    ]) {
      await shown.filter({ hasText: words }).first().waitFor();
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

  test("saves what was changed by keyboard alone, and the page behind it follows", async () => {
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

  test("tells beside the field what is wrong, and asks before what was typed is lost", async () => {
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

  test("keeps what was typed when the server is away", async () => {
    const tab = await openDialog();
    const { page, context } = tab;
    await page.getByText("Edit Details").click();
    await page.getByLabel("Company").fill("Typed for an hour");
    await context.setOffline(true);
    await Promise.all([
      page.getByText("The server could not be reached.", { exact: false }).waitFor(),
      page.getByText("Save Failed").waitFor(),
      page.getByRole("button", { name: "Save Details" }).click(),
    ]);
    await context.setOffline(false);
    await page.getByRole("button", { name: "Save Details" }).click();
    await page.getByText("Details Saved").waitFor();
    expect(tab.complaints.splice(0)).toEqual(["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"]);
  });

  test("has nothing for axe to find and nothing that scrolls sideways, dark or light", async () => {
    const { page } = await openDialog();
    for (const tab of ["View Card", "Edit Details"]) {
      await page.getByRole("radio", { name: tab }).check({ force: true });
      for (const { viewport } of [desktop, phone, narrow]) {
        await page.setViewportSize(viewport);
        for (const mode of ["dark", "light"]) {
          await page.evaluate((mode) => (document.documentElement.dataset["mode"] = mode), mode);
          expect(await findings(page), `${tab} ${viewport.width} ${mode}`).toEqual([]);
        }
        const dialog = page.getByRole("dialog", { name: "Ada Lovelace Business Card" });
        expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      }
    }
  });
});

describe("the list of cards", () => {
  test("deletes a card after a question, and what is typed in the profile stays", async () => {
    const { page } = await member();
    await page.goto("/profile");
    await hydrated(page);
    await page.getByLabel("Display name").fill("Not saved yet");
    const more = page.getByRole("button", { name: "More for My Business Card" });
    const remove = page.getByRole("menuitem", { name: "Delete" });
    await more.click();
    await remove.click();
    const question = page.getByRole("alertdialog", { name: "Are you sure you want to delete this business card?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    // The menu closes a moment after the question, and gives the keyboard back.
    await expectFocus(more);
    await more.press("Enter");
    // The browser says a moment later that the menu is open, and only then its first item gets the focus.
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

/** Somebody new with a name, a bio and a card. */
async function member() {
  const tab = await site.open();
  const { id } = await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  await saveProfile(tab.context, site.program, { displayName: "Ada Lovelace", bio: "Poetical science" });
  await makeCard(tab.context, site.program, card);
  return { ...tab, id };
}

async function openDialog() {
  const tab = await member();
  await tab.page.goto(`/u/${tab.id}`);
  await hydrated(tab.page);
  await tab.page.getByRole("button", { name: "View Card" }).click();
  await tab.page.getByText("Full", { exact: true }).waitFor();
  return tab;
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
}
