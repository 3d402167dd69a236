import { methodName } from "./session-messages.ts";

type EventText = { title: string; detail: string };

/** The owner's words for what is recorded about their account. */
const eventTitles: Record<string, string> = {
  "signed-in": "Signed in",
  "signed-out": "Signed out",
  "sign-in-refused": "Wrong password at sign-in",
  "identity-confirmed": "Confirmed it was you",
  "session-ended": "Signed out another browser",
  "handed-over": "Handed over a device to visitors",
  "taken-back": "Unlocked a device that was handed over",
  "password-set": "Reset the password by email",
  "password-changed": "Changed the password",
  "email-changed": "Changed the email",
  "email-confirmed": "Confirmed the email",
  "email-restored": "Restored the old email",
  "factor-added": "Added a way to sign in",
  "factor-removed": "Removed a way to sign in",
  "factor-refused": "Failed two-step verification",
  "backup-codes-made": "Created backup codes",
  "backup-code-used": "Used a backup code",
  "account-linked": "Connected an account",
  "account-unlinked": "Disconnected an account",
  "data-exported": "Exported all data",
  "lead-forward-added": "Added an address that gets new leads",
  "lead-forward-confirmed": "Someone confirmed an address that gets new leads",
  "lead-forward-removed": "Removed an address that gets new leads",
  "lead-chat-added": "Added a chat that gets new leads",
  "lead-chat-removed": "Removed a chat that gets new leads",
  "calendar-address-created": "Created a secret calendar address",
  "calendar-address-revoked": "Revoked the secret calendar address",
  "device-password-created": "Created a password for a device",
  "device-password-revoked": "Revoked the password of a device",
  "kiosk-link-created": "Created a kiosk link",
  "kiosk-link-removed": "Removed a kiosk link",
  blocked: "Blocked by the operator",
  unblocked: "Unblocked by the operator",
  "plan-granted": "Got Premium from the operator",
  "plan-revoked": "Lost Premium from the operator",
  "mcp-tool-called": "An AI assistant used a tool",
  "webhook-added": "Added a webhook",
  "webhook-changed": "Changed a webhook",
  "webhook-secret-shown": "Showed the secret of a webhook",
  "webhook-secret-rotated": "Rotated the secret of a webhook",
  "webhook-deleted": "Deleted a webhook",
  "integration-added": "Connected a service",
  "integration-changed": "Changed the key of a service",
  "integration-deleted": "Disconnected a service",
  "api-key-created": "Created an API key",
  "api-key-revoked": "Revoked an API key",
};

/** Events whose detail says what happened: the event and the detail. */
const detailTitles: Record<string, string> = {
  "session-ended others": "Signed out all other browsers",
  "session-ended hand-over": "Signed out a device after ten wrong PINs",
  "session-ended all": "Signed out everywhere",
  "factor-added app": "Set up an authenticator app",
  "factor-added passkeys": "Turned on two-step verification",
  "factor-removed turned-off": "Turned off two-step verification",
  "factor-removed reset": "Two-step verification reset by the operator",
};

const factorNames: Record<string, string> = {
  app: "App",
  code: "Authenticator app",
  "backup-code": "Backup code",
  "backup-codes": "Backup codes",
  passkey: "Passkey",
};

/** What happened, in a few words. An event of a later release has its own name. */
export function describeEvent({ event, detail }: { event: string; detail: string }): EventText {
  const special = detailTitles[`${event} ${detail}`];
  if (special !== undefined) return { title: special, detail: "" };
  const [, passkey] = /^passkey (.+)$/s.exec(detail) ?? [];
  if (passkey !== undefined && event === "factor-added") return { title: "Added a passkey", detail: passkey };
  if (passkey !== undefined && event === "factor-removed") return { title: "Removed a passkey", detail: passkey };
  return { title: eventTitles[event] ?? event.replaceAll("-", " "), detail: describeDetail(event, detail) };
}

function describeDetail(event: string, detail: string): string {
  switch (event) {
    case "email-restored":
      // A time, for the links to undo a change.
      return "";
    case "factor-refused":
      return factorNames[detail] ?? detail;
    case "backup-code-used":
      return `${detail} left`;
    case "signed-in":
    case "identity-confirmed":
      return describeMethod(detail);
    default:
      return detail;
  }
}

/** "password+code" -> "Password and authenticator app" */
function describeMethod(detail: string): string {
  const [method = "", factor] = detail.split("+");
  const name = methodName(method) ?? method;
  return factor === undefined ? name : `${name} and ${(factorNames[factor] ?? factor).toLowerCase()}`;
}
