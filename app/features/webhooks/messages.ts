import { formatNumber } from "#app/services/base/format.ts";

import { maxEndpoints, maxUrlLength, maxWaiting } from "./rules.ts";
import type { AttemptResult, WebhookKind } from "./rules.ts";

/** What owners read about webhooks. */
export const webhookMessages = {
  kinds: {
    "lead.created": "A visitor shares their contact",
    "consent.withdrawn": "A visitor withdraws consent",
    "card.saved": "You change a card",
    "contact.saved": "Visitors save your contact",
    "plan.changed": "Your plan changes",
  } satisfies Record<WebhookKind, string>,
  kindHints: {
    "lead.created": "With all details and the proof of consent.",
    "consent.withdrawn":
      "Also when they erase their details or want no more news. With the lead’s ID, so that your server can delete its copy.",
    "card.saved": "",
    "contact.saved": "How many and on which card, at most once a minute for each. Nothing about the visitors.",
    "plan.changed": "",
  } satisfies Record<WebhookKind, string>,
  urlRequired: "Enter the address of your server.",
  urlInvalid: "Enter a full address, such as https://example.com/webhooks.",
  urlInsecure: "The address must start with https://.",
  urlPort: "Use an address without a port. Messages go to port 443.",
  urlUser: "Leave out the user name and password. Check the signature instead.",
  urlPrivate: "This address isn’t on the internet.",
  urlTooLong: `Use at most ${maxUrlLength} characters.`,
  kindsRequired: "Choose at least one event.",
  full: `You can have at most ${maxEndpoints} webhooks. Delete one first.`,
  paused: (unanswered: number, waiting: number) =>
    `${formatNumber(unanswered)} attempts in a row got no answer, so messages are now sent one at a time, with longer and longer pauses. ${formatNumber(waiting)} ${waiting === 1 ? "message is" : "messages are"} waiting.`,
  leftOut: (count: number, last: string) =>
    `${formatNumber(count)} ${count === 1 ? "message was" : "messages were"} left out, the last one on ${last}`,
  leftOutHint: `${formatNumber(maxWaiting)} messages were already waiting for this server, which is the limit. Those left out aren’t sent later. New messages are accepted again once fewer are waiting. Your leads are all in your account.`,
  moreFailed: (left: number) =>
    `${formatNumber(left)} more failed. At most ${formatNumber(maxWaiting)} can wait: send them again when these have arrived.`,
  problems: {
    "refused-address": "Not sent: the host is not on the internet",
    dns: "The host wasn’t found",
    tls: "The certificate isn’t valid, or there was no secure connection",
    timeout: "No complete answer within 15 seconds",
    connection: "The connection was refused or cut off",
    "invalid-answer": "The answer wasn’t HTTP",
    unreadable: "Not sent: the address or the signing secret can’t be read anymore",
  } satisfies Record<Extract<AttemptResult, { problem: string }>["problem"], string>,
  unreadable: {
    title: "This webhook can’t send anymore",
    address:
      "Its address can’t be read anymore, because the installation’s secret has changed. Delete the webhook and add it again, or edit it and enter the address.",
    both: "Its address and signing secret can’t be read anymore, because the installation’s secret has changed. Delete the webhook and add it again, or edit it, enter the address and rotate the secret.",
    secret:
      "Its signing secret can’t be read anymore, because the installation’s secret has changed. Rotate it, and use the new one on your server.",
    host: "Address can’t be read",
    answer: "This answer can’t be read anymore, because the installation’s secret has changed.",
  },
} as const;

/** Why an endpoint can't send anymore, when its address or secret can't be read. */
export function unreadableText({
  url,
  hasSecret,
}: {
  url: string | undefined;
  hasSecret: boolean;
}): string | undefined {
  const texts = webhookMessages.unreadable;
  if (url === undefined) return hasSecret ? texts.address : texts.both;
  return hasSecret ? undefined : texts.secret;
}

/** The host of an address, as owners recognize it. */
export function hostLabel(url: string | undefined): string {
  return url === undefined ? webhookMessages.unreadable.host : new URL(url).host;
}

/** "200", "The host wasn't found". */
export function answerLabel({ status, problem }: { status: number | null; problem: string }): string {
  if (status !== null) return status >= 300 && status < 400 ? `${status} (redirects aren’t followed)` : String(status);
  const known: Readonly<Record<string, string>> = webhookMessages.problems;
  return known[problem] ?? problem;
}
