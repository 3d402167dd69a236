import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { chatText, leadsText } from "./chat-text.ts";
import { readOutcome } from "./send-rules.ts";

const baseUrl = "https://meishi.example";
const grace = {
  name: "Grace Hopper",
  company: "Navy",
  email: "grace@example.com",
  phone: "+1 555 0100",
  note: "Call\nme",
};

test.each([
  ["<!here> look", "&lt;!here&gt; look"],
  ["<https://evil.example|Slack>", "&lt;https://evil.example|Slack&gt;"],
  ["Tea & Co", "Tea &amp; Co"],
  ["@channel", "@\u200bchannel"],
  ["x.@all", "x.@\u200ball"],
  ["hi@everyone", "hi@\u200beveryone"],
  ["<@U123>", "&lt;@\u200bU123&gt;"],
  ["[Sign in](https://evil.example)", "[Sign in]\u200b(https://evil.example)"],
  ["a\nNew lead: Eve\r\nb", "a New lead: Eve b"],
  ["grace@example.com", "grace@example.com"],
])("a visitor's text %j in a message can't command the chat", (text, shown) => {
  expect(chatText(text, 100)).toBe(shown);
});

test("a visitor's text in a message never starts a command, whatever it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."<>&@!|[]()\n\r a1everyonhl_.#".split("")), maxLength: 60 }),
      (text) => {
        const shown = chatText(text, 1_000);
        expect(shown).not.toMatch(/[<>\n]|&(?!amp;|lt;|gt;)|@(everyone|here|channel|all)|(^|[^a-z0-9_])@[a-z]|\]\(/i);
      },
    ),
  );
});

describe("a message", () => {
  test("about one lead has its details and a link, but nothing about a visitor who didn't agree to it", () => {
    const link = "<https://meishi.example/leads/1|Open the lead>";
    expect(leadsText([{ id: "1", details: grace }], baseUrl)).toBe(
      `New lead: Grace Hopper, Navy\ngrace@example.com · +1 555 0100\nNote: Call me\n${link}`,
    );
    expect(leadsText([{ id: "1", details: undefined }], baseUrl)).toBe(
      `New lead: a visitor who shared their contact with you only\n${link}`,
    );
  });

  test("about one lead fits into every chat, whatever its visitor typed", () => {
    for (const sign of ["&", "<", "@ ", "]("]) {
      const text = sign.repeat(1_000);
      const details = { name: text, company: text, email: text, phone: text, note: text };
      const message = leadsText([{ id: "1", details }], baseUrl);
      expect(message.length).toBeLessThanOrEqual(2_000);
      expect(message).toMatch(/<https:\/\/meishi\.example\/leads\/1\|Open the lead>$/);
    }
  });

  test("about many leads is short enough for every chat and counts the rest", () => {
    const details = { ...grace, name: "&".repeat(300) };
    const leads = Array.from({ length: 1_000 }, (_, n) => ({ id: `${n}`, details }));
    const text = leadsText(leads, baseUrl);
    expect(text.length).toBeLessThanOrEqual(2_000);
    const shown = text.split("\n").filter((line) => line.startsWith("•")).length;
    expect(shown).toBeGreaterThan(0);
    expect(text).toContain(`…and ${1_000 - shown} more. <https://meishi.example/leads|Open your leads>`);
  });
});

describe("the answer of a chat", () => {
  const answer = (status: number, text = "", retryAfter?: string) => readOutcome({ status, text, retryAfter }, 0);

  test.each([
    [200, "sent"],
    [204, "sent"],
    [302, "refused"],
    [403, "refused"],
    [404, "refused"],
    [408, "later"],
    [500, "later"],
  ])("%i means: %s", (status, kind) => {
    expect(answer(status)).toMatchObject({ kind });
  });

  test.each([
    ["90", 90_000],
    ["30", 60_000],
    ["0", 60_000],
    ["999999999", 3_600_000],
    ["Thu, 01 Jan 1970 00:02:00 GMT", 120_000],
    ["soon", undefined],
    [undefined, undefined],
  ])("429 is tried again as it asks, within reason: %j", (retryAfter, waitMs) => {
    expect(answer(429, "", retryAfter)).toMatchObject({ kind: "later", waitMs });
  });

  test("is shown on one line, and a private address isn't tried again", () => {
    expect(answer(404, "no_service\n")).toMatchObject({ kind: "refused", reason: "The chat answered 404: no_service" });
    expect(readOutcome({ problem: "refused-address" }, 0)).toMatchObject({ kind: "refused" });
    expect(readOutcome({ problem: "timeout" }, 0)).toMatchObject({ kind: "later", waitMs: undefined });
  });

  test("that may repeat what was sent isn't the reason, but part of a test's answer", () => {
    for (const text of ["Grace Hopper", "grace@example.com", '{"text":"New lead: Grace"}', "grace_hopper_1".repeat(9)])
      expect(answer(500, text)).toMatchObject({
        reason: "The chat answered 500.",
        full: `The chat answered 500: ${text}`,
      });
  });
});
