import type { Page } from "playwright-core";

import type { ScreenAccounts } from "./accounts.ts";
import type { Screen } from "./visit.ts";
import { webhookScreens } from "./webhook-screens.ts";

export const leadGroups = { "the inbox": leadScreens, webhooks: webhookScreens };

/** The inbox of leads, and what visitors see of theirs. */
function leadScreens({
  people,
  kioskPath,
  mailPath,
  weeklyMailPath,
  sharedPaths: [shared = "", withdrawn = ""],
}: ScreenAccounts): Screen[] {
  const lead = (index: number) => `/leads/lead-${index}-${people.full.id}`;
  return [
    { name: "an inbox without leads", as: "fresh", path: "/leads" },
    { name: "the inbox", as: "full", path: "/leads" },
    { name: "selected leads", as: "full", path: "/leads", prepare: selectLeads },
    { name: "a search with filters", as: "full", path: "/leads?q=grace&status=new&tag=Fair" },
    { name: "the filters", as: "full", path: "/leads?status=new", prepare: openFilters },
    { name: "a search that finds no lead", as: "full", path: "/leads?q=no%20one" },
    { name: "suspected spam", as: "full", path: "/leads?view=spam" },
    { name: "lead notifications", as: "full", path: "/leads/notifications" },
    {
      name: "an address to forward leads to, refused",
      as: "full",
      path: "/leads/notifications",
      prepare: refuseForward,
    },
    { name: "a chat, refused", as: "full", path: "/leads/notifications", prepare: refuseChat },
    { name: "a new calendar address", as: "full", path: "/leads/notifications", prepare: createCalendar },
    { name: "a lead", as: "full", path: lead(0) },
    { name: "a merged lead", as: "full", path: lead(6) },
    { name: "merging leads", as: "full", path: `/leads/merge?id=${lead(0).slice(7)}&id=${lead(5).slice(7)}` },
    { name: "merging leads that changed", as: "full", path: "/leads/merge" },
    { name: "a lead with long texts", as: "full", path: lead(1) },
    { name: "a lead that withdrew", as: "full", path: lead(3) },
    { name: "a lead in quarantine", as: "full", path: lead(4) },
    { name: "a lead to add", as: "full", path: "/leads/new" },
    { name: "a lead to add without a card", as: "fresh", path: "/leads/new" },
    { name: "a lead to add, refused", as: "full", path: "/leads/new", prepare: refuseLead },
    { name: "kiosk links", as: "premium", path: `/cards/${people.premium.card}/kiosk` },
    { name: "kiosk links of a card without the form", as: "full", path: `/cards/${people.full.card}/kiosk` },
    {
      name: "a new kiosk link",
      as: "premium",
      path: `/cards/${people.premium.card}/kiosk`,
      prepare: createKioskLink,
    },
    {
      name: "a kiosk link without a name, refused",
      as: "premium",
      path: `/cards/${people.premium.card}/kiosk`,
      prepare: refuseKioskLink,
    },
    { name: "a kiosk", as: "visitor", path: kioskPath },
    { name: "a kiosk where someone is signed in", as: "premium", path: kioskPath },
    { name: "a kiosk form, refused", as: "visitor", path: kioskPath, prepare: refuseKioskForm },
    { name: "the thanks of a kiosk", as: "visitor", path: `${kioskPath}?sent` },
    { name: "a removed kiosk link", as: "visitor", path: "/kiosk/removed" },
    { name: "the link in a mail about a lead", as: "visitor", path: mailPath },
    { name: "the link in a weekly mail", as: "visitor", path: weeklyMailPath },
    { name: "the card scanner", as: "full", path: "/leads/scan" },
    { name: "a picture that can't be read", as: "full", path: "/leads/scan", prepare: refusePicture },
    { name: "shared details", as: "visitor", path: shared },
    { name: "shared details after withdrawing", as: "visitor", path: withdrawn },
    { name: "notes refused", as: "full", path: lead(2), prepare: refuseNotes },
  ];
}

async function selectLeads(page: Page) {
  await page.getByRole("checkbox", { name: "Select all" }).check();
}

async function refuseForward(page: Page) {
  await page.getByLabel("Email address").fill("grace.example.com");
  await page.getByRole("button", { name: "Add address" }).click();
  await page.getByText("Enter a valid email address").waitFor();
}

async function refuseChat(page: Page) {
  await page.getByLabel("Address of the incoming webhook").fill("http://hooks.slack.com/services/x");
  await page.getByRole("button", { name: "Add chat" }).click();
  await page.getByText("The address must start with https://.").waitFor();
}

async function createCalendar(page: Page) {
  await page.getByRole("button", { name: /^(Create an|Replace the) address$/ }).click();
  await page.getByLabel("Secret address").waitFor();
}

async function openFilters(page: Page) {
  await page.locator("summary", { hasText: "Filters" }).click();
}

async function refuseNotes(page: Page) {
  await page.getByLabel("Tags").fill("a tag that is much longer than thirty characters");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Use at most 30 characters for a tag.").waitFor();
}

async function createKioskLink(page: Page) {
  await page.getByRole("button", { name: "Create kiosk link" }).click();
  await page.getByLabel("Kiosk link", { exact: true }).waitFor();
}

async function refuseKioskLink(page: Page) {
  await page.getByLabel("Name of the device").fill("");
  await page.getByRole("button", { name: "Create kiosk link" }).click();
  await page.getByText("Enter a name for the device.").waitFor();
}

async function refuseKioskForm(page: Page) {
  await page.getByRole("button", { name: "Share your contact" }).click();
  await page.getByText("Tick this box").waitFor();
}

async function refuseLead(page: Page) {
  await page.getByRole("button", { name: "Save lead" }).click();
  await page.getByText("Enter a name or a company.").waitFor();
}

async function refusePicture(page: Page) {
  const file = { name: "card.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
  await page.locator("input[type=file]:not([capture])").setInputFiles(file);
  await page.getByText("This isn't a picture").waitFor();
}
