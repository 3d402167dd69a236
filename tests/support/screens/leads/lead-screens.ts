import type { Page } from "playwright-core";

import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { Screen } from "#tests/support/screens/visit.ts";
import { kioskScreens } from "./kiosk-screens.ts";
import { webhookScreens } from "./webhook-screens.ts";

export const leadGroups = { "the inbox": leadScreens, kiosks: kioskScreens, webhooks: webhookScreens };

/** The inbox of leads, its settings, and the forms with which owners add leads. */
function leadScreens({ people }: ScreenAccounts): Screen[] {
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
    { name: "lead notifications in use", as: "premium", path: "/leads/notifications" },
    { name: "lead notifications to an unconfirmed address", as: "unconfirmed", path: "/leads/notifications" },
    { name: "a test message that was refused", as: "premium", path: "/leads/notifications", prepare: testChat },
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
    { name: "the card scanner", as: "full", path: "/leads/scan" },
    { name: "a picture that can't be read", as: "full", path: "/leads/scan", prepare: refusePicture },
    { name: "a card that was read", as: "full", path: "/leads/scan", prepare: readCard },
    { name: "a scanned lead, refused", as: "full", path: "/leads/scan", prepare: refuseScannedLead },
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

async function refuseLead(page: Page) {
  await page.getByRole("button", { name: "Save lead" }).click();
  await page.getByText("Enter a name or a company.").waitFor();
}

async function refusePicture(page: Page) {
  const file = { name: "card.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
  await page.locator("input[type=file]:not([capture])").setInputFiles(file);
  await page.getByText("This isn't a picture").waitFor();
}

async function testChat(page: Page) {
  await page.getByRole("button", { name: "Send a test message" }).click();
  await page.getByText("Test message", { exact: true }).waitFor();
}

/** A card as large as a photo of it, drawn in the page. */
async function readCard(page: Page) {
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1_400, 800];
    const context = canvas.getContext("2d");
    if (!context) throw new Error("There is no canvas");
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "black";
    const lines = [
      "Grace Hopper",
      "Rear Admiral",
      "Navy Computing Inc.",
      "grace.hopper@example.com",
      "+1 212 555 0100",
    ];
    for (const [index, line] of lines.entries()) {
      context.font = `${index === 0 ? 96 : 56}px sans-serif`;
      context.fillText(line, 100, 180 + index * 130);
    }
    return canvas.toDataURL("image/jpeg");
  });
  const file = { name: "card.jpg", mimeType: "image/jpeg", buffer: Buffer.from(url.split(",")[1] ?? "", "base64") };
  await page.locator("input[type=file]:not([capture])").setInputFiles(file);
  await page.getByText("The card was read.").waitFor({ timeout: 60_000 });
}

async function refuseScannedLead(page: Page) {
  await readCard(page);
  await page.getByRole("button", { name: "Save lead" }).click();
  await page.getByText("Check this box if they agreed.").waitFor();
}
