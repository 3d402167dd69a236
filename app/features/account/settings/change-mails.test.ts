import { describe, expect, test } from "vitest";

import { accountMail } from "#app/features/account/account-mails.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

const to = "ada@example.com";
const messages: AccountMail[] = [
  { kind: "change-email", to, token: "eyJhIjoxfQ.a-b_c", validHours: 24 },
  { kind: "email-change-requested", to, newEmail: "countess@example.com" },
  { kind: "change-to-known-address", to },
  { kind: "email-changed", to, newEmail: "countess@example.com", token: "eyJhIjoxfQ.a-b_c", validDays: 7 },
  { kind: "email-restored", to, removed: [] },
  { kind: "email-change-undone", to },
  { kind: "password-changed", to },
];

describe.each(messages)("the email $kind", (message) => {
  const mail = accountMail(message, "https://cards.example.com");

  test("is addressed to the user, with a subject of one line", () => {
    expect(mail.to).toBe(to);
    expect(mail.subject).toMatch(/^[\w ]{10,60}$/);
  });

  test("names the site, leads there, and says what to do if it wasn't requested", () => {
    expect(mail.text).toContain("cards.example.com");
    expect(mail.html).toMatch(/href="https:\/\/cards\.example\.com\/(account\/email|forgot-password|auth|contact)/);
    expect(mail.text).toContain("If it wasn't you");
  });
});

test("the link to confirm a new email says how long it is valid", () => {
  const { text } = accountMail({ kind: "change-email", to, token: "t", validHours: 24 }, "https://cards.example.com");
  expect(text).toContain("https://cards.example.com/account/email?token=t");
  expect(text).toContain("valid for 24 hours");
});

test("the email about a restored address names everything that was removed", () => {
  const removed = [
    { kind: "passkey", name: "Chrome on Android" },
    { kind: "app" },
    { kind: "backup-codes" },
    { kind: "connection", name: "GitHub" },
  ] as const;
  const { text } = accountMail({ kind: "email-restored", to, removed: [...removed] }, "https://cards.example.com");
  expect(text).toContain("the passkey “Chrome on Android”, the authenticator app, the backup codes, GitHub.");
});
