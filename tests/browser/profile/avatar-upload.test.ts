import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { expectAccessible } from "#tests/support/browser/axe.ts";
import { boxOf, expectFocus, isOnTop, openSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { averageColor, grainyPhoto, plainPhoto, red, rotatedPhoto } from "#tests/support/fixtures/images.ts";
import { openEditor, confirmDialog } from "#tests/support/browser/editors.ts";

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

  test.for([
    [320, 480],
    [390, 664],
  ] as const)(
    "is cropped in a window of %s by %s pixels with the title and the buttons in view",
    async ([width, height]) => {
      const { page } = await openEditor(site);
      await page.setViewportSize({ width, height });
      await choose(page, "Choose a file", await rotatedPhoto());
      const dialog = page.getByRole("dialog", { name: "Crop your avatar" });
      const kept = [
        dialog.getByRole("heading", { name: "Crop your avatar" }),
        dialog.getByRole("button", { name: "Cancel" }),
        dialog.getByRole("button", { name: "Crop and Save" }),
      ];
      for (const top of [0, 10_000]) {
        await dialog.evaluate((element, top) => element.scrollTo(0, top), top);
        for (const control of kept) expect(await isOnTop(control), `${control.toString()} at ${top}`).toBe(true);
      }
    },
  );

  test("names keys for cropping only where there is a mouse", async () => {
    const mouse = await openEditor(site);
    const touch = await site.open({ ...phone, storageState: await mouse.context.storageState() });
    await touch.page.goto("/profile");
    await waitForHydration(touch.page);
    const help = async (page: Page) => {
      await choose(page, "Choose a file", await rotatedPhoto());
      return page.getByRole("dialog", { name: "Crop your avatar" }).getByText("Drag the circle").innerText();
    };
    expect(await help(mouse.page)).toContain("arrow keys");
    expect(await help(touch.page)).toBe("Drag the circle or its corners.");
  });

  test("is refused at its field before anything is sent", async () => {
    const { page, requests } = await openEditor(site);
    const refusals: [string, InputFile][] = [
      ["Please upload a JPEG, PNG, or WebP image", { ...brokenImage, name: "a.gif", mimeType: "image/gif" }],
      ["Image size must be less than 5MB", { ...brokenImage, buffer: Buffer.alloc(5 * 1024 * 1024) }],
      ["This image has more than 40 million pixels.", await plainPhoto(7_000, 6_000)],
      ["This browser can't open the image.", brokenImage],
    ];
    for (const [message, file] of refusals) {
      await page.getByLabel("Choose a file").setInputFiles(file);
      await page.getByRole("alert").filter({ hasText: message }).waitFor();
      const described = await page.getByLabel("Choose a file").getAttribute("aria-describedby");
      expect(await page.locator(`[id="${described}"]`).textContent()).toContain(message);
    }
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(requests.filter((url) => url.includes("/uploads/"))).toEqual([]);
    // A valid file removes the message.
    await choose(page, "Choose a file", await rotatedPhoto());
    await expect.poll(() => page.getByText("This browser can't open the image.").count()).toBe(0);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(requests.filter((url) => url.includes("/uploads/"))).toEqual([]);
  });

  test("can be removed after a confirmation, which shows the initials again", async () => {
    const { page } = await openEditor(site, { displayName: "Ada Lovelace" });
    await choose(page, "Choose a file", await rotatedPhoto());
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

describe("a failed upload", () => {
  test("shows the reason and can be retried", async () => {
    const tab = await openEditor(site);
    const { page } = tab;
    await openAdvanced(page);
    const responses: [number, string, string][] = [
      [
        429,
        JSON.stringify({ message: "That was many files in a short time." }),
        "That was many files in a short time.",
      ],
      [413, "<html>413</html>", "This file is too large for the server."],
      [503, "", "The server can't accept files right now."],
      [401, JSON.stringify({ message: "You're signed out. Sign in and try again." }), "You're signed out."],
    ];
    let response = responses[0];
    await page.route("**/uploads/banner?*", (route) => route.fulfill({ status: response?.[0], body: response?.[1] }));
    await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(900, 300));
    for (const next of responses) {
      response = next;
      const alert = page.getByRole("alert").filter({ hasText: "Failed to upload banner" });
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.getByText(next[2], { exact: false }).waitFor();
      expect(await alert.getByRole("link", { name: "Sign in" }).count()).toBe(next[0] === 401 ? 1 : 0);
    }
    await page.unroute("**/uploads/banner?*");
    await tab.context.setOffline(true);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Your connection was lost.", { exact: false }).waitFor();
    await tab.context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Banner uploaded successfully").waitFor();
    await expect.poll(() => page.getByRole("alert").filter({ hasText: "Failed" }).count()).toBe(0);
    tab.consoleErrors.length = 0; // the browser logs the mocked failures
  });

  test("a running upload guards against leaving and disables the form's save button", async () => {
    const tab = await openEditor(site);
    const { page } = tab;
    await openAdvanced(page);
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
    expect(await page.getByLabel("Choose a banner").count()).toBe(1);
    await page.getByRole("button", { name: "Save & Close" }).click();
    await page.waitForURL("**/u/*");
  });
});

test("the dialog and the Advanced section pass axe and don't scroll sideways", async () => {
  const { page } = await openEditor(site);
  await openAdvanced(page);
  await page.getByLabel("Choose a banner").setInputFiles({ ...brokenImage, name: "a.gif", mimeType: "image/gif" });
  await page.getByText("Please upload a JPEG, PNG, or WebP image").waitFor();
  // No provider can be configured yet.
  expect(await page.getByText("Social Accounts").count()).toBe(0);
  await expectAccessible(page, { where: "Advanced" });
  await choose(page, "Choose a file", await rotatedPhoto());
  await expectAccessible(page, { where: "the dialog", dialog: page.getByRole("dialog", { name: "Crop your avatar" }) });
});

type InputFile = { name: string; mimeType: string; buffer: Buffer };

/** Named like an image, but not one. */
const brokenImage: InputFile = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture at all") };

async function choose(page: Page, label: string, file: InputFile) {
  await page.getByLabel(label).setInputFiles(file);
  await page.getByRole("dialog", { name: "Crop your avatar" }).getByRole("slider", { name: "Size" }).waitFor();
}

async function openAdvanced(page: Page) {
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByLabel("Choose a banner").waitFor();
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
