import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { expectAccessible } from "#tests/support/browser/axe.ts";
import {
  desktop,
  expectFocus,
  waitForHydration,
  waitForLoad,
  narrow,
  openSite,
  phone,
} from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

describe("the optional fields of a card", () => {
  test("work with the keyboard alone, and a hidden phone number is in the contact file", async () => {
    const { page, context } = await editor();
    await page.getByText("More", { exact: true }).focus();
    await page.locator("summary", { hasText: "More" }).press("Enter");
    await page.getByRole("button", { name: "Add Phone" }).press("Enter");
    await expectFocus(page.getByLabel("Phone 2", { exact: true }));
    const place = page.getByLabel("Phone 2 visibility");
    expect(await place.isVisible()).toBe(false);
    await page.keyboard.type("+44 7700 900123");
    await place.waitFor();
    await page.keyboard.press("Shift+Tab");
    await expectFocus(place);
    await page.keyboard.type("Contact");
    expect(await place.inputValue()).toBe("file");
    await page.getByLabel("Pronouns", { exact: true }).focus();
    await page.keyboard.type("she/her");
    await page.keyboard.press("Enter");
    await page.getByText("Business card updated successfully.").waitFor();
    expect(await preview(page)).not.toContain("900123");

    const id = new URL(page.url()).pathname.split("/").at(-1);
    const card = await (await context.request.get(`${site.url}/card/${id}`)).text();
    const file = await (await context.request.get(`${site.url}/card/${id}/contact.vcf`)).text();
    expect(card).toContain("she/her");
    expect(card).not.toContain("900123");
    expect(file).toContain("TEL;TYPE=CELL,VOICE:+44 7700 900123");
    await page.reload();
    expect(await page.getByLabel("Phone 2 visibility").inputValue()).toBe("file");
    expect(await page.getByLabel("Phone 2 type").inputValue()).toBe("mobile");
  });

  test("accept five rows, and return the focus when one is removed", async () => {
    const { page } = await editor();
    await page.locator("summary", { hasText: "More" }).click();
    const add = page.getByRole("button", { name: "Add Email" });
    for (const number of [2, 3, 4, 5, 6]) {
      await add.click();
      await page.getByLabel(`Email ${number}`, { exact: true }).fill(`ada${number}@example.com`);
    }
    // It says why it does nothing, so it stays enabled.
    await add.press("Enter");
    await page.getByText("You can add a maximum of 5 email addresses.").waitFor();
    await page.getByRole("button", { name: "Remove Email 3" }).click();
    await expectFocus(add);
    await expect.poll(() => page.getByLabel("Email 3", { exact: true }).inputValue()).toBe("ada4@example.com");
    await expect.poll(() => preview(page)).toContain("ada6@example.com");
  });

  test("open and receive the focus when one has an error", async () => {
    const { page } = await editor();
    const summary = page.locator("summary", { hasText: "More" });
    await summary.click();
    await page.getByLabel("Website", { exact: true }).fill("not an address");
    await summary.click();
    expect(await page.getByLabel("Website", { exact: true }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.getByText("Invalid URL").waitFor();
    await expectFocus(page.getByLabel("Website", { exact: true }));
    expect(await page.getByLabel("Website", { exact: true }).inputValue()).toBe("not an address");
  });

  test("offer one empty row of each list without script", async () => {
    const { page } = await editor({ javaScriptEnabled: false });
    await page.locator("summary", { hasText: "More" }).click();
    await page.getByLabel("Phone 2", { exact: true }).fill("+44 7700 900123");
    await page.getByLabel("Phone 2 visibility").selectOption("page");
    await waitForLoad(page, () => page.getByRole("button", { name: "Save Changes" }).click());
    expect(await page.getByLabel("Phone 2", { exact: true }).inputValue()).toBe("+44 7700 900123");
    expect(await page.getByLabel("Phone 2 visibility").inputValue()).toBe("page");
    expect(await page.getByLabel("Phone 3", { exact: true }).isVisible()).toBe(true);
  });

  test("pass axe and don't scroll sideways, filled in or with errors, dark or light", async () => {
    const { page } = await editor();
    await page.locator("summary", { hasText: "More" }).click();
    await page.getByRole("button", { name: "Add Phone" }).click();
    await page.getByLabel("Phone 2", { exact: true }).fill("1".repeat(41));
    for (const label of ["Prefix", "Suffix", "Pronouns", "Department", "Website", "Street", "City", "Country"]) {
      await page.getByLabel(label, { exact: true }).fill("Donaudampfschifffahrtselektrizitaeten");
    }
    await expectAccessible(page);
    for (const { viewport } of [desktop, phone, narrow]) {
      await page.setViewportSize(viewport);
      expect(await smallTargets(page), `${viewport.width}`).toEqual([]);
    }
  });
});

describe("the company's logo", () => {
  test("is uploaded, shown at once, and removed after confirmation, keeping unsaved changes", async () => {
    const { page } = await editor();
    await page.locator("summary", { hasText: "Professional Information" }).click();
    await page.getByLabel("Company").fill("Analytical Engines");
    await page.getByLabel("Choose a logo").setInputFiles(await logo());
    await page.getByText("Logo uploaded successfully").waitFor();
    const image = page.getByRole("img", { name: "Analytical Engines" }).first();
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    const remove = page.getByRole("button", { name: "Remove logo" });
    await remove.press("Enter");
    await page.getByText("The company name stays on the card.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Remove the logo?" }).waitFor({ state: "hidden" });
    await expectFocus(remove);
    await remove.press("Enter");
    await page.getByRole("dialog", { name: "Remove the logo?" }).getByRole("button", { name: "Remove" }).click();
    await page.getByText("Logo removed").waitFor();
    expect(await page.getByLabel("Company").inputValue()).toBe("Analytical Engines");
    await expect.poll(() => page.getByRole("img", { name: "Analytical Engines" }).count()).toBe(0);
  });
});

test("rejects an invalid logo next to its button and keeps the card unchanged", async () => {
  const { page } = await editor();
  await page.locator("summary", { hasText: "Professional Information" }).click();
  const choose = page.getByLabel("Choose a logo");
  await choose.setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await page.getByText("Please upload a JPEG, PNG, or WebP image").waitFor();
  await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.getByText("Failed to upload logo").waitFor();
  expect(await page.getByRole("button", { name: "Remove logo" }).count()).toBe(0);
});

describe("the public address of a saved card", () => {
  test("is copied with one click and leads to sharing", async () => {
    const { page, context } = await editor();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:\/\/[^/]+\/c\/\w{7}$/);
    expect(await page.getByRole("link", { name: "Share" }).getAttribute("href")).toBe(`/share/card/${id}`);
  });
});

/** The editor of a new user with a card. */
async function editor(options: { javaScriptEnabled?: boolean } = {}) {
  const tab = await site.open({ ...desktop, ...options });
  await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  const id = await makeCard(tab.context, site.program, { email: "ada@example.com", phone: "+44 20 7946 0000" });
  await tab.page.goto(`/cards/edit/${id}`);
  if (options.javaScriptEnabled !== false) await waitForHydration(tab.page);
  return tab;
}

/** The text of the preview next to the form. */
async function preview(page: Page): Promise<string> {
  return (await page.locator(".page").textContent()) ?? "";
}

/** Controls less than 44 pixels high. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("form :is(select, button, summary)")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => element.outerHTML.slice(0, 100)),
  );
}

async function logo() {
  const buffer = await sharp({ create: { width: 300, height: 100, channels: 3, background: "#334455" } })
    .png()
    .toBuffer();
  return { name: "logo.png", mimeType: "image/png", buffer };
}
