import type { Page } from "playwright-core";

import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { press, screensOf, unfold } from "#tests/support/screens/visit.ts";
import type { Screen } from "#tests/support/screens/visit.ts";

/** Where an owner's events are sent, and what became of them. */
export function webhookScreens({ people: { full } }: ScreenAccounts): Screen[] {
  const hook = (index: number) => `/webhooks/hook-${index}-${full.id}`;
  const message = (index: number) => `${hook(0)}/log/msg_${index}_${full.id}`;
  return [
    ...screensOf("fresh", [
      ["no integrations", "/integrations"],
      ["a new integration", "/integrations/new/listmonk"],
      ["a new integration, refused", "/integrations/new/listmonk", press("Connect", "Enter this.")],
      [
        "a new integration with all details",
        "/integrations/new/brevo",
        unfold("More details, and the fields they go to"),
      ],
      ["a new integration at Google", "/integrations/new/google"],
      ["a new integration that isn't set up", "/integrations/new/microsoft"],
      ["no webhooks", "/webhooks"],
      ["a new webhook", "/webhooks/new"],
      ["a new webhook, refused", "/webhooks/new", refuseWebhook],
    ]),
    ...screensOf("full", [
      ["integrations", "/integrations"],
      ["an integration with a log", `/integrations/carddav-${full.id}`, unfold("Disconnect Address book (CardDAV)")],
      ["an integration that needs a new key", `/integrations/mailchimp-${full.id}`],
      ["an integration whose consent ended", `/integrations/google-${full.id}`],
      ["an integration to connect again", `/integrations/google-${full.id}/edit`],
      ["an integration to edit", `/integrations/carddav-${full.id}/edit`],
      ["webhooks", "/webhooks"],
      ["a webhook too many", "/webhooks/new"],
      ["a webhook with a long log", hook(0)],
      ["what failed of a webhook", `${hook(0)}?state=failed`],
      ["a webhook to delete", hook(0), unfold("Delete webhook")],
      ["a webhook that is paused", hook(1)],
      ["a webhook whose server is gone", hook(2)],
      ["a webhook that its owner switched off", hook(4)],
      ["a webhook to edit", `${hook(0)}/edit`],
      ["the secret of a webhook", `${hook(0)}/secret`],
      ["the secret of a webhook, shown", `${hook(0)}/secret`, showSecret],
      ["a message that failed", message(0), unfold("Request headers")],
      ["a message that was delivered", message(1)],
      ["a message about a lead that is gone", message(2)],
      ["a message that waits", message(3)],
    ]),
  ];
}

async function refuseWebhook(page: Page) {
  await page.getByLabel("Address").fill("http://hooks.example.com/");
  await page.getByLabel("A visitor shares their contact").uncheck();
  await press("Add webhook", "The address must start with https://.")(page);
}

async function showSecret(page: Page) {
  await press("Show secret")(page);
  await page.getByRole("button", { name: "Copy secret" }).waitFor();
}
