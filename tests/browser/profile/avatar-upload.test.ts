import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { boxOf, expectFocus, isOnTop, openSite, phone, openPage } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { averageColor, grainyPhoto, plainPhoto, red, rotatedPhoto } from "#tests/support/fixtures/images.ts";
import { openEditor, confirmDialog } from "#tests/support/browser/editors.ts";
import { openUser } from "#tests/support/browser/users.ts";

const site = openSite();

describe("the avatar", () => {
  test("is chosen, cropped by keyboard and saved at once; typed text stays unsaved", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill("Typed in the meantime");
    await choose(page, "Choose a file", await rotatedPhoto());
    const dialog = page.getByRole("dialog", { name: "Crop your avatar" });
    // The browser applies the EXIF rotation.
    const { width, height } = await boxOf(dialog.locator("img"));
    expect(height / width).toBeCloseTo(4 / 3, 1);
    expect(await dialog.getByRole("slider", { name: "Size" }).inputValue()).toBe("90");
    expect(await dialog.getByText("Drag the circle").innerText()).toContain("arrow keys");

    const square = dialog.getByRole("group", { name: "Crop area." });
    await expectFocus(square);
    const corner = dialog.getByRole("button", { name: "Bottom right corner" });
    await corner.press("Shift+ArrowLeft");
    await expect
      .poll(async () => Number(await dialog.getByRole("slider", { name: "Size" }).inputValue()))
      .toBeLessThan(90);
    await dialog.getByRole("slider", { name: "Size" }).press("Home");
    for (let presses = 0; presses < 40; presses++) await square.press("Shift+ArrowUp");
    await dialog.getByRole("button", { name: "Crop and Save" }).press("Enter");
    await page.getByText("Avatar updated!").waitFor();
    await dialog.waitFor({ state: "detached" });

    // The server crops the rotated photo: everything inside the circle was red.
    const file = await page.getByRole("group", { name: "Avatar" }).locator("img").getAttribute("src");
    const stored = await (await page.request.get(String(file))).body();
    expect(await averageColor(stored)).toMatchObject({ isOne: true });
    for (const [channel, value] of Object.entries(red)) {
      expect(Math.abs((await averageColor(stored))[channel as keyof typeof red] - value)).toBeLessThan(12);
    }
    await page.frameLocator("iframe").locator(`.avatar img[src="${file}"]`).waitFor();
    expect(await page.getByLabel("Bio").inputValue()).toBe("Typed in the meantime");
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save & Close" }).click();
    await page.waitForURL("**/u/*");
    await page.locator(`.avatar img[src="${file}"]`).waitFor();
    await page.getByText("Typed in the meantime").waitFor();
  });

  test("shows its progress, can be canceled, keeps the crop, and is sent once on repeated clicks", async () => {
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

  test("is cropped by touch in a small window with the title and the buttons in view, without help for keys", async () => {
    const { page } = await openUser(site, { ...phone, viewport: { width: 320, height: 480 } });
    await openPage(page, "/profile");
    await choose(page, "Choose a file", await rotatedPhoto());
    const dialog = page.getByRole("dialog", { name: "Crop your avatar" });
    expect(await dialog.getByText("Drag the circle").innerText()).toBe("Drag the circle or its corners.");
    const kept = [
      dialog.getByRole("heading", { name: "Crop your avatar" }),
      dialog.getByRole("button", { name: "Cancel" }),
      dialog.getByRole("button", { name: "Crop and Save" }),
    ];
    for (const top of [0, 10_000]) {
      await dialog.evaluate((element, top) => element.scrollTo(0, top), top);
      for (const control of kept) expect(await isOnTop(control), `${control.toString()} at ${top}`).toBe(true);
    }
  });

  test("is refused at its field before anything is sent, and removed after a confirmation, which shows the initials", async () => {
    const { page, requests } = await openEditor(site, { displayName: "Ada Lovelace" });
    const refusals: [string, InputFile][] = [
      ["Please upload a JPEG, PNG, or WebP image", { ...brokenImage, name: "a.gif", mimeType: "image/gif" }],
      ["Image size must be less than 5MB", { ...brokenImage, buffer: Buffer.alloc(5 * 1024 * 1024) }],
      ["This image has more than 40 million pixels.", await plainPhoto(7_000, 6_000)],
      ["This browser can’t open the image.", brokenImage],
    ];
    for (const [message, file] of refusals) {
      await page.getByLabel("Choose a file").setInputFiles(file);
      await page.getByRole("alert").filter({ hasText: message }).waitFor();
      const described = await page.getByLabel("Choose a file").getAttribute("aria-describedby");
      expect(await page.locator(`[id="${described}"]`).textContent()).toContain(message);
    }
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(requests.filter((url) => url.includes("/uploads/"))).toEqual([]);
    // A valid file removes the message.
    await choose(page, "Choose a file", await rotatedPhoto());
    await expect.poll(() => page.getByText("This browser can’t open the image.").count()).toBe(0);
    expect(requests.filter((url) => url.includes("/uploads/"))).toEqual([]);
    await page.getByRole("button", { name: "Crop and Save" }).click();
    await page.getByText("Avatar updated!").waitFor();
    await page.getByRole("button", { name: "Remove avatar" }).click();
    await confirmDialog(page, "Remove your avatar?").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Avatar removed").waitFor();
    await expectFocus(page.getByLabel("Choose a file"));
    await expect.poll(() => page.getByRole("group", { name: "Avatar" }).locator("img").count()).toBe(0);
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL("**/u/*");
    expect(await page.locator(".avatar").textContent()).toBe("AL");
    expect(await page.locator(".avatar img").count()).toBe(0);
  });
});

test("a running upload guards against leaving, and one that failed shows the reason and can be tried again", async () => {
  const tab = await openEditor(site);
  const { page } = tab;
  await page.getByText("Advanced", { exact: true }).click();
  // No provider is configured.
  expect(await page.getByText("Social Accounts").count()).toBe(0);
  const slow = await slowUploads(tab, 2_000);
  await page.getByLabel("Bio").fill("Typed in the meantime");
  await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(1600, 600));
  await page.getByRole("progressbar").waitFor();
  expect(await page.getByRole("button", { name: "Uploading..." }).isDisabled()).toBe(true);
  await page.getByRole("link", { name: "Back" }).click();
  const leave = confirmDialog(page, "Leave without saving?");
  await leave.getByText("A file is still uploading.", { exact: false }).waitFor();
  await leave.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Cancel upload" }).click();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await slow.end();

  let [status, body] = [503, ""];
  await page.route("**/uploads/banner?*", (route) => route.fulfill({ status, body }));
  await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(900, 300));
  const alert = page.getByRole("alert").filter({ hasText: "Failed to upload banner" });
  await alert.getByText("The server can’t accept files right now.", { exact: false }).waitFor();
  expect(await alert.getByRole("link", { name: "Sign in" }).count()).toBe(0);
  [status, body] = [401, JSON.stringify({ message: "You’re signed out. Sign in and try again." })];
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.getByText("You’re signed out.", { exact: false }).waitFor();
  await alert.getByRole("link", { name: "Sign in" }).waitFor();
  await page.unroute("**/uploads/banner?*");
  await tab.context.setOffline(true);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Your connection was lost.", { exact: false }).waitFor();
  await tab.context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Banner uploaded successfully").waitFor();
  await expect.poll(() => page.getByRole("alert").filter({ hasText: "Failed" }).count()).toBe(0);
  await page.getByRole("button", { name: "Save & Close" }).click();
  await page.waitForURL("**/u/*");
  tab.consoleErrors.length = 0; // the browser logs the mocked failures
});

type InputFile = { name: string; mimeType: string; buffer: Buffer };

/** Named like an image, but not one. */
const brokenImage: InputFile = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture at all") };

async function choose(page: Page, label: string, file: InputFile) {
  await page.getByLabel(label).setInputFiles(file);
  await page.getByRole("dialog", { name: "Crop your avatar" }).getByRole("slider", { name: "Size" }).waitFor();
}

/** Limits this tab's upload speed in bytes per second. */
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
