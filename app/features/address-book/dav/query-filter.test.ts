import { expect, test } from "vitest";

import { readFilter } from "./query-filter.ts";
import { parseXml } from "./xml-parser.ts";

const vcard = [
  "BEGIN:VCARD",
  "VERSION:3.0",
  "N:Hopper;Grace;;;",
  "FN:Grace Hopper",
  String.raw`ORG:Navy\, Inc.`,
  "EMAIL;TYPE=INTERNET,WORK,PREF:grace@navy.example",
  "EMAIL;TYPE=INTERNET,HOME:grace@home.example",
  "item1.URL:https://navy.example",
  "item1.X-ABLabel:Website",
  "CATEGORIES:Fair,Straße",
  "END:VCARD",
  "",
].join("\r\n");

async function matches(filter: string): Promise<boolean | string> {
  const query = await parseXml(`<query>${filter}</query>`);
  if (!query) throw new Error("Not well-formed");
  const test = readFilter(query);
  return typeof test === "string" ? test : test(vcard);
}

const property = (name: string, tests = "", test = "anyof") =>
  `<prop-filter name="${name}" test="${test}">${tests}</prop-filter>`;
const text = (value: string, attributes = "") => `<text-match ${attributes}>${value}</text-match>`;
const filter = (content: string, test = "anyof") => `<filter test="${test}">${content}</filter>`;

test.each([
  ["no filter", "", true],
  ["an empty filter", "<filter/>", true],
  ["a property that is there", filter(property("fn")), true],
  ["one that isn't", filter(property("TEL")), false],
  ["not defined", filter(property("TEL", "<is-not-defined/>")), true],
  ["not defined, but it is", filter(property("EMAIL", "<is-not-defined/>")), false],
  ["contains, without case", filter(property("FN", text("HOPP"))), true],
  ["equals", filter(property("FN", text("grace hopper", 'match-type="equals"'))), true],
  ["equals a part only", filter(property("FN", text("grace", 'match-type="equals"'))), false],
  ["starts with", filter(property("FN", text("grace", 'match-type="starts-with"'))), true],
  ["starts with the end", filter(property("FN", text("hopper", 'match-type="starts-with"'))), false],
  ["ends with", filter(property("FN", text("hopper", 'match-type="ends-with"'))), true],
  ["negated", filter(property("FN", text("grace", 'negate-condition="yes"'))), false],
  ["negated, of another value", filter(property("FN", text("ada", 'negate-condition="yes"'))), true],
  ["an escaped comma", filter(property("ORG", text("navy, inc"))), true],
  ["a second value", filter(property("CATEGORIES", text("STRASSE".replace("SS", "ß")))), true],
  ["a part of a name", filter(property("N", text("hopper;grace"))), true],
  ["a property of a group", filter(property("URL", text("navy"))), true],
  ["a group that is requested", filter(property("item2.EMAIL", text("navy"))), true],
  ["any of two texts", filter(property("EMAIL", text("none") + text("home"))), true],
  ["all of two texts, in two addresses", filter(property("EMAIL", text("navy") + text("home"), "allof")), true],
  ["all, but one is missing", filter(property("EMAIL", text("navy") + text("none"), "allof")), false],
  ["any of two properties", filter(property("TEL") + property("FN")), true],
  ["all of two properties", filter(property("TEL") + property("FN"), "allof"), false],
  ["a parameter", filter(property("EMAIL", `<param-filter name="TYPE">${text("home")}</param-filter>`)), true],
  ["a parameter that is there", filter(property("EMAIL", '<param-filter name="type"/>')), true],
  [
    "a parameter that isn't",
    filter(property("EMAIL", '<param-filter name="x"><is-not-defined/></param-filter>')),
    true,
  ],
  ["a missing parameter", filter(property("EMAIL", `<param-filter name="x">${text("")}</param-filter>`)), false],
  ["a collation of others", filter(property("FN", text("x", 'collation="i;basic"'))), "card:supported-collation"],
  ["an unknown way to match", filter(property("FN", text("x", 'match-type="toString"'))), "card:supported-filter"],
])("%s", async (_, xml, expected) => {
  expect(await matches(xml)).toBe(expected);
});
