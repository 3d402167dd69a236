import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findings } from "#tests/support/axe.ts";
import { boxOf, desktop, expectFocus, narrow, openSite, phone } from "#tests/support/browser.ts";
import type { Tab } from "#tests/support/browser.ts";
import { colourOf, grainyPhoto, red, turnedPhoto } from "#tests/support/pictures.ts";
import { openEditor, question } from "#tests/support/profile-editor.ts";

const site = openSite();

describe("the avatar", () => {
  test("is chosen, cropped by keyboard alone, and saved at once; what is typed stays unsaved", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill("Typed meanwhile");
    await choose(page, "Choose a file", await turnedPhoto());
    const dialog = page.getByRole("dialog", { name: "Crop your avatar" });
    // The browser shows the photo upright, as it was taken.
    const { width, height } = await boxOf(dialog.locator("img"));
    expect(height / width).toBeCloseTo(4 / 3, 1);
    expect(await dialog.getByRole("slider", { name: "Size" }).inputValue()).toBe("90");

    const kept = dialog.getByRole("group", { name: "The part that is kept." });
    await expectFocus(kept);
    const corner = dialog.getByRole("button", { name: "Lower right corner" });
    await corner.press("Shift+ArrowLeft");
    await expect
      .poll(async () => Number(await dialog.getByRole("slider", { name: "Size" }).inputValue()))
      .toBeLessThan(90);
    await dialog.getByRole("slider", { name: "Size" }).press("Home");
    for (let presses = 0; presses < 40; presses++) await kept.press("Shift+ArrowUp");
    await dialog.getByRole("button", { name: "Crop and Save" }).press("Enter");
    await page.getByText("Avatar updated!").waitFor();
    await dialog.waitFor({ state: "detached" });

    // Cut by the server from the upright photo: where the circle was, all is red.
    const file = await page.getByRole("group", { name: "Avatar" }).locator("img").getAttribute("src");
    const stored = await (await page.request.get(String(file))).body();
    expect(await colourOf(stored)).toMatchObject({ isOne: true });
    for (const [channel, value] of Object.entries(red)) {
      expect(Math.abs((await colourOf(stored))[channel as keyof typeof red] - value)).toBeLessThan(12);
    }
    await page.frameLocator("iframe").locator(`.avatar img[src="${file}"]`).waitFor();
    expect(await page.getByLabel("Bio").inputValue()).toBe("Typed meanwhile");
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save & Close" }).click();
    await page.waitForURL("**/u/*");
    await page.locator(`.avatar img[src="${file}"]`).waitFor();
    await page.getByText("Typed meanwhile").waitFor();
  });

  test("shows how far it is, can be stopped, keeps the crop, and is sent once however often it is pressed", async () => {
    const tab = await openEditor(site);
    const { page, requests } = tab;
    const slow = await slowUploads(tab, 5_000);
    await choose(page, "Choose a file", await grainyPhoto(1200, 900));
    const dialog = page.getByRole("dialog", { name: "Crop your avatar" });
    await dialog.getByRole("slider", { name: "Size" }).press("Home");
    await dialog.getByRole("button", { name: "Crop and Save" }).dblclick();
    const progress = dialog.getByRole("progressbar", { name: "Upload" });
    await expect.poll(async () => Number(await progress.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await progress.waitFor({ state: "detached" });
    expect(await dialog.getByRole("slider", { name: "Size" }).inputValue()).toBe("10");
    expect(requests.filter((url) => url.includes("/uploads/"))).toHaveLength(1);
    await slow.end();
    await dialog.getByRole("button", { name: "Crop and Save" }).click();
    await page.getByText("Avatar updated!").waitFor();
    expect(requests.filter((url) => url.includes("/uploads/"))).toHaveLength(2);
    await expect.poll(() => requests.at(-1)).not.toContain("/uploads/");
  });

  test("is refused beside its field before anything is sent", async () => {
    const { page, requests } = await openEditor(site);
    const refusals: [string, Chosen][] = [
      ["Please upload a JPEG, PNG, or WebP image", { ...picture, name: "a.gif", mimeType: "image/gif" }],
      ["Image size must be less than 5MB", { ...picture, buffer: Buffer.alloc(5 * 1024 * 1024 + 1) }],
      ["This picture can't be opened here.", picture],
    ];
    for (const [message, file] of refusals) {
      await page.getByLabel("Choose a file").setInputFiles(file);
      await page.getByRole("alert").filter({ hasText: message }).waitFor();
      const described = await page.getByLabel("Choose a file").getAttribute("aria-describedby");
      expect(await page.locator(`[id="${described}"]`).textContent()).toContain(message);
    }
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(requests.filter((url) => url.includes("/uploads/"))).toEqual([]);
    // A good one takes the message away.
    await choose(page, "Choose a file", await turnedPhoto());
    await expect.poll(() => page.getByText("This picture can't be opened here.").count()).toBe(0);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(requests.filter((url) => url.includes("/uploads/"))).toEqual([]);
  });

  test("can be removed after a question, and the initials are back", async () => {
    const { page } = await openEditor(site, { displayName: "Ada Lovelace" });
    await choose(page, "Choose a file", await turnedPhoto());
    await page.getByRole("button", { name: "Crop and Save" }).click();
    await page.getByText("Avatar updated!").waitFor();
    await page.getByRole("button", { name: "Remove avatar" }).click();
    await question(page, "Remove your avatar?").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Avatar removed").waitFor();
    await expectFocus(page.getByLabel("Choose a file"));
    await expect.poll(() => page.getByRole("group", { name: "Avatar" }).locator("img").count()).toBe(0);
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL("**/u/*");
    expect(await page.locator(".avatar").textContent()).toBe("AL");
    expect(await page.locator(".avatar img").count()).toBe(0);
  });
});

describe("an upload that fails", () => {
  test("says why, and is sent again by one press", async () => {
    const tab = await openEditor(site);
    const { page } = tab;
    await openAdvanced(page);
    const answers: [number, string, string][] = [
      [
        429,
        JSON.stringify({ message: "That was many files in a short time." }),
        "That was many files in a short time.",
      ],
      [413, "<html>413</html>", "This file is larger than the server takes."],
      [503, "", "The server can't take a file at the moment."],
      [401, JSON.stringify({ message: "You are signed out. Sign in and try again." }), "You are signed out."],
    ];
    let answer = answers[0];
    await page.route("**/uploads/banner?*", (route) => route.fulfill({ status: answer?.[0], body: answer?.[1] }));
    await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(900, 300));
    for (const next of answers) {
      answer = next;
      const alert = page.getByRole("alert").filter({ hasText: "Failed to upload banner" });
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.getByText(next[2], { exact: false }).waitFor();
      expect(await alert.getByRole("link", { name: "Sign in" }).count()).toBe(next[0] === 401 ? 1 : 0);
    }
    await page.unroute("**/uploads/banner?*");
    await tab.context.setOffline(true);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("The connection was lost before the server answered.", { exact: false }).waitFor();
    await tab.context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Banner uploaded successfully").waitFor();
    await expect.poll(() => page.getByRole("alert").filter({ hasText: "Failed" }).count()).toBe(0);
    tab.complaints.length = 0; // the browser's own notes of answers that were made up, and of no connection
  });

  test("asks before the page is left while it is under way, and holds the form's save until it is done", async () => {
    const tab = await openEditor(site);
    const { page } = tab;
    await openAdvanced(page);
    const slow = await slowUploads(tab, 2_000);
    await page.getByLabel("Bio").fill("Typed meanwhile");
    await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(1600, 600));
    await page.getByRole("progressbar").waitFor();
    expect(await page.getByRole("button", { name: "Uploading..." }).isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Back" }).click();
    const leave = question(page, "Leave without saving?");
    await leave.getByText("A file is still on its way.", { exact: false }).waitFor();
    await leave.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    await slow.end();
    expect(await page.getByLabel("Choose a banner").count()).toBe(1);
    await page.getByRole("button", { name: "Save & Close" }).click();
    await page.waitForURL("**/u/*");
  });
});

