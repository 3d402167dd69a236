import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { openEditor } from "#tests/support/browser/editors.ts";

const site = openSite();

describe("the studio", () => {
  test("is loaded when it is opened, draws the avatar of the display name like the server, in any colors, and downloads it", async () => {
    const { page, requests } = await openEditor(site, { displayName: "Ada Lovelace" });
    expect(requests.filter((address) => address.includes("studio-dialog"))).toEqual([]);
    const dialog = await openStudio(page);
    const name = dialog.getByLabel("Name or phrase");
    expect(await name.inputValue()).toBe("Ada Lovelace");
    await dialog.getByRole("radio", { name: "Clothes" }).check({ force: true });
    const well = dialog.getByLabel("Clothing color: pick a custom color");
    expect(await drawn(dialog)).toContain(`"${await well.inputValue()}"`);
    const field = dialog.getByRole("textbox", { name: "Custom color", exact: true });
    expect(await well.inputValue()).toBe(`#${await field.getAttribute("placeholder")}`);

    await dialog.getByRole("radio", { name: "Background" }).check({ force: true });
    await dialog.getByRole("radio", { name: "Transparent" }).check({ force: true });
    for (const seed of ["Ada Lovelace", "明石", "a/b?c", "x".repeat(200), ""]) {
      await name.fill(seed);
      const served = await page.request.get(
        `/avatar/${encodeURIComponent(seed)}.svg?backgroundColor=transparent&mouth=smile,bigSmile,smirk`,
      );
      const wanted = await served.text();
      await expect.poll(() => drawn(dialog), { message: seed }).toBe(wanted);
    }
    await dialog.getByRole("radio", { name: "Lemon" }).check({ force: true });
    await expect.poll(() => drawn(dialog)).not.toContain("linearGradient");
    await dialog.getByRole("radio", { name: "Gradient" }).check({ force: true });
    const second = dialog.getByRole("group", { name: /Second color/ });
    await second.getByLabel("Blush").check({ force: true });
    await expect
      .poll(() => drawn(dialog))
      .toMatch(/<linearGradient[^>]*><stop stop-color="#f5e3a3"\/><stop offset="1" stop-color="#f4c7c3"/);

    await dialog.getByRole("radio", { name: "Clothes" }).check({ force: true });
    for (const { name, hex, rgb } of [
      { name: "Turquoise", hex: "#54d7c7", rgb: "rgb(84, 215, 199)" },
      { name: "Yellow", hex: "#f3b63a", rgb: "rgb(243, 182, 58)" },
    ]) {
      const swatch = dialog.getByRole("radio", { name });
      await swatch.check({ force: true });
      const color = await swatch.evaluate((input) => getComputedStyle(input.closest("label") ?? input).backgroundColor);
      expect(color).toBe(rgb);
      await expect.poll(() => drawn(dialog)).toContain(`"${hex}"`);
      expect(await well.inputValue()).toBe(hex);
    }

    await dialog.getByRole("radio", { name: "Download" }).check({ force: true });
    await dialog.getByLabel("Size in pixels").fill("96");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("link", { name: "Download PNG" }).click(),
    ]);
    expect([file.suggestedFilename(), await file.failure()]).toEqual(["avatar.png", null]);
    const href = await dialog.getByRole("link", { name: "Download SVG" }).getAttribute("href");
    const svg = await page.request.get(String(href));
    expect((await svg.text()).replace(' width="96" height="96"', "")).toBe(await drawn(dialog));
  });

  test("shuffles, changes parts and colors, saves, and opens with the saved avatar next time", async () => {
    const { page } = await openEditor(site, { displayName: "Ada Lovelace", bio: "Notes" });
    const dialog = await openStudio(page);
    const first = await drawn(dialog);
    await expect.poll(() => focusedText(page)).toBe("Randomize");
    await page.keyboard.press("Enter");
    await expect.poll(() => drawn(dialog)).not.toBe(first);
    const seed = await dialog.getByLabel("Name or phrase").inputValue();
    expect(seed).toMatch(/^[a-z]{4}-[a-z]{6}$/);
    await dialog.getByText(`New avatar: ${seed}`).waitFor({ state: "attached" });

    await dialog.getByRole("radio", { name: "Hair", exact: true }).check({ force: true });
    await dialog.getByRole("group", { name: "Hair", exact: true }).getByLabel("Mohawk").check({ force: true });
    await dialog.getByText("Hair: Mohawk").waitFor({ state: "attached" });
    await dialog.getByRole("textbox", { name: "Custom color", exact: true }).fill("#12AB9f");
    await dialog.getByRole("radio", { name: "Position" }).check({ force: true });
    await dialog.getByRole("textbox", { name: "Rotation" }).fill("20");
    await dialog.getByRole("switch", { name: "Flip horizontally" }).check({ force: true });
    const mine = await drawn(dialog);
    expect(mine).toContain("#12ab9f");

    await dialog.getByRole("button", { name: "Save as avatar" }).click();
    await page.getByText("Avatar updated!").waitFor();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focusedText(page)).toBe("Create an avatar");
    const file = await page.getByRole("group", { name: "Avatar" }).locator("img").getAttribute("src");
    expect(file).toMatch(/^\/files\/avatars\/.*\.jpg\?v=/);
    await page.reload();
    await waitForHydration(page);
    const again = await openStudio(page);
    await expect.poll(() => drawn(again)).toBe(mine);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Back" }).first().click();
    await page.locator(`.avatar img[src="${file}"]`).waitFor();
  });

  test("keeps all settings when a save fails and when it is closed, and draws the last valid avatar beside an error", async () => {
    const tab = await openEditor(site, { displayName: "Ada Lovelace" });
    const { page, context } = tab;
    const dialog = await openStudio(page);
    await dialog.getByRole("group", { name: "Eyes" }).getByLabel("Sunglasses").check({ force: true });
    const mine = await drawn(dialog);
    await context.setOffline(true);
    await dialog.getByRole("button", { name: "Save as avatar" }).click();
    await dialog.getByText("Failed to upload avatar.").waitFor();
    await dialog.getByText("Your connection was lost").waitFor();
    await expect.poll(() => drawn(dialog)).toBe(mine);
    await context.setOffline(false);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await openStudio(page);
    await expect.poll(() => drawn(dialog)).toBe(mine);
    await context.clearCookies();
    await dialog.getByRole("button", { name: "Save as avatar" }).click();
    await dialog.getByText("You’re signed out.").waitFor();
    await expect.poll(() => drawn(dialog)).toBe(mine);
    await dialog.getByRole("button", { name: "Reset" }).click();
    await expect.poll(() => drawn(dialog)).not.toBe(mine);

    await dialog.getByRole("textbox", { name: "Custom color", exact: true }).fill("zzz");
    await dialog.getByText("Enter six characters from 0–9 and a–f, such as f29c65.").waitFor();
    await dialog.getByRole("radio", { name: "Position" }).check({ force: true });
    const before = await drawn(dialog);
    await dialog.getByRole("textbox", { name: "Rounded corners" }).fill("51");
    await dialog.getByText("Enter a whole number from 0 to 50.").waitFor();
    await expect.poll(() => drawn(dialog)).toBe(before);
    await dialog.getByRole("slider", { name: "Rounded corners" }).press("End");
    expect(await dialog.getByRole("textbox", { name: "Rounded corners" }).inputValue()).toBe("50");
    await dialog.getByLabel("Name or phrase").fill("x".repeat(201));
    await dialog.getByText("Use at most 200 characters.").waitFor();
    expect(await dialog.getByRole("button", { name: "Save as avatar" }).isDisabled()).toBe(true);
  });
});

async function openStudio(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Create an avatar" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an avatar" });
  await dialog.waitFor();
  return dialog;
}

async function drawn(dialog: Locator): Promise<string> {
  const src = await dialog.getByAltText("Preview of your avatar").getAttribute("src");
  return decodeURIComponent(String(src).replace("data:image/svg+xml;utf8,", ""));
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? "");
}
