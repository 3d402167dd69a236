import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { plainImage } from "#tests/support/app/uploads.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, expectFocus, narrow, openSite, openPage } from "#tests/support/browser/site.ts";
import { makeCard, openUser } from "#tests/support/browser/users.ts";

const site = openSite();

describe("the optional fields of a card", () => {
  test("work with the keyboard alone", async () => {
    const { page } = await editor();
    await page.locator("summary", { hasText: "More" }).press("Enter");
    await page.getByRole("button", { name: "Add phone" }).press("Enter");
    await expectFocus(page.getByLabel("Phone 2", { exact: true }));
    const visibility = page.getByLabel("Phone 2 visibility");
    expect(await visibility.isVisible()).toBe(false);
    await page.keyboard.type("+44 7700 900123");
    await visibility.waitFor();
    await page.keyboard.press("Shift+Tab");
    await expectFocus(visibility);
    await page.keyboard.type("Contact");
    expect(await visibility.inputValue()).toBe("file");
    await page.getByLabel("Pronouns", { exact: true }).focus();
    await page.keyboard.type("she/her");
    await page.keyboard.press("Enter");
    await page.getByText("Business card updated successfully.").waitFor();
    expect(await preview(page)).not.toContain("900123");

    await page.reload();
    expect(await page.getByLabel("Phone 2 visibility").inputValue()).toBe("file");
    expect(await page.getByLabel("Phone 2 type").inputValue()).toBe("mobile");
  });

  test("accept five rows, return the focus when one is removed, and open to receive it when one has an error", async () => {
    const { page } = await editor();
    const summary = page.locator("summary", { hasText: "More" });
    await summary.click();
    const add = page.getByRole("button", { name: "Add email" });
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

    for (const label of ["Prefix", "Suffix", "Pronouns", "Department", "Website", "Street", "City", "Country"])
      await page.getByLabel(label, { exact: true }).fill("Donaudampfschifffahrtselektrizitaeten");
    const website = page.getByLabel("Website", { exact: true });
    await website.fill("not an address");
    await summary.click();
    expect(await website.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.getByText("Invalid URL").waitFor();
    await expectFocus(website);
    expect(await website.inputValue()).toBe("not an address");

    for (const { viewport } of [desktop, narrow]) {
      await page.setViewportSize(viewport);
      expect(await findAxeViolations(page), `${viewport.width}`).toEqual([]);
      expect(await smallTargets(page), `${viewport.width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});

test("a company's logo is rejected next to its button, shown at once, and removed after confirmation", async () => {
  const { page } = await editor();
  await page.locator("summary", { hasText: "Professional Information" }).click();
  await page.getByLabel("Company").fill("Analytical Engines");
  const choose = page.getByLabel("Choose a logo");
  await choose.setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await page.getByText("Please upload a JPEG, PNG, or WebP image").waitFor();
  await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.getByText("Failed to upload logo").waitFor();
  const remove = page.getByRole("button", { name: "Remove logo" });
  expect(await remove.count()).toBe(0);

  const buffer = await plainImage(300, 100).png().toBuffer();
  await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.getByText("Logo uploaded successfully").waitFor();
  const image = page.getByRole("img", { name: "Analytical Engines" }).first();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await remove.press("Enter");
  await page.getByText("The company name stays on the card.").waitFor();
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Remove the logo?" });
  await question.waitFor({ state: "hidden" });
  await expectFocus(remove);
  await remove.press("Enter");
  await question.waitFor();
  // Pressed again before the browser has reported that Esc closed it.
  await question.evaluate(
    async (dialog, button) => {
      if (dialog instanceof HTMLDialogElement) dialog.requestClose();
      for (let n = 0; n < 10; n++) await Promise.resolve();
      if (button instanceof HTMLElement) button.click();
    },
    await remove.elementHandle(),
  );
  await question.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Logo removed").waitFor();
  expect(await page.getByLabel("Company").inputValue()).toBe("Analytical Engines");
  await expect.poll(() => page.getByRole("img", { name: "Analytical Engines" }).count()).toBe(0);
});

async function editor() {
  const tab = await openUser(site);
  const id = await makeCard(tab.context, site.program, { email: "ada@example.com", phone: "+44 20 7946 0000" });
  await openPage(tab.page, `/cards/edit/${id}`);
  return tab;
}

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
