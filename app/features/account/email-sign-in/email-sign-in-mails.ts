import { linkWithToken } from "#app/features/account/mail-template.ts";
import type { MailContent } from "#app/features/account/mail-template.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

/** The email with a link and a code to sign in with. */
export function emailSignInMailContent(
  { token, code, browser, validMinutes }: Extract<AccountMail, { kind: "sign-in" }>,
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
    action: { label: "Sign in", url: linkWithToken(baseUrl, "/auth/link", token) },
    notes: [
      `The code and the link are valid for ${validMinutes} minutes. After you use one, neither works again.`,
      "If it wasn't you, ignore this email, and don't give the code to anyone.",
    ],
  };
}
