import { expect, test } from "vitest";

import { desktop, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { expireProofs } from "#tests/support/program/database.ts";

const site = openSite();
const address = "https://hooks.slack.com/services/T000/B000/secret-part";

test("a chat comes back from the proof as it was typed, and no URL has its address", async () => {
  const { page, context, requests } = await site.open(desktop);
  await signUp(context, site.program, "proof-of-recipients@example.com");
  expireProofs(site.program);
  await page.goto("/leads/notifications");
  await waitForHydration(page);
  const chat = page.locator("#chat");
  const field = chat.getByLabel("Address of the incoming webhook");
  await field.fill(address);
  await chat.getByText("Once a day").click();
  await chat.getByLabel("At", { exact: true }).selectOption("17");
  await chat.getByRole("button", { name: "Add chat" }).click();
  await page.getByRole("heading", { name: "Confirm it's you" }).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(seededPassword);
  await page.getByRole("button", { name: "Continue" }).click();
  await chat.getByText("Confirmed. Press “Add chat” to finish.").waitFor();
  expect(new URL(page.url()).hash).toBe("#chat");
  expect(await field.inputValue()).toBe(address);
  expect(await chat.getByLabel("Once a day").isChecked()).toBe(true);
  expect(await chat.getByLabel("At", { exact: true }).inputValue()).toBe("17");
  await waitForHydration(page);
  await chat.getByRole("button", { name: "Add chat" }).click();
  await chat.getByText("hooks.slack.com/…part").waitFor();
  expect(await chat.getByText("Confirmed.").count()).toBe(0);
  expect(await chat.getByLabel("Another address").inputValue()).toBe("");
  expect(requests.filter((url) => url.includes("secret-part"))).toEqual([]);
});
