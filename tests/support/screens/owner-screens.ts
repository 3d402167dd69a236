import type { Page } from "playwright-core";

import { rotatedPhoto } from "#tests/support/fixtures/images.ts";

import type { ScreenAccounts } from "./accounts.ts";
import type { Screen } from "./visit.ts";

export function editorScreens({ people }: ScreenAccounts): Screen[] {
  return [
    { name: "the editor of a new profile", as: "fresh", path: "/profile" },
    { name: "the editor of a full profile", as: "full", path: "/profile" },
    { name: "the editor from right to left", as: "rtl", path: "/profile" },
    { name: "a link being added", as: "fresh", path: "/profile", prepare: clickButton("Add Link") },
    { name: "a heading being added", as: "full", path: "/profile", prepare: clickButton("Add Heading") },
    { name: "the network of a user name", as: "fresh", path: "/profile", prepare: typeUserName },
    { name: "a profile refused", as: "fresh", path: "/profile", prepare: refuseProfile },
    { name: "cropping an avatar", as: "fresh", path: "/profile", prepare: cropAvatar },
    { name: "the Advanced section", as: "fresh", path: "/profile", prepare: openAdvanced },
    { name: "leaving unsaved changes", as: "fresh", path: "/profile", prepare: leaveUnsaved },
    {
      name: "removing a link",
      as: "full",
      path: "/profile",
      prepare: (page) => page.getByRole("button", { name: "Remove Band 0" }).click(),
    },
    {
      name: "deleting a card",
      as: "full",
      path: "/profile",
      prepare: async (page) => {
        await openCardMenu(page);
        await page.getByRole("menuitem", { name: /^Delete/ }).click();
      },
    },
    { name: "the menu of a card", as: "full", path: "/profile", prepare: openCardMenu },
    { name: "drawing an avatar", as: "fresh", path: "/profile", prepare: drawAvatar },
    { name: "a new card", as: "fresh", path: "/cards/edit" },
    { name: "a card's preview", as: "full", path: `/cards/edit/${people.full.card}`, prepare: showPreview },
    { name: "a card changed in two tabs", as: "full", path: `/cards/edit/${people.full.card}`, prepare: askAboutCard },
    { name: "a card refused", as: "fresh", path: "/cards/edit", prepare: refuseCard },
    { name: "a full card in its editor", as: "full", path: `/cards/edit/${people.full.card}` },
    { name: "a card in its editor from right to left", as: "rtl", path: `/cards/edit/${people.rtl.card}` },
    { name: "the design of a pass", as: "full", path: `/cards/${people.full.card}/pass`, prepare: chooseBackground },
    { name: "the form of a card", as: "premium", path: `/cards/${people.premium.card}/leads` },
    { name: "a pass from right to left", as: "rtl", path: `/cards/${people.rtl.card}/pass`, prepare: showPreview },
    {
      name: "choosing a background",
      as: "premium",
      path: `/cards/${people.premium.card}/pass`,
      prepare: openBackgrounds,
    },
    {
      name: "cropping a background",
      as: "premium",
      path: `/cards/${people.premium.card}/pass`,
      prepare: cropBackground,
    },
    { name: "a custom color in the card editor", as: "premium", path: `/cards/edit/${people.premium.card}` },
  ];
}

