import type { MailContent } from "#app/features/account/mail-template.ts";
import type { AccountMail, FactorChange } from "#app/services/auth/better-auth.server.ts";

type FactorMail = Extract<AccountMail, { kind: "factor-changed" | "backup-code-used" | "codes-refused" }>;

/** The emails about two-step verification and passkeys. */
export function factorMailContent(message: FactorMail, baseUrl: string): MailContent {
  const host = new URL(baseUrl).host;
  if (message.kind === "backup-code-used") return backupCodeMail(message, { host, baseUrl });
  if (message.kind === "codes-refused") return refusedCodesMail(message, { host, baseUrl });
  const { title, text } = changeTexts[message.change];
  const name = message.detail ? ` (${message.detail})` : "";
  const by = message.browser === undefined ? "by the operator of the site" : `using ${message.browser}`;
  return {
    subject: `${title} for your Meishi account`,
    heading: title,
    paragraphs: [`${text} for your account at ${host}${name}, ${by}.`, "If it was you, you don't need to do anything."],
    action: { label: "Check two-step verification", url: `${baseUrl}/account/two-step` },
    notes: [notYou(baseUrl)],
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
    notes: [notYou(site.baseUrl)],
  };
}

function refusedCodesMail({ browser }: Extract<FactorMail, { kind: "codes-refused" }>, site: Site): MailContent {
  return {
    subject: "Someone entered wrong codes for your Meishi account",
    heading: "Too many wrong codes",
    paragraphs: [
      `Someone passed the first step of signing in to your account at ${site.host} using ${browser}, then entered too many wrong codes. They didn't get in.`,
      "If it wasn't you, someone knows your password. Set a new one now.",
    ],
    action: { label: "Set new password", url: `${site.baseUrl}/forgot-password` },
    notes: ["If it was you, wait an hour, or sign in with a backup code or a passkey."],
  };
}

function notYou(baseUrl: string): string {
  return `If it wasn't you, set a new password right away: ${baseUrl}/forgot-password. That signs out every browser. Then check your two-step verification.`;
}

const changeTexts: Record<FactorChange, { title: string; text: string }> = {
  "turned-on": { title: "Two-step verification was turned on", text: "Two-step verification was just turned on" },
  "turned-off": { title: "Two-step verification was turned off", text: "Two-step verification was just turned off" },
  reset: {
    title: "Two-step verification was reset",
    text: "Two-step verification was just turned off and your passkeys were removed",
  },
  "app-replaced": { title: "A new authenticator app was set up", text: "A new authenticator app was just set up" },
  "codes-made": { title: "New backup codes were created", text: "New backup codes were just created" },
  "passkey-added": { title: "A passkey was added", text: "A passkey was just added" },
  "passkey-removed": { title: "A passkey was removed", text: "A passkey was just removed" },
};
