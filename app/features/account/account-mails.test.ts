import { describe, expect, test } from "vitest";

import type { AccountMail } from "#app/services/auth/better-auth.server.ts";

import { accountMail } from "./account-mails.ts";

const to = "ada@example.com";
const token = "eyJhIjoxfQ.a-b_c&d=<e>";
const messages: AccountMail[] = [
  { kind: "confirm", to, token, validHours: 24 },
  { kind: "confirmed-by-operator", to, needsPassword: true },
  { kind: "confirmed-by-operator", to, needsPassword: false },
  { kind: "known-address", to },
  { kind: "reset", to, token, validHours: 1 },
  { kind: "sign-in", to, token, code: "012345", browser: "Firefox on Windows", validMinutes: 10 },
];

describe.each(messages)("the email $kind", (message) => {
  const mail = accountMail(message, "https://cards.example.com");

  test("is addressed to the user, with a subject of one line", () => {
    expect(mail.to).toBe(to);
    expect(mail.subject).toMatch(/^[\w ]{10,60}$/);
  });

  test("has the same content as text and as HTML, with the link in both", () => {
    const url = /https:\/\/cards\.example\.com\S*/.exec(mail.text)?.[0] ?? "";
    expect(mail.html).toContain(`href="${url.replaceAll("&", "&#38;")}"`);
    for (const line of mail.text.split("\n").filter((text) => text && !text.includes("http"))) {
      expect(mail.html).toContain(line.replace(/:$/, "").replaceAll("'", "&#39;"));
    }
  });

  test("loads nothing, runs nothing, and escapes its content", () => {
    expect(mail.html).not.toMatch(/<img|<script|<link|url\(|@import|<e>/);
  });

  test("names the site, and says what to do if it wasn't requested", () => {
    expect(mail.text).toContain("cards.example.com");
    expect(mail.text).toContain("If it wasn't you");
  });
});

describe("a link in an email", () => {
  test("contains the complete token", () => {
    for (const message of messages) {
      if (!("token" in message)) continue;
      const url = new URL(/https:\S+/.exec(accountMail(message, "https://cards.example.com").text)?.[0] ?? "");
      expect(url.searchParams.get("token")).toBe(token);
    }
  });

  test("says how long it is valid", () => {
    expect(messages.map((message) => accountMail(message, "http://localhost:3000").text)).toEqual([
      expect.stringContaining("24 hours"),
      expect.anything(),
      expect.anything(),
      expect.anything(),
      expect.stringContaining("one hour"),
      expect.stringContaining("10 minutes"),
    ]);
  });
});
