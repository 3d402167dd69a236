import { expect, test } from "vitest";

import { describeEvent } from "./security-event-messages.ts";

const cases: [event: string, detail: string, title: string, text: string][] = [
  ["signed-in", "password", "Signed in", "Password"],
  ["signed-in", "password+code", "Signed in", "Password and authenticator app"],
  ["signed-in", "email-link+backup-code", "Signed in", "Emailed link and backup code"],
  ["identity-confirmed", "email-code", "Confirmed it was you", "Emailed code"],
  ["session-ended", "Firefox on Windows", "Signed out another browser", "Firefox on Windows"],
  ["session-ended", "others", "Signed out all other browsers", ""],
  ["session-ended", "all", "Signed out everywhere", ""],
  ["factor-added", "app", "Set up an authenticator app", ""],
  ["factor-added", "passkeys", "Turned on two-step verification", ""],
  ["factor-added", "passkey Ada's phone", "Added a passkey", "Ada's phone"],
  ["factor-removed", "passkey others", "Removed a passkey", "others"],
  ["factor-removed", "turned-off", "Turned off two-step verification", ""],
  ["factor-refused", "backup-code", "Failed two-step verification", "Backup code"],
  ["backup-code-used", "3", "Used a backup code", "3 left"],
  ["email-restored", "2026-07-01T00:00:00.000Z", "Restored the old email", ""],
  ["account-linked", "GitHub", "Connected an account", "GitHub"],
  ["of-a-later-release", "as it is", "of a later release", "as it is"],
];

test.for(cases)("%s %s", ([event, detail, title, text]) => {
  expect(describeEvent({ event, detail })).toEqual({ title, detail: text });
});
