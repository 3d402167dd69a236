import type { SecondFactorResponse } from "#app/services/auth/factors/second-factor-checks.server.ts";

/** Texts of the page that confirms who the user is. */
export const identityMessages = {
  heading: "Confirm it’s you",
  lead: "This keeps your account safe. We won’t ask again for 10 minutes.",
  codeSent: { title: "Check your email", text: "The code is valid for 10 minutes." },
  codeRequired: "Enter the 6-digit code from our email.",
  wrongCode: "This code is wrong or has expired.",
  wrongPasskey: { title: "This passkey can’t be used here", text: "Try again, or use another way." },
  beforeMailsEnd: {
    title: "First confirm it’s you",
    text: "That’s needed to switch off emails about new sign-ins. It opens in a new tab. Then come back here and save again.",
  },
  noMail: {
    title: "Email isn’t set up on this server",
    text: "We can’t send you a code. Sign out and sign in again instead: that confirms it’s you, too.",
  },
} as const;

/** `when` is "in 12 minutes". */
export function tooManyProofsMessage(when: string) {
  return { title: "Too many attempts", text: `Try again ${when}.` };
}

/** "123 456" -> "123456"; undefined for text that isn't a code. */
export function readCode(typed: string): string | undefined {
  const digits = typed.replaceAll(/[\s-]/g, "");
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/** A code of an app has six digits, a backup code twelve characters; undefined for an empty field. */
export function readSecondFactor(typed: string): SecondFactorResponse | undefined {
  const text = typed.trim();
  if (text === "") return undefined;
  return { kind: readCode(text) ? "code" : "backup-code", text };
}
