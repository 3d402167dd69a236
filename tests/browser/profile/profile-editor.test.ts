import { describe, expect, test } from "vitest";

import { expectAccessible, findAxeViolations } from "#tests/support/browser/axe.ts";
import {
  expectFocus,
  blockScripts,
  waitForHydration,
  openSite,
  phone,
  reducedMotion,
} from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { addLink, letters, openEditor, confirmDialog, save } from "#tests/support/browser/editors.ts";

const site = openSite();

describe("the profile editor", () => {
  test("can be filled in and saved by keyboard, with a live preview", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Display name").focus();
    await page.keyboard.press("ControlOrMeta+a");
    for (const text of ["Ada Lovelace", "Notes on the engine.", "ada-by-keyboard"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Space"); // Show in search results: off
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight"); // from Default to Ocean
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add link" }).press("Enter");
    await page.keyboard.type("ada.example/notes");
    await page.keyboard.press("Tab"); // selects the name that was filled in
    await page.keyboard.type("Portfolio");
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("URL").inputValue()).toBe("https://ada.example/notes");

    const preview = page.frameLocator("iframe");
    for (const text of ["Ada Lovelace", "Notes on the engine.", "ada.example"]) {
      await preview.getByText(text, { exact: true }).waitFor();
    }
    await expect.poll(() => preview.locator(".page").first().getAttribute("data-theme")).toBe("ocean");

    await page.getByRole("button", { name: "Save & Close" }).press("Enter");
    await Promise.all([page.waitForURL("**/u/*"), page.getByText("Profile saved").waitFor()]);
    expect(await page.title()).toBe("Ada Lovelace | Professional Profile");
    await page.goto("/u/ada-by-keyboard");
    await page.getByRole("link", { name: "Portfolio" }).waitFor();
  });

  test("counts the bio like the server and never cuts off pasted text", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill(`  ${"👩".repeat(160)}\n`);
    await page.getByText("160/160").waitFor();
    expect(await page.getByText("Use at most 160 characters").count()).toBe(0);
    await page.getByLabel("Bio").fill("👩".repeat(200));
    await page.getByText("200/160").waitFor();
    await save(page);
    await page.getByText("Not saved", { exact: false }).waitFor();
    expect(await page.getByLabel("Bio").inputValue()).toBe("👩".repeat(200));
    await page.getByLabel("Bio").fill("👩".repeat(160));
    await save(page);
    await page.waitForURL("**/u/*");
  });

  test("shows errors at their fields, focuses the first and keeps everything typed", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill("Typed for an hour");
    await page.getByLabel("Handle").fill("admin");
    await addLink(page, "", "javascript:alert(1)");
    await page.getByText("Invalid URL").waitFor();
    await save(page);
    await expectFocus(page.getByLabel("Handle"));
    expect(await page.getByText("Link name is required").count()).toBe(0);
    expect(await page.getByLabel("Bio").inputValue()).toBe("Typed for an hour");
    expect(await page.getByLabel("URL").inputValue()).toBe("javascript:alert(1)");
    await page.getByLabel("Handle").fill("");
    await page.getByRole("button", { name: "Remove javascript:alert(1)" }).click();
    await confirmDialog(page, "Are you sure you want to remove this link?")
      .getByRole("button", { name: "Remove" })
      .click();
    await save(page);
    await page.waitForURL("**/u/*");
  });

  test("keeps a paste of two megabytes and reports it as too long", async () => {
    const { page } = await openEditor(site);
    const pasted = "word ".repeat(420_000);
    await page.getByLabel("Display name").fill(pasted);
    await save(page);
    await page.getByText("Couldn't save: that's too much text.", { exact: false }).waitFor();
    expect((await page.getByLabel("Display name").inputValue()).length).toBe(pasted.length);
    await page.getByLabel("Display name").fill("Short");
    await save(page);
    await page.waitForURL("**/u/*");
  });

  test("previews a Premium theme on Free, and refuses to save it", async () => {
    const { page } = await openEditor(site);
    await page.getByText("Sunset, Forest and Royal come with Premium.", { exact: false }).waitFor();
    expect(await page.getByText("Midnight violet and gold").isVisible()).toBe(true);
    await page.getByRole("radio", { name: "Royal Premium" }).check();
    const preview = page.frameLocator("iframe").locator(".page").first();
    await expect.poll(() => preview.getAttribute("data-theme")).toBe("royal");
    await page.getByText("You can preview it, but you can't save it on the Free plan", { exact: false }).waitFor();
    await page.getByLabel("Bio").fill("Typed with it");
    await save(page);
    await page.getByText("Royal comes with Premium, so nothing was saved.", { exact: false }).waitFor();
    expect(await page.getByLabel("Bio").inputValue()).toBe("Typed with it");
    await page.getByRole("radio", { name: "Ocean" }).check();
    expect(await page.getByText("so nothing was saved", { exact: false }).count()).toBe(0);
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByText("Typed with it").waitFor();
  });

  test("keeps what was typed when the server is unreachable or the owner is signed out", async () => {
    const tab = await openEditor(site);
    const { page, context } = tab;
    await page.getByLabel("Bio").fill("Typed for an hour");
    await context.setOffline(true);
    await save(page);
    await page.getByText("Couldn't save. Check your connection and try again.", { exact: false }).waitFor();
    await context.setOffline(false);
    const cookies = await context.cookies();
    await context.clearCookies();
    await save(page);
    await page.getByText("You're signed out.", { exact: false }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
    await context.addCookies(cookies);
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByText("Typed for an hour").waitFor();
    tab.consoleErrors.length = 0; // the browser's own note of the request that found no server
  });

  test("keeps what was typed before hydration", async () => {
    const { page } = await openEditor(site);
    const letGo = await blockScripts(page);
    await page.goto("/profile", { waitUntil: "commit" });
    await page.getByLabel("Bio").fill("Typed early");
    letGo();
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
    expect(await page.getByLabel("Bio").inputValue()).toBe("Typed early");
    await page.frameLocator("iframe").getByText("Typed early").waitFor();
  });

  test("without script saves, adds a link and keeps rejected input", async () => {
    const made = await openEditor(site, { links: letters.slice(0, 1) });
    const { page } = await site.open({
      ...phone,
      javaScriptEnabled: false,
      storageState: await made.context.storageState(),
    });
    await page.goto("/profile");
    await page.getByLabel("Display name").fill("Ada without script");
    await page.getByLabel("Name of a new link").fill("Notes");
    await page.getByLabel("URL of a new link").fill("javascript:alert(1)");
    await save(page);
    await page.getByText("Invalid URL").waitFor();
    expect(await page.getByLabel("Display name").inputValue()).toBe("Ada without script");
    await page.getByLabel("URL", { exact: true }).last().fill("ada.example/notes");
    await save(page);
    await Promise.all([page.waitForURL("**/u/*"), page.getByText("Profile saved").waitFor()]);
    expect(await page.locator("a", { hasText: "ada.example" }).count()).toBe(1);
  });
});

