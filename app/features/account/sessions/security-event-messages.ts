import { methodName } from "./session-messages.ts";

/** The owner's words for what is recorded about their account. */
const eventTitles: Record<string, string> = {
  "signed-in": "Signed in",
  "signed-out": "Signed out",
  "sign-in-refused": "Wrong password at sign-in",
  "identity-confirmed": "Confirmed it's you",
  "session-ended": "Ended a session",
  "password-set": "Set a new password by email",
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
  blocked: "Blocked by the operator",
  unblocked: "Unblocked by the operator",
};

/** "email-code" -> "Code by email"; another detail is a name or a browser. */
const detailTexts: Record<string, string> = {
  others: "All other browsers",
  all: "All browsers",
  app: "Authenticator app",
  code: "Code of the authenticator app",
  "backup-code": "Backup code",
  "backup-codes": "Backup codes",
};

/** What happened, in a few words. An event of a later release has its own name. */
export function describeEvent({ event, detail }: { event: string; detail: string }): { title: string; detail: string } {
  return {
    title: eventTitles[event] ?? event.replaceAll("-", " "),
    // A time, for the links to undo a change.
    detail: event === "email-restored" ? "" : (describeDetail(detail) ?? describeSteps(detail) ?? detail),
  };
}

function describeDetail(detail: string): string | undefined {
  return methodName(detail) ?? detailTexts[detail];
}

/** "password+backup-code" -> "Password, Backup code". Other details may have a plus sign as well. */
function describeSteps(detail: string): string | undefined {
  const steps = detail.split("+").map((step) => describeDetail(step));
  return steps.includes(undefined) ? undefined : steps.join(", ");
}
