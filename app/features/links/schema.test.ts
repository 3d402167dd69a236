import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { countEntries, isAllowedAddress } from "./rules.ts";
import { professionalLinks, profileLinks } from "./schema.ts";

const always = { from: null, until: null, tab: null };
const link = { id: "1", kind: "link", label: "GitHub", url: "https://github.com/ada", on: true, ...always };

describe("the links of a profile", () => {
  test("are cleaned: spaces, control characters and a missing scheme", () => {
    const sent = [{ id: "1", label: " Git\0Hub\r\n", url: " github.com/ada ", on: true }];
    expect(profileLinks.parse(sent)).toEqual([{ ...link, label: "GitHub" }]);
  });

  test("accept name for label, missing optional fields, and a switch from JSON or a form; ignore unknown fields", () => {
    expect(profileLinks.parse([{ name: "GitHub", url: link.url, color: "red" }])).toEqual([{ ...link, id: "" }]);
    expect(profileLinks.parse([{ ...link, name: "Other" }])).toEqual([link]);
    const shown = [true, false, "on", "off", "1", "0", ""].map((on) => profileLinks.parse([{ ...link, on }])[0]?.on);
    expect(shown).toEqual([true, false, true, false, true, false, false]);
  });

  test("replace an invalid or repeated id with an empty one", () => {
    const sent = [link, link, { ...link, id: "<script>" }, { ...link, id: 5 }];
    expect(profileLinks.parse(sent).map(({ id }) => id)).toEqual(["1", "", "", ""]);
  });

  test("drop links without label and address and don't count them toward the limit", () => {
    const empty = { label: " ", url: "", on: true };
    const many = (count: number) => Array.from({ length: count }, () => link);
    expect(profileLinks.parse([empty, link, {}, { label: null, name: "\0", url: " " }])).toEqual([link]);
    expect(profileLinks.safeParse([...many(30), empty]).success).toBe(true);
    expect(problems([...many(31), empty])).toEqual({ "": "You can add a maximum of 30 links." });
  });

  test("report errors at the index of the row that was sent, even after dropped rows", () => {
    const sent = [
      { label: "", url: "" },
      { label: "", url: "github com" },
      { label: "x", url: "" },
      { label: "y", url: "javascript:alert(1)" },
    ];
    expect(problems(sent)).toEqual({ "1.url": "Invalid URL", "2.url": "Invalid URL", "3.url": "Invalid URL" });
    const tooLong = { "0.label": "Use at most 60 characters for the name." };
    expect(problems([{ ...link, label: "x".repeat(61) }])).toEqual(tooLong);
    expect(problems([{ ...link, url: `https://a.example/${"x".repeat(2048)}` }])).toEqual({ "0.url": "Invalid URL" });
    expect(problems([{ label: 5, url: {} }])).toEqual({ "0.label": "Link name is required", "0.url": "Invalid URL" });
    expect(problems(["x"])).toEqual({ "0": "The links couldn’t be read." });
    expect(problems({ 0: link })).toEqual({ "": "The links couldn’t be read." });
  });
});

test("a link without a label is named after its host, in at most 60 characters", () => {
  const urls = ["https://www.github.com/ada", "ada.example/me", "mailto:ada@example.com", "tel:+44 20"];
  const labels = ["", " ", "\u200b\u2060", undefined].map((label, index) => ({ label, url: urls[index] }));
  const hosts = ["github.com", "ada.example", "ada@example.com", "+44 20"];
  expect(profileLinks.parse(labels).map(({ label }) => label)).toEqual(hosts);
  expect(professionalLinks.parse([{ name: "", url: "ada.example" }])[0]?.name).toBe("ada.example");
  const url = `https://${"a".repeat(60)}.${"b".repeat(60)}.example`;
  expect(profileLinks.parse([{ label: "", url }])[0]?.label).toHaveLength(60);
});

describe("the kind of an entry", () => {
  test("is a plain link when it is missing, unknown or not text", () => {
    const kinds = [undefined, "", "carousel", 5, null].map((kind) => profileLinks.parse([{ ...link, kind }])[0]?.kind);
    expect(kinds).toEqual(Array(5).fill("link"));
    // It is media only for a site that we know as one.
    const kindOf = (url: string) => profileLinks.parse([{ ...link, url, kind: "media" }])[0]?.kind;
    expect(kindOf("https://youtu.be/1")).toBe("media");
    expect(kindOf("https://www.google.co.uk/maps/place/London")).toBe("media");
    expect(kindOf("https://www.google.com/search?q=maps")).toBe("link");
    expect(kindOf("https://video.example")).toBe("link");
  });

  test("heading needs a text and has neither address nor tab", () => {
    const heading = { kind: "heading", label: " Talks ", url: "javascript:alert(1)", tab: "personal", until: 1e12 };
    expect(profileLinks.parse([heading])).toEqual([
      { id: "", kind: "heading", label: "Talks", url: "", on: true, from: null, until: 1e12, tab: null },
    ]);
    expect(problems([{ ...heading, label: " " }])).toEqual({ "0.label": "Enter a heading." });
    const tooLong = { "0.label": "Use at most 60 characters for the heading." };
    expect(problems([{ ...heading, label: "x".repeat(61) }])).toEqual(tooLong);
    expect(profileLinks.parse([{ kind: "heading", label: "", url: "" }])).toEqual([]);
  });

  test("headings don't count as links, and have a limit of their own", () => {
    const eight = Array.from({ length: 8 }, (_, n) => ({ ...link, id: `l${n}` }));
    const headings = eight.map(({ id }) => ({ kind: "heading", id: `h${id}`, label: "Talks" }));
    expect(profileLinks.parse([...eight, ...headings])).toHaveLength(16);
    expect(problems([...headings, { kind: "heading", label: "Ninth" }])).toEqual({
      "": "You can add a maximum of 8 headings.",
    });
  });
});

test("the links of a card have a name and an address, and accept a label as the name", () => {
  const { url } = link;
  expect(professionalLinks.parse([{ name: "GitHub", url: "github.com/ada" }, link])).toEqual([
    { id: "", name: "GitHub", url },
    { id: "1", name: "GitHub", url },
  ]);
});

test("returns displayable links or errors for any input", () => {
  const odd = fc.constantFrom("a.example", "javascript:x", "https://a.example/e\u200e\u0301");
  const field = fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), odd, fc.anything());
  const kind = fc.oneof(field, fc.constantFrom("heading", "media"));
  const fields = { kind, label: field, name: field, url: field, on: field, id: field };
  const sent = fc.oneof(fc.array(fc.record(fields, { requiredKeys: [] })), fc.anything());
  fc.assert(
    fc.property(sent, (input) => {
      const read = profileLinks.safeParse(input);
      const links = read.success ? read.data : [];
      const { links: linkCount, headings } = countEntries(links);
      expect([linkCount <= 8, headings <= 8]).toEqual([true, true]);
      expect(links.filter(({ label }) => !label || /\p{Cc}/u.test(label))).toEqual([]);
      expect(links.filter(({ kind, url }) => !(kind === "heading" ? url === "" : isAllowedAddress(url)))).toEqual([]);
      expect(read.success || read.error.issues.length > 0).toBe(true);
      expect(profileLinks.parse(links)).toEqual(links);
    }),
    { numRuns: 300 },
  );
});

function problems(sent: unknown): Record<string, string> {
  const { error } = profileLinks.safeParse(sent);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
}
