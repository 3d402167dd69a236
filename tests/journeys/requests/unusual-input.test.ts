import { describe, expect, test } from "vitest";

import { fieldValue, makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { expectHarmless, invalidValues, parameterNames } from "#tests/support/app/query-injection.ts";
import { unescapeHtml } from "#tests/support/app/responses.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { readPage } from "#tests/support/app/visitor.ts";

/** A user whose card and profile have `words` in every field. */
async function openAs(words: string) {
  const { ada, visitor } = await createSignedInApp();
  const userId = await userIdOf(ada);
  const link = { label: words, url: "https://ada.example/" };
  const saved = await ada.post("/profile", profileForm({ displayName: words, bio: words }, [link]));
  expect(saved.status).toBe(302);
  const texts = { card_name: words, profession: words, company: words, position: words, phone: `${words} 1` };
  const cardId = await makeCard(ada, { ...texts, "links.0.name": words });
  const read = async (path: string) => (await visitor().get(path)).text();
  return { ada, userId, cardId, visitor, read };
}

const scripts = {
  "Arabic, right to left": "محمد بن سلمان، مهندس",
  "emoji of several code points": "👩‍👩‍👧‍👦 Ada 🏳️‍🌈 🇯🇵",
  "Hindi with a joiner": "क्‍ष श्री",
  "quotes and commas": `O'Neil; "Ann", PhD \\ & Söhne <GmbH>`,
  "signs outside the first plane": "𝕬𝖉𝖆 𠮷野家",
};

test.each(Object.entries(scripts))(
  "a name in any script appears on every page, in every form and in the vCard: %s",
  async (_, words) => {
    const { ada, userId, cardId, read } = await openAs(words);
    expect(unescapeHtml(await read(`/u/${userId}`))).toContain(words);
    expect(unescapeHtml(await read(`/card/${cardId}`))).toContain(words);
    expect(unescapeHtml(fieldValue(await (await ada.get("/profile")).text(), "displayName"))).toBe(words);
    expect(unescapeHtml(fieldValue(await (await ada.get(`/cards/edit/${cardId}`)).text(), "company"))).toBe(words);
    const file = unfolded(await read(`/card/${cardId}/contact.vcf`));
    expect(file).toContain(`FN:${words.replace(/[\\,;]/g, String.raw`\$&`)}\r\n`);
    const image = await read(`/card/${cardId}/qr.svg`);
    expect(unescapeHtml(image)).toContain(words);
  },
);

describe("characters that end a line or a string", () => {
  const tricks = {
    "a header more": "Ada\r\nBcc: eve@evil.example\r\nX-Evil: 1",
    "a body instead": "Ada\r\n\r\n<script>alert(1)</script>",
    "a second contact": "Ada\nEND:VCARD\nBEGIN:VCARD\nFN:Eve",
    NUL: "A\u0000da \u0000Lovelace",
    "other line ends": "Ada\u2028X-Evil: 1\u0085X-Evil: 2\u000bX-Evil: 3",
    "another file name": 'Ada"; filename="evil.exe',
    "a name turned around": "Ada \u202efcv.exe",
  };

  test.each(Object.entries(tricks))("in a name add no line to a header, mail or vCard: %s", async (_, words) => {
    const { ada, userId, cardId, visitor, read } = await openAs(words);
    const answer = await visitor().get(`/card/${cardId}/contact.vcf`);
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^inline; filename="[\w ().+-]+\.vcf"; filename\*=UTF-8''[\w%.~-]+\.vcf$/);
    expect(decodeURIComponent(disposition)).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect([...answer.headers.keys()].filter((name) => /bcc|evil/i.test(name))).toEqual([]);
    const properties = unfolded(await answer.text())
      .split("\r\n")
      .map((line) => line.split(/[:;]/, 1)[0]);
    const expected = "BEGIN VERSION N FN ORG TITLE EMAIL TEL URL item1.URL item1.X-ABLabel NOTE UID REV END";
    expect(properties).toEqual([...expected.split(" "), ""]);
    const paths = [`/u/${userId}`, `/card/${cardId}`];
    const ownPages = ["/profile", ...paths].map((path) => readPage(ada, path));
    for (const page of await Promise.all([...paths.map(read), ...ownPages])) {
      for (const text of ["<script>alert", "\u0000"]) expect(page).not.toContain(text);
    }
  });

  test("in an email address are rejected, and no mail is sent", async () => {
    const { visitor, mails } = await createTestApp();
    const password = "one long word";
    const wrong = ["ada@example.com\u0000", "ada@example.com, eve@evil.example", "<ada@example.com>"];
    for (const email of ["ada@example.com\r\nBcc: eve@evil.example", ...wrong]) {
      for (const path of ["/auth?tab=signup", "/forgot-password"]) {
        const answer = await visitor().post(path, { intent: "sign-up", email, password });
        expect(answer.status, JSON.stringify(email)).toBe(400);
      }
    }
    expect(await mails()).toEqual([]);
  });

  test("in a URL add no header to the redirect", async () => {
    const { ada, visitor } = await createSignedInApp();
    await ada.post("/profile", profileForm({ handle: "ada-lovelace" }));
    for (const path of ["/u/ADA-lovelace?q&x=", "/profile?x=", "/signup?tier="].map(
      (path) => `${path}%0d%0aX-Evil:%201`,
    )) {
      const answer = await visitor().get(path);
      expect(answer.headers.get("location"), path).toMatch(/^\/[!-~]*$/);
      expect(answer.headers.has("x-evil")).toBe(false);
    }
  });
});

/** RFC 2426 §2.6: a line that starts with a space continues the previous one. */
function unfolded(file: string): string {
  return file.replaceAll("\r\n ", "");
}

test("invalid query parameters have no effect at any route, and never redirect a user to another site", async () => {
  const { ada, visitor } = await createSignedInApp({ env: { DEMO: "on" } });
  const card = await makeCard(ada);
  const code = (await shortPathOf(visitor(), card)).replace("/c/", "");
  const pairs = Object.values(invalidValues)
    .filter((text) => text.length < 1_000)
    .map((text, at): [string, string] => [parameterNames[at % parameterNames.length] ?? "", text]);
  for (const route of listRoutes()) {
    for (const person of [visitor(), ada])
      await expectHarmless(person, `${fillParameters(route, { card, code })}?${new URLSearchParams(pairs)}`);
  }
  for (const value of Object.values(invalidValues)) {
    for (const path of ["/auth?returnTo", "/auth?redirect", "/signup?returnTo", "/pricing?returnTo", "/theme?returnTo"])
      await expectHarmless(ada, `${path}=${encodeURIComponent(value.toWellFormed())}`);
  }
});
