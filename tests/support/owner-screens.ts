import type { Page } from "playwright-core";

import type { Cast } from "./cast.ts";
import { turnedPhoto } from "./pictures.ts";
import type { Screen } from "./screens.ts";

export function editorScreens({ people }: Cast): Screen[] {
  return [
    { name: "the editor of a new profile", as: "fresh", path: "/profile" },
    { name: "the editor of a full profile", as: "full", path: "/profile" },
    { name: "the editor from right to left", as: "rtl", path: "/profile" },
    { name: "a link being added", as: "fresh", path: "/profile", lead: press("Add Link") },
    { name: "a profile refused", as: "fresh", path: "/profile", lead: refuseProfile },
    { name: "cropping an avatar", as: "fresh", path: "/profile", lead: cropAvatar },
    { name: "the Advanced section", as: "fresh", path: "/profile", lead: openAdvanced },
    { name: "leaving unsaved changes", as: "fresh", path: "/profile", lead: leaveUnsaved },
    {
      name: "removing a link",
      as: "full",
      path: "/profile",
      lead: (page) => page.getByRole("button", { name: "Remove Band 0" }).click(),
    },
    {
      name: "deleting a card",
      as: "full",
      path: "/profile",
      lead: async (page) => {
        await openCardMenu(page);
        await page.getByRole("menuitem", { name: /^Delete/ }).click();
      },
    },
    { name: "the menu of a card", as: "full", path: "/profile", lead: openCardMenu },
    { name: "drawing an avatar", as: "fresh", path: "/profile", lead: drawAvatar },
    { name: "a new card", as: "fresh", path: "/cards/edit" },
    { name: "a card refused", as: "fresh", path: "/cards/edit", lead: refuseCard },
    { name: "a full card in its editor", as: "full", path: `/cards/edit/${people.full.card}` },
    { name: "a card in its editor from right to left", as: "rtl", path: `/cards/edit/${people.rtl.card}` },
  ];
}

/** Where an owner hands over their profile and cards. */
export function shareScreens({ people }: Cast): Screen[] {
  return [
    { name: "sharing a card", as: "full", path: `/share/card/${people.full.card}` },
    { name: "sharing a card from right to left", as: "rtl", path: `/share/card/${people.rtl.card}` },
    { name: "sharing a new profile", as: "fresh", path: "/share/profile" },
  ];
}

async function openCardMenu(page: Page) {
  await page.getByRole("button", { name: /^More/ }).first().click();
  await page.getByRole("menuitem", { name: /^Delete/ }).waitFor();
}

async function refuseProfile(page: Page) {
  await page.getByLabel("Handle").fill("no such handle!");
  await page.getByRole("button", { name: "Add link" }).click();
  await page.getByLabel("URL").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save & Close" }).click();
  await page.getByText("Not saved yet").waitFor();
}

async function cropAvatar(page: Page) {
  await page.getByLabel("Choose a file").setInputFiles(await turnedPhoto());
  await page.getByRole("slider", { name: "Size" }).waitFor();
}

async function drawAvatar(page: Page) {
  await press("Draw an avatar")(page);
  await page.getByRole("group", { name: "What to change" }).waitFor();
}

async function openAdvanced(page: Page) {
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByLabel("Choose a resume").waitFor();
}

async function leaveUnsaved(page: Page) {
  await page.getByLabel("Display name").fill("Somebody else");
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByRole("dialog").waitFor();
}

async function refuseCard(page: Page) {
  await page.getByLabel("Card Name").fill("");
  await page.getByLabel("Email", { exact: true }).fill("nobody");
  await page.getByLabel("Years of Experience").fill("101");
  await page.getByRole("button", { name: "Add Link" }).click();
  await page.getByLabel("URL").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Card name is required").waitFor();
}

function press(name: string) {
  return (page: Page) => page.getByRole("button", { name, exact: true }).click();
}
