import { describe, expect, test } from "vitest";

import { expectFocus, openSite, phone, reducedMotion, openPage } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { addLink, confirmDialog, openEditor, save } from "#tests/support/browser/editors.ts";

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

  test("shows messages at their fields, focuses the first, never cuts off pasted text and keeps everything typed", async () => {
    const { page } = await openEditor(site);
    const [name, bio] = [page.getByLabel("Display name"), page.getByLabel("Bio")];
    await bio.fill("👩".repeat(200));
    await page.getByText("200/160").waitFor();
    await page.getByLabel("Handle").fill("admin");
    await addLink(page, "", "javascript:alert(1)");
    await page.getByText("Invalid URL").waitFor();
    await save(page);
    await page.getByText("Not saved", { exact: false }).waitFor();
    await expectFocus(page.getByLabel("URL"));
    expect(await bio.inputValue()).toBe("👩".repeat(200));
    await bio.fill(`  ${"👩".repeat(160)}\n`);
    await page.getByText("160/160").waitFor();
    await save(page);
    await expectFocus(page.getByLabel("URL"));
    expect(await page.getByText("Link name is required").count()).toBe(0);
    expect(await page.getByLabel("URL").inputValue()).toBe("javascript:alert(1)");
    await page.getByLabel("Handle").fill("");
    await page.getByRole("button", { name: "Remove javascript:alert(1)" }).click();
    const question = confirmDialog(page, "Are you sure you want to remove this link?");
    await question.getByRole("button", { name: "Remove" }).click();

    const pasted = "word ".repeat(420_000);
    await name.fill(pasted);
    await save(page);
    await page.getByText("Couldn’t save: that’s too much text.", { exact: false }).waitFor();
    expect((await name.inputValue()).length).toBe(pasted.length);
    await name.fill("Short");
    await save(page);
    await page.waitForURL("**/u/*");
  });

  test("previews a Premium theme on Free and saves the rest, and the bar of a refused save leads to the field", async () => {
    const { page } = await openEditor(site);
    await page.getByText("Sunset, Forest and Royal come with Premium.", { exact: false }).waitFor();
    await page.getByRole("radio", { name: "Royal Premium" }).check();
    const preview = page.frameLocator("iframe").locator(".page").first();
    await expect.poll(() => preview.getAttribute("data-theme")).toBe("royal");
    await page.getByText("saving keeps the theme you have", { exact: false }).waitFor();
    await page.setViewportSize(phone.viewport);
    const bio = page.getByLabel("Bio");
    await bio.fill("long ".repeat(40));
    await save(page);
    await page.getByText("Not saved. Fix the highlighted fields and save again.", { exact: false }).waitFor();
    await page.getByRole("tab", { name: "Preview" }).click();
    const problem = page.getByRole("button", { name: "1 field needs attention" });
    await problem.click();
    await expectFocus(bio);
    await bio.fill("Typed with it");
    await problem.waitFor({ state: "detached" });
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByText("Royal comes with Premium, so your theme stays as it was.").waitFor();
    await page.getByText("Typed with it").waitFor();
  });

  test("keeps what was typed when the server is unreachable or the owner is signed out", async () => {
    const tab = await openEditor(site);
    const { page, context } = tab;
    await page.getByLabel("Bio").fill("Typed for an hour");
    await context.setOffline(true);
    await save(page);
    await page.getByText("Couldn’t save. Check your connection and try again.", { exact: false }).waitFor();
    await context.setOffline(false);
    const cookies = await context.cookies();
    await context.clearCookies();
    await save(page);
    await page.getByText("You’re signed out.", { exact: false }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
    await context.addCookies(cookies);
    await save(page);
    await page.waitForURL("**/u/*");
    await page.getByText("Typed for an hour").waitFor();
    tab.consoleErrors.length = 0; // the browser's own note of the request that found no server
  });
});

test("unsaved changes are asked about on Back, on links and when the page is left, can be saved first, and end when reverted", async () => {
  const { page } = await openEditor(site);
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    void dialog.dismiss();
  });
  const [bio, bar] = [page.getByLabel("Bio"), page.getByText("You have unsaved changes.", { exact: true })];
  await bio.fill("x");
  await bar.waitFor();
  await bio.fill("");
  await bar.waitFor({ state: "detached" });

  await bio.pressSequentially("Kept");
  const lost = "You have unsaved changes that will be lost.";
  const leave = confirmDialog(page, "Leave without saving?");
  for (const [link, text] of [
    ["Back", `${lost} Are you sure you want to go back?`],
    ["Pricing", lost],
  ] as const) {
    await page.getByRole("link", { name: link }).first().click();
    await leave.getByText(text, { exact: true }).waitFor();
    await leave.getByRole("button", { name: "Stay" }).click();
    expect(await bio.inputValue()).toBe("Kept");
  }
  await page.evaluate(() => void (location.href = "/pricing"));
  await expect.poll(() => asked).toBe(1);
  await page.evaluate(() => history.back());
  await expect.poll(() => asked).toBe(2);
  await page.getByRole("link", { name: "Create card" }).click();
  await leave.getByRole("button", { name: "Save and continue" }).click();
  await page.waitForURL("**/cards/edit");
  await page.getByText("Profile saved").waitFor();

  await openPage(page, "/profile");
  expect(await bio.inputValue()).toBe("Kept");
  await bio.fill("Given up");
  await page.getByRole("link", { name: "Back" }).click();
  await leave.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/u/*");
  await page.getByText("Kept").waitFor();
  expect(asked).toBe(2);
});

test("a field changed in two tabs is asked about: the question has the focus, and its heading is in view on a phone", async () => {
  const first = await openEditor(site);
  const { page } = await site.open({ ...phone, ...reducedMotion, storageState: await first.context.storageState() });
  await openPage(page, "/profile");
  await first.page.getByLabel("Display name").fill("Ada Lovelace");
  await saveBio(first, "First\n".repeat(20));
  await first.page.waitForURL("**/u/*");
  await saveBio({ page }, "Second\n".repeat(20));
  const name = "This profile was also changed in another tab or on another device";
  const question = page.getByRole("region", { name });
  await expectFocus(question);
  const top = async () => (await question.getByRole("heading", { name }).boundingBox())?.y ?? -1;
  await expect.poll(top).toBeGreaterThan(50);
  expect(await top()).toBeLessThan(200);
  expect(await question.getByRole("group").count()).toBe(1);
  await question.getByRole("radio", { name: /^Yours/ }).check();
  await question.getByRole("button", { name: "Save with these choices" }).click();
  await page.waitForURL("**/u/*");
  await page.getByText("Second").waitFor();
  await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
});

async function saveBio({ page }: Pick<Tab, "page">, bio: string) {
  await page.getByLabel("Bio").fill(bio);
  await save(page);
}
