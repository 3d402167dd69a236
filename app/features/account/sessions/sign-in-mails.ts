import { linkWithToken } from "#app/services/mail/letter.ts";
import type { MailContent } from "#app/services/mail/letter.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

import { formatOwnTime } from "#app/services/preferences/owner-time.ts";

/** The email with a link and a code to sign in with. */
export function emailSignInMailContent(
  { token, url, code, browser, validMinutes }: Extract<AccountMail, { kind: "sign-in" }>,
  baseUrl: string,
): MailContent {
  const host = new URL(baseUrl).host;
  return {
    subject: "Sign in to Meishi",
    heading: "Sign in to Meishi",
    paragraphs: [
      `Someone (hopefully you) asked to sign in at ${host} using ${browser}.`,
      "Enter this code on the page where you asked for it, or open the link.",
    ],
    code,
    action: { label: "Sign in", url: url ?? linkWithToken(baseUrl, "/auth/link", token) },
    notes: [
      `The code and the link are valid for ${validMinutes} minutes. After you use one, neither works again.`,
      "If it wasn’t you, ignore this email, and don’t give the code to anyone.",
    ],
  };
}

/** The code for a sensitive change, for accounts without a password. */
export function identityCodeMailContent(
  { code, validMinutes }: Extract<AccountMail, { kind: "identity-code" }>,
  baseUrl: string,
): MailContent {
  const host = new URL(baseUrl).host;
  return {
    subject: `${code} is your Meishi code`,
    heading: `Your code is ${code}`,
    paragraphs: [
      `Enter it at ${host} to confirm it’s you. The code works once and is valid for ${validMinutes} minutes.`,
    ],
    notes: [
      "Don’t share this code. We’ll never ask you for it.",
      "If it wasn’t you, someone is using a browser where you’re signed in. Sign out everywhere on your account page.",
    ],
  };
}

/** Tells the owner about a sign-in from a browser that wasn't used before. */
export function newDeviceMailContent(
  { browser, at, locale, timeZone }: Extract<AccountMail, { kind: "new-device" }>,
  baseUrl: string,
): MailContent {
  const host = new URL(baseUrl).host;
  return {
    subject: "New sign-in to your Meishi account",
    heading: "New sign-in to your account",
    paragraphs: [
      `Someone (hopefully you) signed in at ${host} from a new browser.`,
      `${browser}, ${formatOwnTime(at, { locale, timeZone })}`,
    ],
    action: { label: "Set new password", url: `${baseUrl}/forgot-password` },
    notes: [
      "If it was you, you can ignore this email. If it wasn’t, set a new password. That signs out every browser.",
    ],
  };
}
