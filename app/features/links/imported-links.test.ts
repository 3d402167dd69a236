import { describe, expect, test } from "vitest";

import { selectNewLinks } from "./imported-links.ts";
import type { ImportedLink } from "./imported-links.ts";

type Listed = readonly ImportedLink[];

describe("selectNewLinks", () => {
  const select = (own: Listed, imported: Listed) => selectNewLinks(own, { imported, maxLinks: 8 });
  const toLink = (url: string) => ({ kind: "link" as const, label: url, url });
  const toHeading = (label: string) => ({ kind: "heading" as const, label, url: "" });
  const own = ["https://www.a.example/", "https://b.example"].map(toLink);
  const links = ["http://a.example", "https://c.example", "https://c.example/"].map(toLink);

  test("skips known addresses and stops at eight links in total", () => {
    const added = [{ url: "https://c.example" }];
    expect(select(own, links)).toMatchObject({ added, rest: [], duplicates: 2 });
    const many = Array.from({ length: 12 }, (_, n) => toLink(`https://${n}.example`));
    const selected = select(own, many);
    expect([selected.added.length, selected.rest]).toEqual([6, many.slice(6)]);
    expect(select(many.slice(0, 8), many).added).toEqual([]);
  });

  test("takes headings beside eight links, each text once", () => {
    const full = Array.from({ length: 8 }, (_, n) => toLink(`https://${n}.example`));
    const { added } = select([...full, toHeading("Shop")], [toHeading("Work"), toHeading("Shop"), ...links]);
    expect(added).toEqual([toHeading("Work")]);
  });
});
