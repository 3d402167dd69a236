import type { Page } from "playwright-core";

import { rotatedPhoto } from "#tests/support/fixtures/images.ts";

import type { ScreenAccounts } from "./accounts.ts";
import { both, fillIn, press, screensOf, unfold } from "./visit.ts";
import type { Screen } from "./visit.ts";

export function editorScreens({ people }: ScreenAccounts): Screen[] {
  const edit = (name: "full" | "rtl" | "premium") => `/cards/edit/${people[name].card}`;
  const pass = (name: "full" | "rtl" | "premium") => `/cards/${people[name].card}/pass`;
  const deleteCard = async (page: Page) => {
    await openCardMenu(page);
    await page.getByRole("menuitem", { name: /^Delete/ }).click();
  };
  return [
    ...screensOf("fresh", [
      ["the editor of a new profile", "/profile"],
      ["a link being added", "/profile", press("Add Link")],
      ["the network of a user name", "/profile", typeUserName],
      ["a profile refused", "/profile", refuseProfile],
      ["cropping an avatar", "/profile", cropAvatar],
      ["the Advanced section", "/profile", unfold("Advanced")],
      ["leaving unsaved changes", "/profile", leaveUnsaved],
      ["drawing an avatar", "/profile", drawAvatar],
      ["a new card", "/cards/edit"],
      ["a card refused", "/cards/edit", refuseCard],
    ]),
    ...screensOf("full", [
      ["the editor of a full profile", "/profile"],
      ["a heading being added", "/profile", press("Add heading")],
      ["removing a link", "/profile", press("Remove Band 0")],
      ["deleting a card", "/profile", deleteCard],
      ["the menu of a card", "/profile", openCardMenu],
      ["a card's preview", edit("full"), showPreview],
      ["a card changed in two tabs", edit("full"), askAboutCard],
      ["a full card in its editor", edit("full")],
      ["the design of a pass", pass("full"), chooseBackground],
    ]),
    ...screensOf("rtl", [
      ["the editor from right to left", "/profile"],
      ["a card in its editor from right to left", edit("rtl")],
      ["a pass from right to left", pass("rtl"), showPreview],
    ]),
    ...screensOf("premium", [
      ["the form of a card", `/cards/${people.premium.card}/leads`],
      ["choosing a background", pass("premium"), openBackgrounds],
      ["cropping a background", pass("premium"), cropBackground],
      ["a custom color in the card editor", edit("premium")],
    ]),
  ];
}

/** Where an owner shares their profile and cards, and sees what became of it. */
export function shareScreens({ people: { full, premium, rtl } }: ScreenAccounts): Screen[] {
  const form = `/cards/${premium.card}/leads`;
  const refuseForm = fillIn({ "Booking link (optional)": "not a link" }, "Save", "Not saved");
  return [
    ...screensOf("full", [
      ["sharing a card", `/share/card/${full.card}`],
      ...sharePages.map((name): [string, string] => [`${name} of a card`, `/share/card/${full.card}/${name}`]),
      ["My QR", "/my-qr"],
      ["the analytics of Free", "/analytics"],
    ]),
    ...screensOf("premium", [
      ["sharing a card with a form", `/share/card/${premium.card}`],
      ["analytics", "/analytics?range=90"],
      ["analytics of two filters", `/analytics?range=90&card=${premium.card}&source=qr`],
      ["a note on a day, refused", "/analytics?range=90", refuseNote],
      ["analytics without a match", "/analytics?link=none"],
      ["impossible dates in analytics", "/analytics?range=own&from=2026-02-01&to=2026-01-01"],
      ["settings of a contact form, refused", form, refuseForm],
    ]),
    ...screensOf("rtl", [
      ["sharing a card from right to left", `/share/card/${rtl.card}`],
      ["My QR from right to left", "/my-qr"],
    ]),
    ...screensOf("visitor", [["My QR, signed out", "/my-qr"]]),
    ...screensOf("fresh", [["sharing a new profile", "/share/profile"]]),
  ];
}

/** The pages below the Share page of a card. */
const sharePages = ["signature", "print", "background", "nfc", "offline", "qr"];

async function refuseNote(page: Page) {
  await page.getByText("Add a note", { exact: true }).click();
  const note = "A note that says more than a note on a day may say, which is a line of eighty characters";
  await fillIn({ Note: note }, "Add note")(page);
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
  await press("Add Link")(page);
  await page.keyboard.type("@ada");
  await page.keyboard.press("Tab");
  await page.getByRole("group", { name: "Network for ada" }).waitFor();
}

