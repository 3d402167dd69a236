import type { Page } from "playwright-core";

import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { both, fillIn, press, screensOf, unfold } from "#tests/support/screens/visit.ts";
import type { Screen } from "#tests/support/screens/visit.ts";
import { kioskScreens } from "./kiosk-screens.ts";
import { webhookScreens } from "./webhook-screens.ts";

export const leadGroups = { "the inbox": leadScreens, kiosks: kioskScreens, webhooks: webhookScreens };

/** The inbox of leads, its settings, and the forms with which owners add leads. */
function leadScreens({ people }: ScreenAccounts): Screen[] {
  const lead = (index: number) => `/leads/lead-${index}-${people.full.id}`;
  const toMerge = `/leads/merge?id=${lead(0).slice(7)}&id=${lead(5).slice(7)}`;
  const notices = "/leads/notifications";
  const devices = "/leads/devices";
  const refuseLead = press("Save lead", "Enter a name or a company.");
  const refuseScannedLead = both(readCard, press("Save lead", "Check this box if they agreed."));
  return [
    ...screensOf("fresh", [
      ["an inbox without leads", "/leads"],
      ["a lead to add without a card", "/leads/new"],
    ]),
    ...screensOf("full", [
      ["the inbox", "/leads"],
      ["selected leads", "/leads", (page) => page.getByRole("checkbox", { name: "Select all" }).check()],
      ["a search with filters", "/leads?q=grace&status=new&tag=Fair"],
      ["the filters", "/leads?status=new", unfold("Filter (1)")],
      ["a search that finds no lead", "/leads?q=no%20one"],
      ["suspected spam", "/leads?view=spam"],
      ["lead notifications", notices],
      ["an address to forward leads to, refused", notices, refuseForward],
      ["a chat, refused", notices, refuseChat],
      ["a new calendar address", notices, createCalendar],
      ["a device that shows leads, refused", devices, press("Create password", "Enter a name for the device.")],
      ["a new device password", devices, createDevicePassword],
      ["devices that show leads", devices],
      ["a lead", lead(0)],
      ["a lead to edit", `${lead(0)}/edit`],
      ["a reply to a lead", `${lead(0)}/reply`],
      ["a merged lead", lead(6)],
      ["merging leads", toMerge],
      ["merging leads that changed", "/leads/merge"],
      ["a lead with long texts", lead(1)],
      ["a lead that withdrew", lead(3)],
      ["a lead in quarantine", lead(4)],
      ["a lead to add", "/leads/new"],
      ["a lead to add, refused", "/leads/new", refuseLead],
      ["the card scanner", "/leads/scan"],
      ["an image that can't be read", "/leads/scan", refuseImage],
      ["a card that was read", "/leads/scan", readCard],
      ["a scanned lead, refused", "/leads/scan", refuseScannedLead],
      ["notes refused", lead(2), refuseNotes],
    ]),
    ...screensOf("premium", [
      ["lead notifications in use", notices],
      ["a test message that was refused", notices, press("Send a test message", /^Test message$/)],
    ]),
    ...screensOf("unconfirmed", [["lead notifications to an unconfirmed address", notices]]),
  ];
}

const createDevicePassword = fillIn(
  { "Name of the device": "Phone" },
  "Create password",
  "Set up the device now. The password isn’t shown again.",
);
const refuseForward = fillIn({ "Email address": "grace.example.com" }, "Add address", "Enter a valid email address");
const refuseChat = fillIn(
  { "Address of the incoming webhook": "http://hooks.slack.com/services/x" },
  "Add chat",
  "The address must start with https://.",
);
const refuseNotes = fillIn(
  { Tags: "a tag that is much longer than thirty characters" },
  "Save",
  "Use at most 30 characters for a tag.",
);

async function createCalendar(page: Page) {
  await page.getByRole("button", { name: /^(Create an|Replace the) address$/ }).click();
  await page.getByLabel("Secret address").waitFor();
}

async function refuseImage(page: Page) {
  const file = { name: "card.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
  await page.locator("input[type=file]:not([capture])").setInputFiles(file);
  await page.getByText("This isn’t a picture").waitFor();
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
  await page.getByText("The card was read.").waitFor();
}