/** Where an owner shares their profile and cards, and sees what became of it. */
export function shareScreens({ people }: ScreenAccounts): Screen[] {
  return [
    { name: "sharing a card", as: "full", path: `/share/card/${people.full.card}` },
    { name: "sharing a card with a form", as: "premium", path: `/share/card/${people.premium.card}` },
    { name: "sharing a card from right to left", as: "rtl", path: `/share/card/${people.rtl.card}` },
    { name: "My QR", as: "full", path: "/my-qr" },
    { name: "the analytics of Free", as: "full", path: "/analytics" },
    { name: "analytics", as: "premium", path: "/analytics?range=90" },
    { name: "analytics of one card", as: "premium", path: `/analytics?range=90&card=${people.premium.card}` },
    {
      name: "analytics of two filters",
      as: "premium",
      path: `/analytics?range=90&card=${people.premium.card}&source=qr`,
    },
    { name: "a note on a day, refused", as: "premium", path: "/analytics?range=90", prepare: refuseNote },
    { name: "analytics without a match", as: "premium", path: "/analytics?link=none" },
    {
      name: "impossible dates in analytics",
      as: "premium",
      path: "/analytics?range=own&from=2026-02-01&to=2026-01-01",
    },
    { name: "My QR from right to left", as: "rtl", path: "/my-qr" },
    { name: "My QR, signed out", as: "visitor", path: "/my-qr" },
    { name: "sharing a new profile", as: "fresh", path: "/share/profile" },
    {
      name: "settings of a contact form that were refused",
      as: "premium",
      path: `/cards/${people.premium.card}/leads`,
      prepare: async (page) => {
        await page.getByLabel("Booking link").fill("not a link");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText("Not saved").waitFor();
      },
    },
  ];
}

async function refuseNote(page: Page) {
  await page.getByText("Add a note", { exact: true }).click();
  await page
    .getByLabel("Note", { exact: true })
    .fill("A note that says more than a note on a day may say, which is a line of eighty characters");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("alert").waitFor();
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
  await page.getByText("Not saved").waitFor();
}

async function typeUserName(page: Page) {
  await clickButton("Add Link")(page);
  await page.keyboard.type("@ada");
  await page.keyboard.press("Tab");
  await page.getByRole("group", { name: "Network for ada" }).waitFor();
}

async function cropAvatar(page: Page) {
  await page.getByLabel("Choose a file").setInputFiles(await rotatedPhoto());
  await page.getByRole("slider", { name: "Size" }).waitFor();
}

