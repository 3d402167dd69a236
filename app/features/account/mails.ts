import type { AccountMail } from "#app/services/auth.server.ts";
import type { Mail } from "#app/services/mail.server.ts";

import { renderMail } from "./mail-html.ts";
import type { Letter } from "./mail-html.ts";

/** The words of a mail, as plain text and in our look. `baseUrl` is the site's origin. */
export function mailFor(message: AccountMail, baseUrl: string): Mail {
  const letter = write(message, baseUrl);
  return { to: message.to, subject: letter.subject, text: plain(letter), html: renderMail(letter, baseUrl) };
}

/** What somebody said who deleted their account, to whoever runs the site. Nothing in it says who it was. */
export function feedbackMail({ to, feedback, baseUrl }: { to: string; feedback: string; baseUrl: string }): Mail {
  const host = new URL(baseUrl).host;
  const text = `Somebody deleted their account at ${host} and left these words:\n\n${feedback}\n`;
  return { to, subject: `Somebody left ${host}`, text };
}

/** To whoever had the account: if somebody else deleted it, they hear of it at once. */
export function deletedMail({ to, baseUrl }: { to: string; baseUrl: string }): Mail {
  const host = new URL(baseUrl).host;
  const letter: Letter = {
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
  return { to, subject: letter.subject, text: plain(letter), html: renderMail(letter, baseUrl) };
}

function write(message: AccountMail, baseUrl: string): Letter {
  const host = new URL(baseUrl).host;
  switch (message.kind) {
    case "confirm":
      return {
        subject: "Confirm your email for Meishi",
        heading: "Confirm your email",
        paragraphs: [`Somebody, hopefully you, signed up at ${host} with this address. Confirm it and you are in.`],
        action: { label: "Confirm email", url: link(baseUrl, "/auth/confirm", message.token) },
        notes: [
          `The link works once, for ${hours(message.validHours)}.`,
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
        action: { label: "Confirm email", url: link(baseUrl, "/auth/confirm", message.token) },
        notes: [
          `The link works once, for ${hours(message.validHours)}.`,
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
        action: { label: "Set new password", url: link(baseUrl, "/reset-password", message.token) },
        notes: [
          `The link works once, for ${hours(message.validHours)}. A new password signs you out everywhere.`,
          "If it was not you, do nothing: your password stays as it is.",
        ],
      };
  }
}

function link(baseUrl: string, path: string, token: string) {
  return `${baseUrl}${path}?${new URLSearchParams({ token })}`;
}

function hours(count: number) {
  return count === 1 ? "one hour" : `${count} hours`;
}

function plain({ heading, paragraphs, action, notes }: Letter): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  return [heading, ...paragraphs, ...link, ...notes, "Meishi"].join("\n\n") + "\n";
}
