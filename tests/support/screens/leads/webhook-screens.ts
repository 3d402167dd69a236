import type { Page } from "playwright-core";

import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { Screen } from "#tests/support/screens/visit.ts";

/** Where an owner's events are sent, and what became of them. */
export function webhookScreens({ people: { full } }: ScreenAccounts): Screen[] {
  const hook = (index: number) => `/webhooks/hook-${index}-${full.id}`;
  const message = (index: number) => `${hook(0)}/log/msg_${index}_${full.id}`;
  return [
    { name: "no webhooks", as: "fresh", path: "/webhooks" },
    { name: "webhooks", as: "full", path: "/webhooks" },
    { name: "a new webhook", as: "fresh", path: "/webhooks/new" },
    { name: "a new webhook, refused", as: "fresh", path: "/webhooks/new", prepare: refuseWebhook },
    { name: "a webhook too many", as: "full", path: "/webhooks/new" },
    { name: "a webhook with a long log", as: "full", path: hook(0) },
    { name: "what failed of a webhook", as: "full", path: `${hook(0)}?state=failed` },
    { name: "a webhook to delete", as: "full", path: hook(0), prepare: openDeletion },
    { name: "a webhook that fails", as: "full", path: hook(1) },
    { name: "a webhook whose server is gone", as: "full", path: hook(2) },
    { name: "a webhook that failed for days", as: "full", path: hook(3) },
    { name: "a webhook that its owner switched off", as: "full", path: hook(4) },
    { name: "a webhook to edit", as: "full", path: `${hook(0)}/edit` },
    { name: "the secret of a webhook", as: "full", path: `${hook(0)}/secret` },
    { name: "the secret of a webhook, shown", as: "full", path: `${hook(0)}/secret`, prepare: showSecret },
    { name: "a message that failed", as: "full", path: message(0), prepare: openHeaders },
    { name: "a message that was delivered", as: "full", path: message(1) },
    { name: "a message about a lead that is gone", as: "full", path: message(2) },
    { name: "a message that waits", as: "full", path: message(3) },
  ];
}

async function refuseWebhook(page: Page) {
  await page.getByLabel("Address").fill("http://hooks.example.com/");
  await page.getByLabel("A visitor shares their contact").uncheck();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByText("The address must start with https://.").waitFor();
}

async function openDeletion(page: Page) {
  await page.locator("summary", { hasText: "Delete webhook" }).click();
}

async function showSecret(page: Page) {
  await page.getByRole("button", { name: "Show secret" }).click();
  await page.getByRole("button", { name: "Copy secret" }).waitFor();
}

async function openHeaders(page: Page) {
  await page.locator("summary", { hasText: "Request headers" }).first().click();
}