describe("unsaved changes", () => {
  test("ask for confirmation on Back, on links and when the tab closes, but not after a save", async () => {
    const { page } = await openEditor(site);
    let asked = 0;
    page.on("dialog", (dialog) => {
      asked += 1;
      void dialog.dismiss();
    });
    await page.getByLabel("Bio").fill("Not saved yet");
    const lost = "You have unsaved changes that will be lost.";
    for (const [link, text] of [
      ["Back", `${lost} Are you sure you want to go back?`],
      ["Pricing", lost],
    ] as const) {
      await page.getByRole("link", { name: link }).first().click();
      const leave = confirmDialog(page, "Leave without saving?");
      await leave.getByText(text, { exact: true }).waitFor();
      await leave.getByRole("button", { name: "Stay" }).click();
      expect(await page.getByLabel("Bio").inputValue()).toBe("Not saved yet");
    }
    await page.evaluate(() => void (location.href = "/pricing"));
    await expect.poll(() => asked).toBe(1);
    await save(page);
    await page.waitForURL("**/u/*");
    expect(asked).toBe(1);

    await page.goto("/profile");
    await waitForHydration(page);
    await page.getByLabel("Bio").fill("Given up");
    await page.getByRole("link", { name: "Back" }).click();
    await confirmDialog(page, "Leave without saving?").getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("**/u/*");
    await page.getByText("Not saved yet").waitFor();
    expect(asked).toBe(1);
  });

  test("disappear when a change is reverted", async () => {
    const { page } = await openEditor(site);
    const bar = page.getByText("You have unsaved changes.", { exact: true });
    await page.getByLabel("Bio").fill("x");
    await bar.waitFor();
    await page.getByLabel("Bio").fill("");
    await bar.waitFor({ state: "detached" });
  });
});

