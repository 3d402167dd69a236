import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { formatHours, linkWithToken, renderMail } from "./mail-template.ts";
import type { MailContent } from "./mail-template.ts";
import { changeMailContent } from "./settings/change-mails.ts";

/** Renders a mail as plain text and as HTML. `baseUrl` is the site's origin. */
export function accountMail(message: AccountMail, baseUrl: string): Mail {
  const letter = contentOf(message, baseUrl);
  return { to: message.to, subject: letter.subject, text: plainText(letter), html: renderMail(letter, baseUrl) };
}

/** Anonymous feedback of a deleted account, for the operator. */
export function feedbackMail({ to, feedback, baseUrl }: { to: string; feedback: string; baseUrl: string }): Mail {
  const host = new URL(baseUrl).host;
  const text = `Somebody deleted their account at ${host} and left these words:\n\n${feedback}\n`;
  return { to, subject: `Somebody left ${host}`, text };
}

/** Tells the owner of a deleted account: if someone else deleted it, they learn about it at once. */
export function deletedMail({ to, baseUrl }: { to: string; baseUrl: string }): Mail {
  const host = new URL(baseUrl).host;
  const letter: MailContent = {
    subject: "Your account was deleted",
    heading: "Your account was deleted",
    paragraphs: [
      `The account at ${host} with this address was deleted just now, with its profile, its cards and its files.`,
      "This is the last mail about it.",
    ],
    notes: [
      "It can't be brought back. If it was not you, somebody knew your password or used a device where you were signed in: change that password wherever else you use it.",
    ],
  };
  return { to, subject: letter.subject, text: plainText(letter), html: renderMail(letter, baseUrl) };
}

function contentOf(message: AccountMail, baseUrl: string): MailContent {
  const host = new URL(baseUrl).host;
  switch (message.kind) {
    case "confirm":
      return {
        subject: "Confirm your email for Meishi",
        heading: "Confirm your email",
        paragraphs: [`Somebody, hopefully you, signed up at ${host} with this address. Confirm it and you are in.`],
        action: { label: "Confirm email", url: linkWithToken(baseUrl, "/auth/confirm", message.token) },
        notes: [
          `The link works once, for ${formatHours(message.validHours)}.`,
          "If it was not you, do nothing: nobody can use the account without this link.",
        ],
      };
    case "confirm-own":
      return {
        subject: "Confirm your email for Meishi",
        heading: "Confirm your email",
        paragraphs: [
          `An account at ${host} has this address, and nobody has confirmed it yet.`,
          "Open the link in a browser where you are signed in to that account.",
        ],
        action: { label: "Confirm email", url: linkWithToken(baseUrl, "/auth/confirm", message.token) },
        notes: [
          `The link works once, for ${formatHours(message.validHours)}.`,
          "If it is not your account, do nothing: the address stays unconfirmed.",
        ],
      };
    case "known-address":
      return {
        subject: "You already have a Meishi account",
        heading: "You already have an account",
        paragraphs: [
          `Somebody, hopefully you, tried to sign up at ${host} with this address. It has an account, so nothing was changed.`,
          `Log in with it. If the password is gone, set a new one: ${baseUrl}/forgot-password`,
        ],
        action: { label: "Log in", url: `${baseUrl}/auth` },
        notes: ["If it was not you, there is nothing to do."],
      };
    case "reset":
      return {
        subject: "Set a new password for Meishi",
        heading: "Set a new password",
        paragraphs: [`Somebody, hopefully you, asked for a new password at ${host}.`],
        action: { label: "Set new password", url: linkWithToken(baseUrl, "/reset-password", message.token) },
        notes: [
          `The link works once, for ${formatHours(message.validHours)}. A new password signs you out everywhere.`,
          "If it was not you, do nothing: your password stays as it is.",
        ],
      };
    default:
      return changeMailContent(message, baseUrl);
  }
}

function plainText({ heading, paragraphs, action, notes }: MailContent): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  return [heading, ...paragraphs, ...link, ...notes, "Meishi"].join("\n\n") + "\n";
}
