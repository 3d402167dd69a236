import fc from "fast-check";
import { expect, test } from "vitest";

import { escapeXml, parseXml } from "./xml-parser.ts";

test("elements have their namespace whatever prefix they have, and attributes and text", async () => {
  const [own, prefixed] = await Promise.all([
    parseXml(
      '<?xml version="1.0"?>\n<a xmlns="DAV:"><b c="1&amp;2" x:d="3" xmlns:x="u">x<!-- y -->&#65;<![CDATA[<z>]]></b></a>',
    ),
    parseXml('<D:a xmlns:D="DAV:"><D:b c="1&amp;2">xA&lt;z></D:b></D:a>'),
  ]);
  expect(own).toEqual(prefixed);
  const child = { namespace: "DAV:", name: "b", attributes: { c: "1&2" }, text: "xA<z>", children: [] };
  expect(own).toEqual({ namespace: "DAV:", name: "a", attributes: {}, text: "", children: [child] });
});

test.each([
  ["a document type", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
  ["a document type of a file", '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
  ["an unknown entity", "<a>&x;</a>"],
  ["an unknown prefix", "<x:a/>"],
  ["an element that isn't closed", "<a><b></a>"],
  ["no end", "<a>"],
  ["two roots", "<a/><b/>"],
  ["text around the root", "x<a/>"],
  ["no element", ""],
  ["deep nesting", `${"<a>".repeat(13)}${"</a>".repeat(13)}`],
  ["deep nesting without an end", "<a>".repeat(300_000)],
  ["too many elements", `<a>${"<b/>".repeat(20_000)}</a>`],
  [
    "a tag with many attributes behind a bracket",
    `<a q=">" ${Array.from({ length: 300 }, (_, n) => `a${n}=""`).join(" ")}/>`,
  ],
  ["a tag with many namespaces", `<a ${Array.from({ length: 90 }, (_, n) => `xmlns:n${n}="u"`).join(" ")}/>`],
  ["a long name", `<${"a".repeat(999_999)}`],
  ["nothing but brackets", "<".repeat(1_000_000)],
])("refuses %s", async (_, text) => {
  expect(await parseXml(text)).toBeUndefined();
});

test("takes a request for 5,000 contacts", async () => {
  const hrefs = Array.from({ length: 5_000 }, (_, n) => `<D:href>/dav/leads/${n}-${n}.vcf</D:href>`);
  const parsed = await parseXml(`<C:m xmlns:D="DAV:" xmlns:C="x">${hrefs.join("\n")}</C:m>`);
  expect(parsed?.children.at(-1)?.text).toBe("/dav/leads/4999-4999.vcf");
});

test("escaped text is read back, but for characters that XML doesn't have", async () => {
  const isAllowed = (text: string) => !/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const parsed = await parseXml(`<a>${escapeXml(text)}</a>`);
      if (isAllowed(text)) expect(parsed?.text).toBe(text);
      else expect(parsed).toBeDefined();
    }),
  );
});
