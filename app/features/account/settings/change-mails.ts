import { formatHours, linkWithToken } from "#app/services/mail/letter.ts";
import type { MailContent } from "#app/services/mail/letter.ts";
import type { AccountMail, RemovedSignInMethod } from "#app/services/auth/better-auth.server.ts";

import { walletMessages } from "./social/social-messages.ts";

type ChangeMail = Extract<
  AccountMail,
  {
    kind:
      | "change-email"
      | "email-change-requested"
      | "change-to-known-address"
      | "email-changed"
      | "email-restored"
      | "email-change-undone"
      | "password-changed"
      | "account-connected"
      | "account-disconnected";
  }
>;

/** The emails about a changed email address, password or connected account. */
export function changeMailContent(message: ChangeMail, baseUrl: string): MailContent {
  const host = new URL(baseUrl).host;
  const newPassword = { label: "Set new password", url: `${baseUrl}/forgot-password` };
  switch (message.kind) {
    case "change-email":
      return {
        subject: "Confirm your new email for Meishi",
        heading: "Confirm your new email",
        paragraphs: [
          `Someone (hopefully you) asked to use this address to sign in at ${host}.`,
          "Open the link in a browser where you’re signed in. Until then, nothing changes.",
        ],
        action: { label: "Confirm new email", url: linkWithToken(baseUrl, "/account/email", message.token) },
        notes: [
          `The link works once and is valid for ${formatHours(message.validHours)}.`,
          "If it wasn’t you, ignore this email. Nothing will change.",
        ],
      };
    case "email-change-requested":
      return {
        subject: "Your Meishi email is about to change",
        heading: "Your email is about to change",
        paragraphs: [
          `Someone (hopefully you) asked to change the email for your account at ${host} to ${message.newEmail}.`,
          "It changes once the new address is confirmed. If it was you, you don’t need to do anything here.",
          "If it wasn’t you, set a new password before then. That cancels the change and signs you out everywhere.",
        ],
        action: newPassword,
        notes: ["Until the new address is confirmed, keep signing in with this one."],
      };
    case "change-to-known-address":
      return {
        subject: "You already have a Meishi account",
        heading: "You already have an account",
        paragraphs: [
          `Someone (hopefully you) asked to use this address for another account at ${host}. It already has an account, so nothing was changed.`,
          "To use it for the other account, first change this account’s email, or delete this account.",
        ],
        action: { label: "Sign in", url: `${baseUrl}/auth` },
        notes: ["If it wasn’t you, you can ignore this email."],
      };
    case "email-changed":
      return {
        subject: "Your Meishi email was changed",
        heading: "Your email was changed",
        paragraphs: [
          `The email for your account at ${host} is now ${message.newEmail}, and your other browsers were signed out.`,
          "If it was you, you don’t need to do anything. If it wasn’t you, undo it now: that restores this address, signs out everyone, removes what was added to the account since the day before the change, and lets you set a new password.",
        ],
        action: { label: "Undo this change", url: linkWithToken(baseUrl, "/account/email/restore", message.token) },
        notes: [
          `The link works once and is valid for ${message.validDays} days. You can no longer sign in with this address.`,
        ],
      };
    case "email-restored":
    case "email-change-undone":
      return restoreMailContent(message, { host, baseUrl });
    case "password-changed":
      return {
        subject: "Your Meishi password was changed",
        heading: "Your password was changed",
        paragraphs: [
          `The password for your account at ${host} was just changed, and your other browsers were signed out.`,
          "If it was you, you don’t need to do anything. If it wasn’t you, set a new password now.",
        ],
        action: newPassword,
        notes: ["Setting a new password signs everyone out of your account."],
      };
    case "account-connected":
    case "account-disconnected":
      return connectionMailContent(message, { host, newPassword });
  }
}

type ConnectionMail = Extract<ChangeMail, { kind: "account-connected" | "account-disconnected" }>;

function connectionMailContent(
  { kind, provider }: ConnectionMail,
  { host, newPassword }: { host: string; newPassword: { label: string; url: string } },
): MailContent {
  const what = kind === "account-connected" ? "connected to" : "disconnected from";
  const heading = `${provider} was ${what} your account`;
  return {
    subject: `${provider} was ${what} your Meishi account`,
    heading,
    paragraphs: [
      `${provider === walletMessages.name ? `An ${provider}` : `A ${provider} account`} was just ${what} your account at ${host}.`,
      "If it was you, you don’t need to do anything. If it wasn’t you, set a new password now.",
    ],
    action: newPassword,
    notes: ["Setting a new password signs everyone out of your account."],
  };
}

type RestoreMail = Extract<ChangeMail, { kind: "email-restored" | "email-change-undone" }>;

function restoreMailContent(message: RestoreMail, { host, baseUrl }: { host: string; baseUrl: string }): MailContent {
  if (message.kind === "email-change-undone")
    return {
      subject: "A change of your Meishi email was undone",
      heading: "The email change was undone",
      paragraphs: [
        `An account at ${host} was changed to use this address. Its previous address is back, and everyone was signed out.`,
        "If it wasn’t you who undid it, but the account is yours, someone can read the emails at your previous address. Contact us.",
      ],
      action: { label: "Contact us", url: `${baseUrl}/contact` },
      notes: ["If you don’t know this account, ignore this email."],
    };
  return {
    subject: "Your Meishi email is restored",
    heading: "Your old email is back",
    paragraphs: [
      `The email for your account at ${host} is ${message.to} again. Every browser was signed out, and the password was removed.`,
      describeRemoved(message.removed),
      "Set a new password. Then check what is left under Sign-in in your account settings.",
    ],
    action: { label: "Set new password", url: `${baseUrl}/forgot-password` },
    notes: ["If it wasn’t you, someone can read your email. First change the password of your mailbox."],
  };
}

function describeRemoved(removed: readonly RemovedSignInMethod[]): string {
  if (removed.length === 0) return "Nothing else was added to it in the 24 hours before the change or since.";
  const names = removed.map(removedName).join(", ");
  return `This was added in the 24 hours before the change or since, so it was removed, too: ${names}. If some of it was yours, add it again.`;
}

function removedName(method: RemovedSignInMethod): string {
  switch (method.kind) {
    case "passkey":
      return `the passkey “${method.name}”`;
    case "connection":
      return method.name;
    case "app":
      return "the authenticator app";
    case "backup-codes":
      return "the backup codes";
  }
}
