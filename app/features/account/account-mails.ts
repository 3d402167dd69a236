import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { factorMailContent } from "./factors/factor-mails.ts";
import { formatHours, letterMail, linkWithToken } from "#app/services/mail/letter.ts";
import type { MailContent } from "#app/services/mail/letter.ts";
import { changeMailContent } from "./settings/change-mails.ts";
import { emailSignInMailContent, identityCodeMailContent, newDeviceMailContent } from "./sessions/sign-in-mails.ts";

/** Renders an email as plain text and as HTML. `baseUrl` is the site's origin. */
export function accountMail(message: AccountMail, baseUrl: string): Mail {
  return letterMail(contentOf(message, baseUrl), { to: message.to, baseUrl });
}

/** Anonymous feedback of a deleted account, for the operator. */
export function feedbackMail({ to, feedback, baseUrl }: { to: string; feedback: string; baseUrl: string }): Mail {
  const host = new URL(baseUrl).host;
  const text = `Someone deleted their account at ${host} and left this feedback:\n\n${feedback}\n`;
  return { to, subject: `Feedback from a deleted account at ${host}`, text };
}

/** Tells the owner of a deleted account: if someone else deleted it, they learn about it at once. */
export function deletedMail({ to, baseUrl, isByOperator }: DeletedMail): Mail {
  const host = new URL(baseUrl).host;
  const letter: MailContent = {
    subject: "Your account was deleted",
    heading: "Your account was deleted",
    paragraphs: [
      `Your account at ${host} was just deleted, along with its profile, cards, leads and files.`,
      "This is the last email we’ll send you.",
    ],
    notes: [
      isByOperator
        ? "The operator of this site deleted it. This can’t be undone."
        : "This can’t be undone. If it wasn’t you, someone knew your password or used a device where you were signed in. Change that password everywhere else you use it.",
    ],
  };
  return letterMail(letter, { to, baseUrl });
}

/** The export of an account's data is ready. The file itself is never mailed. */
export function exportReadyMail({
  to,
  baseUrl,
  validHours,
}: {
  to: string;
  baseUrl: string;
  validHours: number;
}): Mail {
  const host = new URL(baseUrl).host;
  const letter: MailContent = {
    subject: "Your data is ready to download",
    heading: "Your data is ready to download",
    paragraphs: [`The copy of your data at ${host} that you asked for is ready.`],
    action: { label: "Download your data", url: `${baseUrl}/account/export` },
    notes: [
      `You can download it for ${formatHours(validHours)}, after signing in and confirming it’s you.`,
      `If it wasn’t you, set a new password now: ${baseUrl}/forgot-password`,
    ],
  };
  return letterMail(letter, { to, baseUrl });
}

type DeletedMail = { to: string; baseUrl: string; isByOperator: boolean };

function contentOf(message: AccountMail, baseUrl: string): MailContent {
  const host = new URL(baseUrl).host;
  switch (message.kind) {
    case "confirm":
      return {
        subject: "Confirm your email for Meishi",
        heading: "Confirm your email",
        paragraphs: [
          `Someone (hopefully you) signed up at ${host} with this address. Confirm it to start using your account.`,
        ],
        action: { label: "Confirm email", url: message.url ?? linkWithToken(baseUrl, "/auth/confirm", message.token) },
        notes: [
          `The link works once and is valid for ${formatHours(message.validHours)}.`,
          "If it wasn’t you, ignore this email. No one can use the account without this link.",
        ],
      };
    case "confirm-own":
      return {
        subject: "Confirm your email for Meishi",
        heading: "Confirm your email",
        paragraphs: [
          `An account at ${host} uses this address, but it hasn’t been confirmed yet.`,
          "Open the link in a browser where you’re signed in to that account.",
        ],
        action: { label: "Confirm email", url: linkWithToken(baseUrl, "/auth/confirm", message.token) },
        notes: [
          `The link works once and is valid for ${formatHours(message.validHours)}.`,
          "If this isn’t your account, ignore this email. The address stays unconfirmed.",
        ],
      };
    case "confirmed-by-operator":
      return confirmedMailContent(message, { host, baseUrl });
    case "invitation":
      return invitationMailContent(message, { host, baseUrl });
    case "known-address":
      return {
        subject: "You already have a Meishi account",
        heading: "You already have an account",
        paragraphs: [
          `Someone (hopefully you) tried to sign up at ${host} with this address. It already has an account, so nothing was changed.`,
          `You can sign in with this address. Forgot your password? Set a new one: ${baseUrl}/forgot-password`,
        ],
        action: { label: "Sign in", url: `${baseUrl}/auth` },
        notes: ["If it wasn’t you, you can ignore this email."],
      };
    case "reset":
      return {
        subject: "Set a new password for Meishi",
        heading: "Set a new password",
        paragraphs: [
          `Someone (hopefully you) asked to reset the password for your account at ${host}.`,
          ...(message.code === undefined
            ? []
            : ["Enter this code in the app where you asked for it, or open the link."]),
        ],
        ...(message.code !== undefined && { code: message.code }),
        action: {
          label: "Set new password",
          url: message.url ?? linkWithToken(baseUrl, "/reset-password", message.token),
        },
        notes: [
          `The link works once and is valid for ${formatHours(message.validHours)}. Setting a new password signs you out everywhere.`,
          "If it wasn’t you, ignore this email. Your password stays the same.",
        ],
      };
    case "identity-code":
      return identityCodeMailContent(message, baseUrl);
    case "sign-in":
      return emailSignInMailContent(message, baseUrl);
    case "factor-changed":
    case "backup-code-used":
    case "codes-refused":
      return factorMailContent(message, baseUrl);
    case "new-device":
      return newDeviceMailContent(message, baseUrl);
    default:
      return changeMailContent(message, baseUrl);
  }
}

type ConfirmedMail = Extract<AccountMail, { kind: "confirmed-by-operator" }>;

function confirmedMailContent(
  { needsPassword }: ConfirmedMail,
  { host, baseUrl }: { host: string; baseUrl: string },
): MailContent {
  return {
    subject: "Your Meishi email is confirmed",
    heading: "Your email is confirmed",
    paragraphs: [
      `The people who run ${host} confirmed this address for your account.`,
      needsPassword
        ? "To sign in, set a password. The one from the sign-up was removed, because anyone can sign up with someone else’s address."
        : "You sign in as before.",
    ],
    action: needsPassword
      ? { label: "Set a password", url: `${baseUrl}/forgot-password` }
      : { label: "Sign in", url: `${baseUrl}/auth` },
    notes: [`If it wasn’t you who signed up, tell us: ${baseUrl}/contact`],
  };
}

type InvitationMail = Extract<AccountMail, { kind: "invitation" }>;

function invitationMailContent(
  { token, validDays }: InvitationMail,
  { host, baseUrl }: { host: string; baseUrl: string },
): MailContent {
  return {
    subject: `You’re invited to Meishi at ${host}`,
    heading: "You’re invited",
    paragraphs: [
      `The people who run ${host} invite you to create a business card and a profile there.`,
      "Accept the invitation and choose a password. This address is confirmed by the link.",
    ],
    action: {
      label: "Accept invitation",
      url: linkWithToken(baseUrl, "/auth/invitation", token),
    },
    notes: [
      `The link works once and is valid for ${validDays} days.`,
      "If you don’t want an account, ignore this email.",
    ],
  };
}
