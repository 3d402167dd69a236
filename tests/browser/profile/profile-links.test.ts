import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, expectFocus, openSite } from "#tests/support/browser/site.ts";
import { confirmDialog, dragRow, letters, openEditor, save } from "#tests/support/browser/editors.ts";
import { rotatedPhoto } from "#tests/support/fixtures/images.ts";

const site = openSite();

describe("links in the editor", () => {
  test("are moved by mouse, finger, keys and buttons, and keep the focus; Esc cancels", async () => {
    const { page, context } = await openEditor(site, { links: letters });
    await drag(page, { name: "A", by: 130 });
    await page.mouse.up();
    await expect.poll(() => order(page)).toBe("BCAD");
    await page.getByText("A moved to position 3 of 4.").waitFor();
    await drag(page, { name: "D", by: -130 });
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await expect.poll(() => order(page)).toBe("BCAD");

    const touch = await context.newCDPSession(page);
    const { x, y } = await gripOf(page, "B");
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", [{ x, y }]);
    for (let step = 1; step <= 10; step++) await send("touchMove", [{ x, y: y + step * 7 }]);
    await send("touchEnd", []);
    await expect.poll(() => order(page)).toBe("CBAD");

    const grip = page.getByRole("button", { name: "Move D", exact: true });
    await grip.focus();
    for (const [key, expected] of [
      ["ArrowUp", "CBDA"],
      ["ArrowUp", "CDBA"],
      ["ArrowDown", "CBDA"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => order(page)).toBe(expected);
      await expectFocus(grip);
    }
    await page.locator("summary", { hasText: "d.example" }).press("Enter");
    const down = page.getByRole("button", { name: "Move down" });
    await down.press("Enter");
    await down.press("Enter"); // it is the last one already
    await expect.poll(() => order(page)).toBe("CBAD");
    await expectFocus(down);
    await page.getByText("D moved to position 4 of 4.").waitFor();
  });

  test("are at most eight, and only an empty one is removed without confirmation", async () => {
    const { page } = await openEditor(site, { links: letters });
    for (let count = 5; count <= 8; count++) {
      await page.getByRole("button", { name: "Add link" }).click();
      await page.getByText(`${count} of 8`, { exact: true }).waitFor();
    }
    await page.getByText("You can add a maximum of 8 links.").waitFor();
    await page.getByRole("button", { name: "Add link" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove New link" }).last().click();
    await page.getByText("7 of 8", { exact: true }).waitFor();

    const remove = page.getByRole("button", { name: "Remove A", exact: true });
    await remove.click();
    await page.keyboard.press("Escape");
    await expect.poll(() => order(page)).toMatch(/^ABCD/);
    await remove.click();
    const question = confirmDialog(page, "Are you sure you want to remove this link?");
    await question.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => order(page)).toMatch(/^BCD/);
  });

  test("take a user name once its network is chosen, the site's name, and its icon in the preview", async () => {
    const { page } = await openEditor(site);
    await page.getByRole("button", { name: "Add link" }).click();
    await page.keyboard.type("@ada.lovelace");
    await page.keyboard.press("Tab");
    await page.getByText("choose a network for “ada.lovelace”").waitFor();
    await page.getByRole("button", { name: "TikTok" }).press("Enter");
    const url = page.getByLabel("URL");
    await expectFocus(url);
    expect(await url.inputValue()).toBe("https://www.tiktok.com/@ada.lovelace");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("TikTok");
    await page.getByRole("group", { name: "Network for ada.lovelace" }).waitFor({ state: "detached" });
    const icon = page.frameLocator("iframe").locator(".cards .icon svg");
    await expect.poll(() => icon.getAttribute("fill")).toBe("currentColor");
    await url.fill("ada.example");
    await expect.poll(() => icon.getAttribute("fill")).toBe("none");
  });

  test("are shown as cards, under headings or not at all, in the preview and wherever they move", async () => {
    const video = { label: "Talk", url: "https://youtu.be/1" };
    const { page } = await openEditor(site, { links: [...letters.slice(0, 2), video] });
    const preview = page.frameLocator("iframe");
    await page.locator("summary", { hasText: "Talk" }).press("Enter");
    // A plain link until its owner chooses the card, which is offered beside it.
    const showAs = page.getByRole("group", { name: "Show as" }).last();
    expect(await showAs.getByLabel("Link").isChecked()).toBe(true);
    await showAs.getByText("Video card").click();
    await preview.getByText("Video · YouTube").waitFor({ state: "attached" });
    const up = page.getByRole("button", { name: "Move up" });
    await up.press("Enter");
    await up.press("Enter");
    await expect.poll(() => order(page)).toBe("TalkAB");
    await page.getByRole("button", { name: "Add heading" }).click();
    await page.keyboard.type("Notes");
    // Above the link that was open.
    await expect.poll(() => order(page)).toBe("NotesTalkAB");
    const down = page.getByRole("button", { name: "Move down" });
    await down.press("Enter");
    await down.press("Enter");
    await expect.poll(() => order(page)).toBe("TalkANotesB");
    await preview.getByRole("heading", { name: "Notes" }).waitFor({ state: "attached" });
    await page.getByRole("switch", { name: "Show A", exact: true }).click();
    await preview.getByText("a.example").waitFor({ state: "detached" });
    const sent = await page.locator("form#profile").evaluate((form: HTMLFormElement) => {
      const data = new FormData(form);
      return [0, 1, 2, 3].map((row) => [data.get(`links.${row}.kind`), data.get(`links.${row}.on`)]);
    });
    expect(sent.map(([kind]) => kind)).toEqual(["media", "link", "heading", "link"]);
    expect(sent.map(([, on]) => on)).toEqual(["on", null, "on", "on"]);
  });

  test("get another tab and a campaign, whose address is shown while it is typed", async () => {
    const { page } = await openEditor(site, { links: letters.slice(0, 2) });
    const preview = page.frameLocator("iframe");
    const link = page.locator("#links > li").first();
    await page.getByText("LinkedIn, GitHub and GitLab links go to Professional", { exact: false }).waitFor();
    await link.locator("summary").first().press("Enter");
    const tab = link.getByLabel("Tab", { exact: true });
    expect(await tab.inputValue()).toBe("");
    await tab.focus();
    await page.keyboard.type("Professional");
    await preview.getByText("Professional 1").waitFor();

    await link.locator("summary", { hasText: "Campaign" }).press("Enter");
    await link.getByLabel("Source").fill("meishi");
    await link.getByLabel("Campaign name").fill("Fair 2026");
    const address = "https://a.example?utm_source=meishi&utm_campaign=Fair+2026";
    await link.getByText(address, { exact: true }).waitFor();
    await preview.locator(`a[href="${address}"]`).waitFor({ state: "attached" });
    expect(await findAxeViolations(page)).toEqual([]);
    await link.getByLabel("URL").fill("https://a.example/?utm_source=mine");
    await link.getByText("The URL already has utm_source, which stays as typed.").waitFor();
    // An email address has no campaign. What was typed is still there for the next web address.
    await link.getByLabel("URL").fill("mailto:ada@a.example");
    await link.getByLabel("Source").waitFor({ state: "detached" });
    await link.getByLabel("URL").fill("https://a.example");
    await link.getByText("meishi · Fair 2026").waitFor();
  });

  test("are featured with an image, which a save without one asks for", async () => {
    const { page } = await openEditor(site);
    await page.getByRole("button", { name: "Add link" }).click();
    await page.keyboard.type("garden.example");
    expect(await page.getByLabel(/card$/).count()).toBe(0);
    await page.getByText("Featured with image").click();
    await save(page);
    await page.getByText("Choose an image, or show this as a regular link.").waitFor();
    await page.getByLabel("Choose an image").setInputFiles(await rotatedPhoto());
    await page.getByText("Image uploaded").waitFor();
    await page.getByLabel("Image description").fill("Roses");
    await page.frameLocator("iframe").getByRole("img", { name: "Roses" }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByRole("radio", { name: "Personal 1" }).check();
    const image = page.getByRole("img", { name: "Roses" });
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  });
});

/** The names of the links in order: "ABCD". */
async function order(page: Page): Promise<string> {
  return (await page.locator("#links summary b").allInnerTexts()).join("");
}

async function gripOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  const grip = page.getByRole("button", { name: `Move ${name}`, exact: true });
  await page.locator("#links").evaluate((list) => list.scrollIntoView({ block: "center" }));
  const { x, y, width, height } = await boxOf(grip);
  return { x: x + width / 2, y: y + height / 2 };
}

async function drag(page: Page, { name, by }: { name: string; by: number }) {
  const { x, y } = await gripOf(page, name);
  await dragRow(page, { x, y, by });
}
