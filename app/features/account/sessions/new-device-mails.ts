import type { MailContent } from "#app/features/account/mail-template.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

import { formatOwnTime } from "./owner-time.ts";

/** Tells the owner about a sign-in from a browser that wasn't used before. */
export function newDeviceMailContent(
  { browser, at, locale = "", timeZone = "" }: Extract<AccountMail, { kind: "new-device" }>,
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
      "If it was you, you can ignore this email. If it wasn't, set a new password. That signs out every browser.",
    ],
  };
}