async function cropAvatar(page: Page) {
  await page.getByLabel("Choose a file").setInputFiles(await rotatedPhoto());
  await page.getByRole("slider", { name: "Size" }).waitFor();
}

async function drawAvatar(page: Page) {
  await press("Create an avatar")(page);
  await page.getByRole("group", { name: "What to change" }).waitFor();
}

async function leaveUnsaved(page: Page) {
  await page.getByLabel("Display name").fill("Somebody else");
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByRole("dialog").waitFor();
}

async function openBackgrounds(page: Page) {
  await press("Change Background")(page);
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

/** The three steps of a new user. */
export function startScreens(): Screen[] {
  const refuseContact = async (page: Page) => {
    await page.getByLabel("Email").fill("nobody");
    await page.getByRole("textbox", { name: "Link" }).fill("javascript:alert(1)");
    await press("Continue", "Invalid URL")(page);
  };
  return [
    ...screensOf("fresh", [
      ["the first step", "/start/name"],
      ["the first step refused", "/start/name", fillIn({ Handle: "admin" }, "Continue", "Enter your name.")],
      ["the second step", "/start/contact"],
      ["the second step refused", "/start/contact", refuseContact],
    ]),
    ...screensOf("premium", [["a subscription checked", "/account", press("Refresh", "Checked just now.")]]),
    ...screensOf("started", [["the third step", "/start/live"]]),
  ];
}

/** The account pages of a signed-in user. */
export function ownAccountScreens(): Screen[] {
  const [changeEmail, changePassword] = [unfold("Change email"), unfold("Change password")];
  const newEmail = fillIn({ "New email": "fresh at example.com" }, "Send confirmation link");
  const waitForRefusal = (page: Page) => page.getByText("Enter your current password.").waitFor();
  const [toReasons, toEnd] = [press("Continue", "Step 2 of 3"), press("Submit & Continue", "Step 3 of 3")];
  return [
    ...screensOf("fresh", [
      ["changing the email", "/account", changeEmail],
      ["a new email refused", "/account", both(changeEmail, newEmail, waitForRefusal)],
      ["changing the password", "/account", changePassword],
      ["a new password refused", "/account", both(changePassword, refusePassword)],
      ["the connected accounts", "/account/connections"],
      ["no API keys", "/account/api-keys"],
      ["a new API key", "/account/api-keys/new"],
      ["a new API key, refused", "/account/api-keys/new", refuseKey],
      ["exporting the data", "/account/export"],
      ["deleting the account", "/account/delete"],
      ["why the account is deleted", "/account/delete", toReasons],
      ["the last word before the account is deleted", "/account/delete", both(toReasons, toEnd)],
      ["a payment that did not arrive", "/success"],
    ]),
    ...screensOf("full", [
      ["the account", "/account"],
      ["API keys, one to revoke", "/account/api-keys", unfold("Revoke")],
      [
        "an API key that is shown",
        "/account/api-keys/new",
        fillIn({ Name: "w".repeat(60) }, "Create API key", "Copy the key"),
      ],
    ]),
    ...screensOf("started", [["data being prepared", "/account/export"]]),
    ...screensOf("premium", [
      ["data that is ready", "/account/export"],
      ["the account on Premium", "/account"],
      ["older invoices", "/account?invoices=2"],
      ["deleting an account on Premium", "/account/delete"],
      ["a payment that arrived", "/success"],
      ["the plans on Premium", "/pricing"],
    ]),
    ...screensOf("unlucky", [
      ["data that couldn't be prepared", "/account/export"],
      ["invoices that can't be shown", "/account"],
    ]),
    ...screensOf("unconfirmed", [["the account of an address that is not confirmed", "/account"]]),
    ...screensOf("fresh", [["a toast of a member", "/account", openUnknownCard]], { isAlone: true }),
  ];
}

async function refuseKey(page: Page) {
  await page.getByRole("radio", { name: "Choose" }).check();
  await press("Create API key", "Choose at least one permission.")(page);
}

async function refusePassword(page: Page) {
  await page.getByLabel("Current password").last().fill("not the password");
  for (const label of ["New password", "Confirm password"]) await page.getByLabel(label).fill("tea for two");
  await press("Change password", "This isn’t your current password.")(page);
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
