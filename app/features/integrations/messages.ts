import type { CopyState, IntegrationState } from "#app/services/database/webhook-schema.ts";

import { maxIntegrations } from "./rules.ts";

export const integrationMessages = {
  full: `You have ${maxIntegrations} integrations, which is the most possible. Delete one to add another.`,
  notSetUp: (name: string) =>
    `${name} isn’t set up on this server. Its operator can do that: docs/integrations.md says how.`,
  required: "Enter this.",
  tooLong: (max: number) => `Use at most ${max} characters.`,
  fieldNameInvalid: "Use letters, digits and _ only.",
  addressInvalid: "Enter an address such as https://example.com.",
  addressInsecure: "Use an address with https, so that no one can read your leads on their way.",
  addressPrivate: "This address isn’t on the internet.",
  states: {
    on: "On",
    paused: "Paused",
    refused: "Access refused",
  } satisfies Record<IntegrationState, string>,
  copies: {
    waiting: "Waiting",
    sent: "Sent",
    removed: "Deleted there",
    kept: "Taken off, it was there before",
    "left-out": "Not sent: no consent for it, or no email",
    "given-up": "Not sent",
  } satisfies Record<CopyState, string>,
};
