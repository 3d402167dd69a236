import type { MailContent } from "#app/features/account/mail-template.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

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
      `Enter it at ${host} to confirm it's you. The code works once and is valid for ${validMinutes} minutes.`,
    ],
    notes: [
      "Don't share this code. We'll never ask you for it.",
      "If it wasn't you, someone is using a browser where you're signed in. Sign out everywhere on your account page.",
    ],
  };
}
