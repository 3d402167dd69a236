import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { startProblemOf } from "#tests/support/storage/setting-rows.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { readSiteContent } from "./site-content.server.ts";

let dataDir: string;

beforeEach(() => void (dataDir = makeTempFolder()));

const emptyContent = { operator: { name: "", address: "", email: "" }, quotes: [], facts: {}, social: [], texts: {} };

describe("the site content", () => {
  test("is empty without a folder and with an empty one", () => {
    expect(readSiteContent(dataDir)).toEqual(emptyContent);
    mkdirSync(join(dataDir, "content"));
    expect(readSiteContent(dataDir)).toEqual(emptyContent);
    expect(read({ "site.json": "{}" })).toEqual(emptyContent);
  });

  test("accepts every field of the operator's guide", () => {
    const guide = readFileSync("docs/site-content.md", "utf8");
    const sample = /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
    expect(read({ "site.json": sample })).toEqual({ ...JSON.parse(sample), texts: {} });
  });

  test("accepts a byte order mark and Windows line breaks, and leaves out an empty fact", () => {
    const content = read({
      "site.json": '\ufeff{\r\n"operator":{"name":"Ada"},"facts":{"region":"  "}}\r\n',
      "terms.md": "\ufeff# Terms\r\n\r\nBe kind.",
    });
    expect(content.operator.name).toBe("Ada");
    expect(content.facts.region).toBeUndefined();
    expect(content.texts).toEqual({ terms: "# Terms\n\nBe kind." });
  });

  test("keeps the lines of an address and removes control characters", () => {
    const operator = { name: "Ada\u0000\nLovelace", address: "1 Street\r\nTown\u0007", email: " ada@example.com " };
    const clean = { name: "Ada Lovelace", address: "1 Street\nTown", email: "ada@example.com" };
    expect(read({ "site.json": JSON.stringify({ operator }) }).operator).toEqual(clean);
  });
});

describe("a mistake in the site content", () => {
  const json = JSON.stringify;
  const linkTo = (url: string) => json({ social: [{ service: "x", url }] });
  const quote = { quote: "Good.", name: "Ada", role: "Analyst" };

  const mistakes: [text: string, message: string][] = [
    ['{"operater":{}}', '"operater" isn\'t a known field'],
    ['{"operator":{"emial":"a@b.example"}}', 'operator: "emial" isn\'t a known field'],
    ['{"operator":{"email":"ada"}}', "operator.email: must be a single email address"],
    ['{"operator":{"email":"a@b.example, c@d.example"}}', "operator.email"],
    [json({ operator: { name: "x".repeat(301) } }), "operator.name: is longer than 300 characters"],
    [json({ quotes: [quote, { ...quote, rating: 4.7 }] }), "quotes.1.rating"],
    [json({ quotes: [{ ...quote, name: " " }] }), "quotes.0.name: is empty"],
    [json({ quotes: [{ ...quote, avatar: "//elsewhere.example/a.png" }] }), "quotes.0.avatar"],
    [json({ quotes: Array.from({ length: 13 }, () => quote) }), "quotes"],
    [linkTo("javascript:alert(1)"), "social.0.url: must be a URL that starts with https://"],
    [linkTo("https://bank.example@evil.example"), "social.0.url"],
    ['{"facts":{"region":5}}', "facts.region"],
    ["[]", "the file"],
    ['{"operator":', "isn't valid JSON"],
    ["", "is empty"],
    [" ".repeat(100_001), "larger than 100 kB"],
  ];

  test("is reported with its file and field", async () => {
    for (const [text, message] of mistakes) {
      expect(await problem({ "site.json": text })).toContain(message);
      expect(await problem({ "site.json": text })).toContain(join(dataDir, "content", "site.json"));
    }
  });

  test("is reported with all others, even in other files", async () => {
    const message = await problem({
      "site.json": '{"operator":{"nmae":"Ada","email":"x"}}',
      "privacy.md": "",
      "privcy.md": "text",
    });
    expect(message).toContain('"nmae" isn\'t a known field');
    for (const part of ["operator.email", "privacy.md is empty", "privcy.md isn't a known file"])
      expect(message).toContain(part);
  });

  test("may be another encoding or a file that is too large", async () => {
    expect(await problem({ "privacy.md": Buffer.from([0x44, 0xfc, 0x72]) })).toContain("privacy.md isn't UTF-8 text");
    expect(await problem({ "terms.md": "x".repeat(200_001) })).toContain("terms.md is larger than 200 kB");
  });

  test("may be a folder in place of a file, or a file in place of the folder", async () => {
    mkdirSync(join(dataDir, "content", "terms.md"), { recursive: true });
    expect(await problem({})).toContain("terms.md can't be read: it is a folder");
    rmSync(join(dataDir, "content"), { recursive: true });
    writeFileSync(join(dataDir, "content"), "");
    expect(() => readSiteContent(dataDir)).toThrow("a part of that path is a file");
  });

  test.skipIf(process.getuid?.() === 0)("may be an unreadable file", () => {
    read({ "site.json": "{}" });
    chmodSync(join(dataDir, "content", "site.json"), 0);
    expect(() => readSiteContent(dataDir)).toThrow("can't be read: no permission");
  });

  test("is not a file that editors and file managers leave behind", () => {
    expect(read({ "site.json~": "x", ".DS_Store": "x", "terms.md.bak": "x" })).toEqual(emptyContent);
  });
});

function read(files: Record<string, string | Buffer>) {
  mkdirSync(join(dataDir, "content"), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dataDir, "content", name), content);
  return readSiteContent(dataDir);
}

const problem = (files: Record<string, string | Buffer>) => startProblemOf(() => read(files));
