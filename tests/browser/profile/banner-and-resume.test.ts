import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { waitForHydration, openSite, phone } from "#tests/support/browser/site.ts";
import { readLayoutShifts } from "#tests/support/browser/layout.ts";
import { grainyPhoto, resumePdf } from "#tests/support/fixtures/images.ts";
import { openEditor, confirmDialog } from "#tests/support/browser/editors.ts";

const site = openSite();

test("banner, avatar and resume are uploaded, shown to a phone within 60 and 15 kB without layout shift, and removed", async () => {
  const { page, id } = await openAdvanced();
  await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(2000, 800));
  await page.getByText("Banner uploaded successfully").waitFor();
  await page.getByRole("img", { name: "Your banner" }).waitFor();
  await page.frameLocator("iframe").locator(".banner img").waitFor();
  await page.getByLabel("Choose a file").setInputFiles(await grainyPhoto(1200, 1200));
  await page.getByRole("button", { name: "Crop and Save" }).click();
  await page.getByText("Avatar updated!").waitFor();

  const resume = page.getByLabel("Choose a resume");
  await resume.setInputFiles({ ...(await resumePdf("cv.txt")), mimeType: "text/plain" });
  await page.getByRole("alert").filter({ hasText: "Please upload a PDF or Word document" }).waitFor();
  const file = await resumePdf("Ada – Résumé.pdf");
  await resume.setInputFiles(file);
  await page.getByText("Resume uploaded successfully").waitFor();
  await page.getByText("Ada – Résumé.pdf").first().waitFor();
  await page.getByText("1 kB").or(page.getByText("2 kB")).waitFor();
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: "View resume" }).click();
  await page.getByText("Opening resume").waitFor();
  await (await opening).close();
  const own = await page.context().newPage();
  await own.goto(`${site.url}/u/${id}`);
  await own.getByText("Your resume").waitFor();
  await own.close();

  for (const deviceScaleFactor of [2, 3]) {
    const { page: visited } = await site.open({ ...phone, deviceScaleFactor });
    const bytes = new Map<string, number>();
    visited.on("response", async (response) => {
      const [, kind] = /\/files\/(\w+)\//.exec(response.url()) ?? [];
      if (kind) bytes.set(kind, (bytes.get(kind) ?? 0) + (await response.body()).length);
    });
    await visited.goto(`/u/${id}`);
    await expect.poll(() => [...bytes.keys()].toSorted()).toEqual(["avatars", "banners"]);
    expect(bytes.get("avatars")).toBeLessThanOrEqual(15_000);
    expect(bytes.get("banners")).toBeLessThanOrEqual(60_000);
    expect(await readLayoutShifts(visited)).toEqual([]);
  }

  const { page: visited } = await site.open(phone);
  await visited.goto(`/u/${id}`);
  const banner = visited.locator(".banner img");
  await expect.poll(() => banner.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await visited.getByText("Available for download").waitFor();
  const [download] = await Promise.all([
    visited.waitForEvent("download"),
    visited.getByText("Resume downloaded").waitFor(),
    visited.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Ada – Résumé.pdf");
  expect(await readFile(await download.path())).toEqual(file.buffer);

  for (const kind of ["banner", "resume"]) {
    await page.getByRole("button", { name: `Remove ${kind}` }).click();
    await confirmDialog(page, `Remove your ${kind}?`).getByRole("button", { name: "Remove" }).click();
    await page.getByText(kind === "banner" ? "Banner removed" : "Resume removed").waitFor();
  }
  await visited.reload();
  expect(await banner.count()).toBe(0);
  expect(await visited.getByText("Available for download").count()).toBe(0);
});

test("a banner or a part of the page that can't be loaded says so, and the part appears at the next try", async () => {
  const tab = await openAdvanced();
  const { page } = tab;
  await page.getByLabel("Bio").fill("Typed for an hour");
  await page.route("**/files/banners/**", (route) => route.fulfill({ status: 404 }));
  await page.getByLabel("Choose a banner").setInputFiles(await grainyPhoto(900, 300));
  await page.getByRole("alert").filter({ hasText: "Banner image failed to load" }).waitFor();

  await page.route("**/assets/crop-dialog*.js", (route) => route.abort());
  await page.getByLabel("Choose a file").setInputFiles(await grainyPhoto(300, 300));
  const notice = page.getByRole("alert").filter({ hasText: "Couldn’t load this part of the page" });
  await notice.waitFor();
  await page.unroute("**/assets/crop-dialog*.js");
  await notice.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("dialog", { name: "Crop your avatar" }).waitFor();
  expect(await page.getByLabel("Bio").inputValue()).toBe("Typed for an hour");
  tab.consoleErrors.length = 0; // the browser logs the script that didn't load
});

/** A new user's editor with the Advanced section open. */
async function openAdvanced() {
  const tab = await openEditor(site);
  await waitForHydration(tab.page);
  const href = await tab.page.getByRole("link", { name: "Back" }).getAttribute("href");
  await tab.page.getByText("Advanced", { exact: true }).click();
  await tab.page.getByLabel("Choose a banner").waitFor();
  return { ...tab, id: String(href).slice("/u/".length) };
}