test("axe finds nothing in the dialog and in the Advanced section, and nothing scrolls sideways", async () => {
  const { page } = await openEditor(site);
  await openAdvanced(page);
  await page.getByLabel("Choose a banner").setInputFiles({ ...picture, name: "a.gif", mimeType: "image/gif" });
  await page.getByText("Please upload a JPEG, PNG, or WebP image").waitFor();
  for (const name of ["GitHub", "LinkedIn", "Twitch", "Spotify", "Slack", "Facebook"]) {
    await page.getByRole("listitem").filter({ hasText: name }).getByText("Not configured on this server yet").waitFor();
  }
  await lookEverywhere(page, "Advanced");
  await choose(page, "Choose a file", await turnedPhoto());
  await lookEverywhere(page, "the dialog");
  const dialog = page.getByRole("dialog", { name: "Crop your avatar" });
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

async function lookEverywhere(page: Page, what: string) {
  for (const { viewport } of [desktop, phone, narrow]) {
    await page.setViewportSize(viewport);
    for (const mode of ["dark", "light"]) {
      await page.evaluate((mode) => (document.documentElement.dataset["mode"] = mode), mode);
      expect(await findings(page), `${what} ${viewport.width} ${mode}`).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
}

type Chosen = { name: string; mimeType: string; buffer: Buffer };

/** Called a picture, and none. */
const picture: Chosen = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture at all") };

async function choose(page: Page, label: string, file: Chosen) {
  await page.getByLabel(label).setInputFiles(file);
  await page.getByRole("dialog", { name: "Crop your avatar" }).getByRole("slider", { name: "Size" }).waitFor();
}

async function openAdvanced(page: Page) {
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByLabel("Choose a banner").waitFor();
}

/** From now on this tab sends so many bytes a second. */
async function slowUploads({ context, page }: Tab, bytesPerSecond: number) {
  const session = await context.newCDPSession(page);
  const limit = (uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await limit(bytesPerSecond);
  return { end: () => limit(-1) };
}
