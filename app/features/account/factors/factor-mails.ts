import type { MailContent } from "#app/services/mail/letter.ts";
import type { AccountMail, FactorChange } from "#app/services/auth/better-auth.server.ts";

type FactorMail = Extract<AccountMail, { kind: "factor-changed" | "backup-code-used" | "codes-refused" }>;

/** The emails about two-step verification and passkeys. */
export function factorMailContent(message: FactorMail, baseUrl: string): MailContent {
  const host = new URL(baseUrl).host;
  if (message.kind === "backup-code-used") return backupCodeMail(message, { host, baseUrl });
  if (message.kind === "codes-refused") return refusedCodesMail(message, { host, baseUrl });
  if (message.browser === undefined) return resetMail({ host, baseUrl });
  const { what, done, preposition } = changeTexts[message.change];
  const name = message.detail ? ` (${message.detail})` : "";
  return {
    subject: `${what} ${done} ${preposition} your Meishi account`,
    heading: `${what} ${done}`,
    paragraphs: [
      `${what}${name} ${done} ${preposition} your account at ${host}, using ${message.browser}.`,
      "If it was you, you don’t need to do anything.",
    ],
    action: { label: "Check two-step verification", url: `${baseUrl}/account/two-step` },
    notes: notYou(baseUrl),
  };
}

/** After `npm run account -- reset-2fa`, or the same on the operator's pages. */
function resetMail({ host, baseUrl }: Site): MailContent {
  return {
    subject: "Two-step verification was reset for your Meishi account",
    heading: "Two-step verification was reset",
    paragraphs: [
      `The operator of ${host} turned off two-step verification for your account and removed its passkeys and backup codes.`,
      "If you asked for this, sign in and set it up again.",
    ],
    action: { label: "Set up two-step verification", url: `${baseUrl}/account/two-step` },
    notes: ["If you didn’t ask for it, contact the operator."],
  };
}

type Site = { host: string; baseUrl: string };

function backupCodeMail({ left, browser }: Extract<FactorMail, { kind: "backup-code-used" }>, site: Site): MailContent {
  const rest = left === 1 ? "One backup code is left." : `${left} backup codes are left.`;
  return {
    subject: "A backup code was used for your Meishi account",
    heading: "A backup code was used",
    paragraphs: [
      `Someone (hopefully you) signed in at ${site.host} with one of your backup codes, using ${browser}.`,
      `${left === 0 ? "No backup codes are left." : rest} ${left <= 3 ? "Create new ones soon." : ""}`.trim(),
    ],
    action: { label: "Create new backup codes", url: `${site.baseUrl}/account/two-step` },
    notes: notYou(site.baseUrl),
  };
}

function refusedCodesMail({ browser }: Extract<FactorMail, { kind: "codes-refused" }>, site: Site): MailContent {
  return {
    subject: "Someone entered wrong codes for your Meishi account",
    heading: "Too many wrong codes",
    paragraphs: [
      `Someone passed the first step of signing in to your account at ${site.host} using ${browser}, then entered too many wrong codes. They didn’t get in.`,
      "If it wasn’t you, someone knows your password. Set a new one now.",
    ],
    action: { label: "Set new password", url: `${site.baseUrl}/forgot-password` },
    notes: ["If it was you, wait an hour, or sign in with a backup code or a passkey."],
  };
}

function notYou(baseUrl: string): string[] {
  return [
    "If it wasn’t you, set a new password right away. That signs out every browser. Then check your two-step verification.",
    `Set a new password: ${baseUrl}/forgot-password`,
  ];
}

type ChangeText = { what: string; done: string; preposition: "for" | "to" | "from" };

const changeTexts: Record<FactorChange, ChangeText> = {
  "turned-on": { what: "Two-step verification", done: "was turned on", preposition: "for" },
  "turned-off": { what: "Two-step verification", done: "was turned off", preposition: "for" },
  reset: { what: "Two-step verification", done: "was reset", preposition: "for" },
  "app-replaced": { what: "A new authenticator app", done: "was set up", preposition: "for" },
  "codes-made": { what: "New backup codes", done: "were created", preposition: "for" },
  "passkey-added": { what: "A passkey", done: "was added", preposition: "to" },
  "passkey-removed": { what: "A passkey", done: "was removed", preposition: "from" },
};
