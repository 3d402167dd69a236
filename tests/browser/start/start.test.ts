import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { expectFocus, openOwnSite, phone, waitForHydration, openPage } from "#tests/support/browser/site.ts";
import { openUser } from "#tests/support/browser/users.ts";
import { rotatedPhoto } from "#tests/support/fixtures/images.ts";

const site = openOwnSite();

test("from the landing page to the link of a card with the right name in 8 screens and 7 clicks", async () => {
  const { page, context } = await site.open({ ...phone, permissions: ["clipboard-read", "clipboard-write"] });
  let clicks = 0;
  const screens: string[] = [];
  const click = async (name: string | RegExp, role: "link" | "button" = "button") => {
    await page
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click();
    clicks += 1;
  };
  // Counts what is opened, from the landing page on.
  const see = async (text: string) => {
    await page.getByText(text).first().waitFor();
    screens.push(text);
  };
  await page.goto("/");
  screens.push("the landing page");
  await click(/^Get Started/, "link");
  await see("Create your free account");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("tea with Charles");
  await click("Sign Up");
  await see("Check your email for the confirmation link!");
  await click("Open it.", "link");
  const mail = page.frameLocator("iframe").getByRole("link", { name: "Confirm email" });
  // Mails are sent in the background.
  await expect.poll(() => page.goto("/dev/mail/latest?to=ada@example.com").then(() => mail.count())).toBe(1);
  screens.push("the mail");
  await mail.click();
  clicks += 1;
  await see("Is this your email address?");
  await click("Confirm and sign in");
  await see("Your name and avatar");
  await page.getByText("Email confirmed").waitFor();
  expect(await listCoveredByToast(page)).toEqual([]);
  await waitForHydration(page);
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await click("Continue");
  await see("How can people reach you?");
  await page.getByLabel("Link").fill("adawinter.example/portfolio");
  await click("Continue");
  await see("Your card is live");
  expect([clicks, screens.length]).toEqual([7, 8]);
  await click("Copy link");

  const link = await page.evaluate(() => navigator.clipboard.readText());
  const visitor = await context.browser()?.newPage();
  await visitor?.goto(link);
  await visitor?.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
  await visitor?.close();
});

/** The controls of the page that the toast covers. */
async function listCoveredByToast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toast = document.querySelector("dialog.ui-toast[open]")?.getBoundingClientRect();
    if (!toast) throw new Error("There is no toast.");
    const controls = [...document.querySelectorAll("main :is(a, button, input, label)")].filter((control) => {
      const { top, bottom, left, right, width } = control.getBoundingClientRect();
      return width > 0 && top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left;
    });
    return controls.map((control) => control.outerHTML);
  });
}

test("the address follows the name until it is typed and says when it is taken; a photo and typed text survive a lost connection", async () => {
  const { page, context } = await openUser(site, phone);
  await openPage(page, "/start");
  const [name, handle] = [page.getByLabel("Name", { exact: true }), page.getByLabel("Handle")];
  // Ada has the handle since the first test.
  await name.fill("Ada Lovelace");
  await page.getByText("/u/ada-lovelace-2 is available.").waitFor();
  expect(await handle.inputValue()).toBe("ada-lovelace-2");
  await handle.fill("admin");
  await page.getByText("This handle is reserved. Choose another.").waitFor();
  await page.getByRole("button", { name: "Use ada-lovelace-2" }).waitFor();
  await handle.fill("ada-lovelace");
  await page.getByText("This handle is taken. Choose another.").waitFor();
  await page.getByRole("button", { name: "Use ada-lovelace-2" }).click();
  await expectFocus(handle);
  await name.fill("Ada King");
  expect(await handle.inputValue()).toBe("ada-lovelace-2");

  await page.getByLabel("Upload a photo").setInputFiles(await rotatedPhoto());
  await page.getByRole("button", { name: "Crop and Save" }).click();
  await page.locator('fieldset img[src^="/files/avatars/"]').waitFor();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Couldn’t save. Check your connection and try again.").waitFor();
  expect(await name.inputValue()).toBe("Ada King");
  await context.setOffline(false);
  // Enter continues, although other buttons come first.
  await name.press("Enter");
  await page.waitForURL("**/start/contact");
});
