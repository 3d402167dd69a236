import { expect, test } from "vitest";

import { desktop, openOwnSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { expireProofs } from "#tests/support/program/database.ts";

const site = openOwnSite();
const address = "https://hooks.slack.com/services/T000/B000/secret-part";

test.each([
  { name: "with script", hasScript: true, device: desktop, email: "ada@example.com" },
  { name: "without script", hasScript: false, device: phone, email: "grace@example.com" },
])("$name, a chat comes back from the proof as it was typed, and no URL has its address", async (options) => {
  const { hasScript, device, email } = options;
  const { page, context } = await site.open({ ...device, javaScriptEnabled: hasScript });
  await signUp(context, site.program, email);
  expireProofs(site.program);
  const urls: string[] = [];
  page.on("request", (request) => void urls.push(request.url()));
  await page.goto("/leads/notifications");
  if (hasScript) await waitForHydration(page);
  const chat = page.locator("#chat");
  await chat.getByLabel("Address of the incoming webhook").fill(address);
  await chat.getByText("Once a day").click();
  await chat.getByLabel("At", { exact: true }).selectOption("17");
  await chat.getByRole("button", { name: "Add chat" }).click();
  await page.getByRole("heading", { name: "Confirm it's you" }).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(seededPassword);
  await page.getByRole("button", { name: "Continue" }).click();
  await chat.getByText("Confirmed. Press “Add chat” to finish.").waitFor();
  expect(new URL(page.url()).hash).toBe("#chat");
  expect(await chat.getByLabel("Address of the incoming webhook").inputValue()).toBe(address);
  expect(await chat.getByLabel("Once a day").isChecked()).toBe(true);
  expect(await chat.getByLabel("At", { exact: true }).inputValue()).toBe("17");
  if (hasScript) await waitForHydration(page);
  await chat.getByRole("button", { name: "Add chat" }).click();
  await chat.getByText("hooks.slack.com/…part").waitFor();
  expect(await chat.getByText("Confirmed.").count()).toBe(0);
  expect(await chat.getByLabel("Another address").inputValue()).toBe("");
  expect(urls.filter((url) => url.includes("secret-part"))).toEqual([]);
});
