import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { boxOf, expectFocus, openSite } from "#tests/support/browser/site.ts";
import { confirmDialog, dragRow, letters, openEditor, save } from "#tests/support/browser/editors.ts";
import { rotatedPhoto } from "#tests/support/fixtures/images.ts";

const site = openSite();

describe("links in the editor", () => {
  test("are moved by dragging with mouse or finger; Esc cancels", async () => {
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
    await save(page);
    await page.waitForURL("**/u/*");
    await page.goto("/profile");
    await expect.poll(() => order(page)).toBe("CBAD");
  });

  test("are moved by keys and buttons, and keep the focus", async () => {
    const { page } = await openEditor(site, { links: letters });
    const grip = page.getByRole("button", { name: "Move D", exact: true });
    await grip.focus();
    for (const [key, expected] of [
      ["ArrowUp", "ABDC"],
      ["ArrowUp", "ADBC"],
      ["ArrowDown", "ABDC"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => order(page)).toBe(expected);
      await expectFocus(grip);
    }
    await page.locator("summary", { hasText: "d.example" }).press("Enter");
    const down = page.getByRole("button", { name: "Move down" });
    await down.press("Enter");
    await down.press("Enter"); // it is the last one already
    await expect.poll(() => order(page)).toBe("ABCD");
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

    await page.getByRole("button", { name: "Remove A", exact: true }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => order(page)).toMatch(/^ABCD/);
    await page.getByRole("button", { name: "Remove A", exact: true }).click();
    await confirmDialog(page, "Are you sure you want to remove this link?")
      .getByRole("button", { name: "Remove" })
      .click();
    await expect.poll(() => order(page)).toMatch(/^BCD/);
  });

  test("take a user name once its network is chosen, and the site's name", async () => {
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
  });

  test("are grouped by headings and shown as cards, in the preview and after a save", async () => {
    const { page } = await openEditor(site, { links: letters.slice(0, 1) });
    await page.getByRole("button", { name: "Add heading" }).click();
    await page.keyboard.type("Talks");
    await page.getByRole("button", { name: "Add link" }).click();
    await page.keyboard.type("youtu.be/1");
    await page.getByText("2 of 8", { exact: true }).waitFor();
    // A plain link until its owner chooses the card, which is offered beside it.
    const showAs = page.getByRole("group", { name: "Show as" }).last();
    expect(await showAs.getByLabel("Link").isChecked()).toBe(true);
    await showAs.getByText("Video card").click();
    const preview = page.frameLocator("iframe");
    await preview.getByText("Video · YouTube").waitFor();
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByRole("radio", { name: "Personal 2" }).check();
    await page.getByRole("heading", { name: "Talks" }).waitFor();
    expect(await page.getByRole("link", { name: "YouTube Video · YouTube" }).getAttribute("href")).toBe(
      "https://youtu.be/1",
    );
    await page.goto("/profile");
    await expect.poll(() => order(page)).toBe("ATalksYouTube");
  });

  test("get a campaign, whose address is shown while it is typed and opened by visitors", async () => {
    const { page } = await openEditor(site, { links: letters.slice(0, 1) });
    const link = page.locator("#links > li");
    await link.locator("summary").first().press("Enter");
    await link.locator("summary", { hasText: "Campaign" }).press("Enter");
    await link.getByLabel("Source").fill("meishi");
    await link.getByLabel("Campaign name").fill("Fair 2026");
    const address = "https://a.example?utm_source=meishi&utm_campaign=Fair+2026";
    await link.getByText(address, { exact: true }).waitFor();
    await page.frameLocator("iframe").locator(`a[href="${address}"]`).waitFor({ state: "attached" });
    expect(await findAxeViolations(page)).toEqual([]);
    await link.getByLabel("URL").fill("https://a.example/?utm_source=mine");
    await link.getByText("The URL already has utm_source, which stays as typed.").waitFor();
    // An email address has no campaign. What was typed is still there for the next web address.
    await link.getByLabel("URL").fill("mailto:ada@a.example");
    await link.getByLabel("Source").waitFor({ state: "detached" });
    await link.getByLabel("URL").fill("https://a.example");
    await link.getByText("meishi · Fair 2026").waitFor();
    await save(page);
    await page.waitForURL("**/u/*");
    await page.locator(`a[href="${address}"]`).waitFor({ state: "attached" });
  });

  test("keep the way they are shown when they move", async () => {
    const video = { label: "Talk", url: "https://youtu.be/1" };
    const { page } = await openEditor(site, { links: [...letters.slice(0, 2), video] });
    await page.locator("summary", { hasText: "Talk" }).press("Enter");
    await page.getByText("Video card").click();
    const up = page.getByRole("button", { name: "Move up" });
    await up.press("Enter");
    await up.press("Enter");
    await expect.poll(() => order(page)).toBe("TalkAB");
    const kinds = () =>
      page.locator("form#profile").evaluate((form: HTMLFormElement) => {
        const sent = new FormData(form);
        return [0, 1, 2].map((row) => sent.get(`links.${row}.kind`));
      });
    expect(await kinds()).toEqual(["media", "link", "link"]);
  });

  test("are featured with a picture, which a save without one asks for", async () => {
    const { page } = await openEditor(site);
    await page.getByRole("button", { name: "Add link" }).click();
    await page.keyboard.type("garden.example");
    expect(await page.getByLabel(/card$/).count()).toBe(0);
    await page.getByText("Featured with image").click();
    await save(page);
    await page.getByText("Choose an image, or show this as a regular link.").waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByLabel("Choose an image").setInputFiles(await rotatedPhoto());
    await page.getByText("Image uploaded").waitFor();
    await page.getByLabel("Image description").fill("Roses");
    await page.frameLocator("iframe").getByRole("img", { name: "Roses" }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByRole("radio", { name: "Personal 1" }).check();
    const picture = page.getByRole("img", { name: "Roses" });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  test("that are switched off are saved but not shown to visitors", async () => {
    const { page } = await openEditor(site, { links: letters });
    const preview = page.frameLocator("iframe");
    await preview.getByText("b.example").waitFor();
    await page.getByRole("switch", { name: "Show B", exact: true }).click();
    await preview.getByText("b.example").waitFor({ state: "detached" });
    await save(page);
    await page.waitForURL("**/u/*");
    expect(await page.getByText("b.example").count()).toBe(0);
    await page.goto("/profile");
    expect(await page.getByRole("switch", { name: "Show B", exact: true }).isChecked()).toBe(false);
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
