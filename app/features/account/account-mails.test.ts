import { describe, expect, test } from "vitest";

import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

import { accountMail } from "./account-mails.ts";

const to = "ada@example.com";
const newEmail = "countess@example.com";
const token = "eyJhIjoxfQ.a-b_c&d=<e>";
const baseUrl = "https://cards.example.com";
const messages: AccountMail[] = [
  { kind: "confirm", to, token, validHours: 24 },
  { kind: "confirmed-by-operator", to, needsPassword: true },
  { kind: "confirmed-by-operator", to, needsPassword: false },
  { kind: "known-address", to },
  { kind: "reset", to, token, validHours: 1 },
  { kind: "sign-in", to, token, code: "012345", browser: "Firefox on Windows", validMinutes: 10 },
  { kind: "change-email", to, token, validHours: 24 },
  { kind: "email-change-requested", to, newEmail },
  { kind: "change-to-known-address", to },
  { kind: "email-changed", to, newEmail, token, validDays: 7 },
  { kind: "email-restored", to, removed: [] },
  { kind: "email-change-undone", to },
  { kind: "password-changed", to },
];

describe.each(messages)("the email $kind", (message) => {
  const mail = accountMail(message, baseUrl);

  test("has a subject of one line, names the site, and says what to do if it wasn't requested", () => {
    expect(mail.to).toBe(to);
    expect(mail.subject).toMatch(/^[\w ]{10,60}$/);
    expect(mail.text).toContain("cards.example.com");
    expect(mail.text).toContain("If it wasn’t you");
  });

  test("has the same content as text and as HTML, escaped, with the complete link in both, and loads nothing", () => {
    const url = /https:\/\/cards\.example\.com\S*/.exec(mail.text)?.[0] ?? "";
    expect(mail.html).toContain(`href="${url.replaceAll("&", "&#38;")}"`);
    if ("token" in message) expect(new URL(url).searchParams.get("token")).toBe(token);
    for (const line of mail.text.split("\n").filter((text) => text && !text.includes("http")))
      expect(mail.html).toContain(line.replace(/:$/, "").replaceAll("'", "&#39;"));
    expect(mail.html).not.toMatch(/<img|<script|<link|url\(|@import|<e>/);
  });
});

test.each([
  ["confirm", "24 hours"],
  ["reset", "one hour"],
  ["sign-in", "10 minutes"],
  ["change-email", "valid for 24 hours"],
])("the link in the email %s says how long it is valid: %s", (kind, time) => {
  const texts = messages
    .filter((message) => message.kind === kind)
    .map((message) => accountMail(message, baseUrl).text);
  expect(texts).toEqual([expect.stringContaining(time)]);
});

test("the email about a restored address names everything that was removed", () => {
  const removed: Extract<AccountMail, { kind: "email-restored" }>["removed"] = [
    { kind: "passkey", name: "Chrome on Android" },
    { kind: "app" },
    { kind: "backup-codes" },
    { kind: "connection", name: "GitHub" },
  ];
  const { text } = accountMail({ kind: "email-restored", to, removed }, baseUrl);
  expect(text).toContain("the passkey “Chrome on Android”, the authenticator app, the backup codes, GitHub.");
});