describe("two tabs with one profile", () => {
  test("merges other fields, asks about one that both changed, and loses nothing", async () => {
    const first = await openEditor(site);
    const second = await site.openBeside(first);
    await second.page.goto("/profile");
    await waitForHydration(second.page);
    await first.page.getByLabel("Display name").fill("Ada Lovelace");
    await saveBio(first, "From the first tab");
    await first.page.waitForURL("**/u/*");
    await saveBio(second, "From the second tab");
    const question = second.page.getByRole("region", {
      name: "This profile was also changed in another tab or on another device",
    });
    await expectFocus(question);
    for (const bio of ["From the first tab", "From the second tab"]) await question.getByText(bio).waitFor();
    expect(await question.getByRole("group").count()).toBe(1);
    expect(await second.page.getByLabel("Bio").inputValue()).toBe("From the second tab");
    await question.getByRole("radio", { name: /^Yours/ }).check();
    await question.getByRole("button", { name: "Save with these choices" }).click();
    await second.page.waitForURL("**/u/*");
    await second.page.getByText("From the second tab").waitFor();
    await second.page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
  });

  test("shows the heading of the question on a phone", async () => {
    const first = await openEditor(site);
    const second = await site.open({ ...phone, ...reducedMotion, storageState: await first.context.storageState() });
    await second.page.goto("/profile");
    await waitForHydration(second.page);
    await saveBio(first, "First\n".repeat(20));
    await first.page.waitForURL("**/u/*");
    await saveBio(second, "Second\n".repeat(20));
    const heading = second.page.getByRole("heading", {
      name: "This profile was also changed in another tab or on another device",
    });
    await heading.waitFor();
    const top = async () => (await heading.boundingBox())?.y ?? -1;
    await expect.poll(top).toBeGreaterThan(50);
    expect(await top()).toBeLessThan(200);
  });
});

describe("leaving the profile for a new card", () => {
  test("can save first", async () => {
    const { page } = await openEditor(site);
    await page.getByLabel("Bio").fill("Kept");
    await page.getByRole("link", { name: "Create card" }).click();
    await page.getByRole("dialog").getByText("You have unsaved changes that will be lost.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.waitForURL("**/cards/edit");
    await page.getByText("Profile saved").waitFor();
    await page.goto("/profile");
    expect(await page.getByLabel("Bio").inputValue()).toBe("Kept");
  });
});

test("passes axe and doesn't scroll sideways, with and without errors, dark and light, wide and narrow", async () => {
  const { page } = await openEditor(site, { links: letters, displayName: "W".repeat(50) });
  await page.getByLabel("Handle").fill("admin");
  await addLink(page, "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk".repeat(2), "no address");
  await save(page);
  await page.getByText("Not saved", { exact: false }).waitFor();
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Preview" }).click();
  const preview = page.frameLocator("iframe");
  await preview.getByText("a.example").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await preview.getByRole("button", { name: "QR Code" }).click();
  await preview.getByText("Scan to open this profile").waitFor();
});

async function saveBio({ page }: Tab, bio: string) {
  await page.getByLabel("Bio").fill(bio);
  await save(page);
}
