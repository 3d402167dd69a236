import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { isAllowedAddress } from "./rules.ts";
import { professionalLinks, profileLinks } from "./schema.ts";

const always = { from: null, until: null, tab: null };
const link = { id: "1", label: "GitHub", url: "https://github.com/ada", on: true, ...always };

describe("the links of a profile", () => {
  test("are cleaned: spaces, control characters and a missing scheme", () => {
    const sent = [{ id: "1", label: " Git\0Hub\r\n", url: " github.com/ada ", on: true }];
    expect(profileLinks.parse(sent)).toEqual([{ ...link, label: "GitHub" }]);
  });

  test("accept name for label and optional fields missing, and ignore unknown fields", () => {
    expect(profileLinks.parse([{ name: "GitHub", url: link.url, color: "red" }])).toEqual([{ ...link, id: "" }]);
    expect(profileLinks.parse([{ ...link, name: "Other" }])).toEqual([link]);
  });

  test("accept a switch from JSON and from a form", () => {
    const shown = [true, false, "on", "off", "1", "0", ""].map((on) => profileLinks.parse([{ ...link, on }])[0]?.on);
    expect(shown).toEqual([true, false, true, false, true, false, false]);
  });

  test("replace an invalid or repeated id with an empty one", () => {
    const sent = [link, link, { ...link, id: "<script>" }, { ...link, id: 5 }];
    expect(profileLinks.parse(sent).map(({ id }) => id)).toEqual(["1", "", "", ""]);
  });

  test("drop links without label and address and don't count them towards the limit of eight", () => {
    const empty = { label: " ", url: "", on: true };
    const many = (count: number) => Array.from({ length: count }, () => link);
    expect(profileLinks.parse([empty, link, {}, { label: null, name: "\0", url: " " }])).toEqual([link]);
    expect(profileLinks.safeParse([...many(8), empty]).success).toBe(true);
    expect(problems([...many(9), empty])).toEqual({ "": "You can add a maximum of 8 links." });
  });

  test("report errors at the index of the row that was sent, also after dropped rows", () => {
    const sent = [
      { label: "", url: "" },
      { label: "", url: "github.com" },
      { label: "x", url: "" },
      { label: "y", url: "javascript:alert(1)" },
    ];
    expect(problems(sent)).toEqual({
      "1.label": "Link name is required",
      "2.url": "Invalid URL",
      "3.url": "Invalid URL",
    });
    expect(problems([{ ...link, label: "x".repeat(61) }])).toEqual({
      "0.label": "Use at most 60 characters for the name.",
    });
    expect(problems([{ ...link, url: `https://a.example/${"x".repeat(2048)}` }])).toEqual({ "0.url": "Invalid URL" });
    expect(problems([{ ...link, label: "\u200b\u2060" }])).toEqual({ "0.label": "Link name is required" });
    expect(problems([{ label: 5, url: {} }])).toEqual({ "0.label": "Link name is required", "0.url": "Invalid URL" });
    expect(problems(["x"])).toEqual({ "0": "The links could not be read." });
    expect(problems({ 0: link })).toEqual({ "": "The links could not be read." });
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
  const field = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.constantFrom("a.example", "javascript:x", "https://a.example/e\u200e\u0301"),
    fc.anything(),
  );
  const sent = fc.oneof(
    fc.array(fc.record({ label: field, name: field, url: field, on: field, id: field }, { requiredKeys: [] })),
    fc.anything(),
  );
  fc.assert(
    fc.property(sent, (input) => {
      const read = profileLinks.safeParse(input);
      const links = read.success ? read.data : [];
      expect(links.length).toBeLessThanOrEqual(8);
      expect(links.filter(({ label, url }) => !label || /\p{Cc}/u.test(label) || !isAllowedAddress(url))).toEqual([]);
      expect(read.success || read.error.issues.length > 0).toBe(true);
      expect(profileLinks.parse(links)).toEqual(links);
    }),
    { numRuns: 500 },
  );
});

function problems(sent: unknown): Record<string, string> {
  const { error } = profileLinks.safeParse(sent);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
}