async function drawAvatar(page: Page) {
  await clickButton("Create an avatar")(page);
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

async function openBackgrounds(page: Page) {
  await clickButton("Change Background")(page);
  await page.getByRole("dialog").getByRole("button", { name: "Stripes" }).waitFor();
}

async function cropBackground(page: Page) {
  await openBackgrounds(page);
  await page.getByText("Upload Custom").click();
  await page.getByLabel("Choose a file").setInputFiles(await rotatedPhoto());
  await page.getByRole("button", { name: "Crop and Save" }).waitFor();
}

async function chooseBackground(page: Page) {
  await openBackgrounds(page);
  await page.getByRole("dialog").getByRole("button", { name: "Waves" }).click();
  await page.getByText("You have unsaved changes.").waitFor();
}

/** On a wide screen it is always there. */
async function showPreview(page: Page) {
  const tab = page.getByRole("tab", { name: "Preview" });
  if (await tab.isVisible()) await tab.click();
}

/** As if another tab had saved another company: the form says that it was opened with something else. */
async function askAboutCard(page: Page) {
  await page.getByLabel("Company").fill("Changed here");
  await page.locator("input[name=base]").evaluate((input: HTMLInputElement) => {
    input.value = JSON.stringify({ ...JSON.parse(input.value), company: "Opened with this" });
  });
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Saved elsewhere").waitFor();
}

async function refuseCard(page: Page) {
  await page.getByLabel("Card name").fill("");
  await page.getByLabel("Email", { exact: true }).fill("nobody");
  await page.locator("summary", { hasText: "Professional Information" }).click();
  await page.getByLabel("Years of experience").fill("101");
  await page.getByRole("button", { name: "Add Link" }).click();
  await page.getByLabel("URL").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Card name is required").waitFor();
}

function clickButton(name: string) {
  return (page: Page) => page.getByRole("button", { name, exact: true }).click();
}

/** The three steps of a new user. */
export function startScreens(): Screen[] {
  return [
    { name: "the first step", as: "fresh", path: "/start/name" },
    { name: "the first step refused", as: "fresh", path: "/start/name", prepare: refuseName },
    { name: "the second step", as: "fresh", path: "/start/contact" },
    { name: "the second step refused", as: "fresh", path: "/start/contact", prepare: refuseContact },
    { name: "the third step", as: "started", path: "/start/live" },
  ];
}

async function refuseName(page: Page) {
  await page.getByLabel("Handle").fill("admin");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Enter your name.").waitFor();
}

async function refuseContact(page: Page) {
  await page.getByLabel("Email").fill("nobody");
  await page.getByRole("textbox", { name: "Link" }).fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Invalid URL").waitFor();
}

/** The account pages of a signed-in user. */
export function ownAccountScreens(): Screen[] {
  return [
    { name: "the account", as: "full", path: "/account" },
    { name: "changing the email", as: "fresh", path: "/account", prepare: openFold("Change email") },
    { name: "a new email refused", as: "fresh", path: "/account", prepare: refuseEmail },
    { name: "changing the password", as: "fresh", path: "/account", prepare: openFold("Change password") },
    { name: "a new password refused", as: "fresh", path: "/account", prepare: refusePassword },
    { name: "the connected accounts", as: "fresh", path: "/account/connections" },
    { name: "a subscription checked", as: "fresh", path: "/account", prepare: refreshSubscription },
    { name: "exporting the data", as: "fresh", path: "/account/export" },
    { name: "data being prepared", as: "started", path: "/account/export" },
    { name: "data that is ready", as: "premium", path: "/account/export" },
    { name: "data that couldn't be prepared", as: "unlucky", path: "/account/export" },
    { name: "deleting the account", as: "fresh", path: "/account/delete" },
    { name: "why the account is deleted", as: "fresh", path: "/account/delete", prepare: goToDeletionStep(1) },
    {
      name: "the last word before the account is deleted",
      as: "fresh",
      path: "/account/delete",
      prepare: goToDeletionStep(2),
    },
    { name: "the account on Premium", as: "premium", path: "/account" },
    { name: "older invoices", as: "premium", path: "/account?invoices=2" },
    { name: "invoices that can't be shown", as: "unlucky", path: "/account" },
    { name: "the account of an address that is not confirmed", as: "unconfirmed", path: "/account" },
    { name: "deleting an account on Premium", as: "premium", path: "/account/delete" },
    { name: "a payment that did not arrive", as: "fresh", path: "/success" },
    { name: "a payment that arrived", as: "premium", path: "/success" },
    { name: "the plans on Premium", as: "premium", path: "/pricing" },
    { name: "a toast of a member", as: "fresh", path: "/account", isAlone: true, prepare: openUnknownCard },
  ];
}

function openFold(title: string) {
  return (page: Page) => page.locator("summary", { hasText: title }).click();
}

async function refuseEmail(page: Page) {
  await openFold("Change email")(page);
  await page.getByLabel("New email").fill("fresh at example.com");
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText("Enter your current password.").waitFor();
}

async function refusePassword(page: Page) {
  await openFold("Change password")(page);
  await page.getByLabel("Current password").last().fill("not the password");
  for (const label of ["New password", "Confirm password"]) await page.getByLabel(label).fill("tea for two");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("This isn't your current password.").waitFor();
}

async function refreshSubscription(page: Page) {
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Checked just now.").waitFor();
}

/** An unknown card redirects to the profile with a toast. */
async function openUnknownCard(page: Page) {
  await page.goto("/share/card/none", { waitUntil: "commit" });
  await keepToastOpen(page);
}

/** A toast stays while it has the focus. */
export async function keepToastOpen(page: Page) {
  await page.locator("dialog.ui-toast").getByRole("button", { name: "Dismiss" }).focus();
}

/** Goes through this many steps of deleting an account, without the last button. */
function goToDeletionStep(steps: number) {
  return async (page: Page) => {
    for (const [index, name] of ["Continue", "Submit & Continue"].slice(0, steps).entries()) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByText(`Step ${index + 2} of 3`).waitFor();
    }
  };
}
