import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { processorTime } from "#tests/support/measurements.ts";

import { readLinkFile } from "./import-links.server.ts";
import { selectNewLinks } from "#app/features/links/rules.ts";
import { profileLinks } from "#app/features/links/schema.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readLinkFile(encode(text));
const readProblem = (text: string) => {
  const result = read(text);
  return "problem" in result ? result.problem : undefined;
};

function readLinks(text: string) {
  const result = read(text);
  if ("problem" in result) throw new Error(result.problem);
  return result;
}

const linktree = (data: unknown, body = "") =>
  `<!DOCTYPE html><html><head><title>Ada | Linktree</title><link rel="canonical" href="https://linktr.ee/ada"/>
  <script>if (a < b) document.write("<a href='https://trap.example'>no</a>")</script></head><body>${body}
  <a href="https://linktr.ee/s/about">Linktree</a>
  <script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script></body></html>`;

describe("a saved Linktree page", () => {
  test("returns the links and social links of its embedded data in order", () => {
    const pageProps = {
      account: {
        username: "ada",
        links: [{ id: 1, type: "CLASSIC", title: "My shop & more", url: "https://shop.example/a?b=1" }],
      },
      links: [
        { id: 1, title: "My shop & more", url: "https://shop.example/a?b=1" },
        { id: 2, type: "HEADER", title: "Writing" },
        { id: 3, title: "Blog", url: "https://blog.example" },
      ],
      socialLinks: [{ type: "INSTAGRAM", url: "https://www.instagram.com/ada" }],
    };
    const { links, left } = readLinks(linktree({ props: { pageProps } }));
    expect(links.map(({ kind, label, url }) => [kind, label, url])).toEqual([
      ["link", "My shop & more", "https://shop.example/a?b=1"],
      ["heading", "Writing", ""],
      ["link", "Blog", "https://blog.example"],
      ["link", "Instagram", "https://www.instagram.com/ada"],
    ]);
    expect(left).toEqual([]);
  });

  test("returns its anchors when the embedded data has no links", () => {
    const body = `<a href="https://shop.example"><div><p>My&nbsp;shop</p><span>Open &amp; ready</span></div></a>
      <a href="/relative">No</a><a href="https://linktr.ee/other">No</a><a href="#top">No</a>
      <a aria-label="Instagram" href="HTTPS://instagram.com/ada"><svg></svg></a><a href="https://only.example"></a>`;
    expect(readLinks(linktree({ props: {} }, body)).links).toEqual([
      { kind: "link", label: "My shop Open & ready", url: "https://shop.example" },
      { kind: "link", label: "Instagram", url: "https://instagram.com/ada" },
      { kind: "link", label: "only.example", url: "https://only.example" },
    ]);
  });
});

describe("any other saved page", () => {
  test("returns each link to another site once", () => {
    const page = `<!-- saved from url=(0027)https://www.ada.example/me --><html><body>
      <a href="https://ada.example/about">About</a><a href="https://github.com/ada">GitHub</a>
      <A HREF=https://github.com/ada>Again</A><a href='https://b.example'>B<!-- no --></body>`;
    expect(readLinks(page).links).toEqual([
      { kind: "link", label: "GitHub", url: "https://github.com/ada" },
      { kind: "link", label: "B", url: "https://b.example" },
    ]);
  });

  test("reports an address that runs code as left out", () => {
    const { links, left } = readLinks(`<a href="javascript:alert(1)">Win</a><a href="https://a.example">A</a>`);
    expect(links).toEqual([{ kind: "link", label: "A", url: "https://a.example" }]);
    expect(left).toEqual(["“Win” (invalid URL)"]);
  });
});

describe("a JSON file", () => {
  test.each([
    [
      `[{"label":"A","url":"a.example"},{"name":"B","url":"https://b.example"},{"title":"C","url":"mailto:c@c.example"}]`,
    ],
    [
      `{"links":[{"label":"A","url":"a.example"},{"name":"B","url":"https://b.example"},{"title":"C","url":"mailto:c@c.example"}]}`,
    ],
  ])("is read with label, name or title as the name of a link: %s", (json) => {
    expect(readLinks(json).links).toEqual([
      { kind: "link", label: "A", url: "https://a.example" },
      { kind: "link", label: "B", url: "https://b.example" },
      { kind: "link", label: "C", url: "mailto:c@c.example" },
    ]);
  });

  test("shortens long names and uses the host for missing ones", () => {
    const { links } = readLinks(
      JSON.stringify([{ label: "x".repeat(80), url: "https://a.example" }, { url: "https://www.b.example/c" }]),
    );
    expect(links).toEqual([
      { kind: "link", label: `${"x".repeat(59)}…`, url: "https://a.example" },
      { kind: "link", label: "b.example", url: "https://www.b.example/c" },
    ]);
  });

  test("names the first invalid links and counts the rest", () => {
    const { left } = readLinks(
      JSON.stringify(Array.from({ length: 9 }, (_, n) => ({ label: `L${n}`, url: "data:text/html,x" }))),
    );
    expect(left).toHaveLength(6);
    expect(left.at(-1)).toBe("and 4 more");
  });

  test("is not affected by __proto__ and constructor keys", () => {
    const { links } = readLinks(
      `{"__proto__":{"links":[{"label":"A","url":"https://a.example"}],"polluted":1},"constructor":{"prototype":{}}}`,
    );
    expect(links.length).toBeLessThanOrEqual(1);
    expect({}).not.toHaveProperty("polluted");
  });
});

test("a list of links keeps headings and cards, and takes an unknown kind as a plain link", () => {
  const list = [
    { kind: "heading", label: "Watch", url: "" },
    { kind: "media", label: "Talk", url: "https://youtu.be/1" },
    { kind: "media", label: "Blog", url: "https://blog.example" },
    { kind: "carousel", label: "Shop", url: "https://shop.example" },
  ];
  expect(readLinks(JSON.stringify(list)).links.map(({ kind }) => kind)).toEqual(["heading", "media", "link", "link"]);
});

describe("an unusable file is refused with the reason", () => {
  test.each([
    ["nothing", "", "This file is empty"],
    ["words", "Dear Ada, my site is https://a.example", "Choose a saved page"],
    ["a page without links", "<html><body><p>Hi</p></body></html>", "contains no links"],
    ["a list without links", "[]", "contains no links"],
    ["a list that is cut off", `[{"label":"A","url":"https://a.ex`, "incomplete or damaged"],
    ["NULs", "<a href='https://a.example'>\0</a>", "This isn't a text file"],
    ["two megabytes", "<p>".repeat(700_000), "This file is larger than 1 MB"],
    ["a word of JSON", `"links"`, "contains no links"],
  ])("%s", (_, file, problem) => {
    expect(readProblem(file)).toMatch(problem);
  });
});

describe("selectNewLinks", () => {
  const toLink = (url: string) => ({ kind: "link" as const, label: url, url });
  const toHeading = (label: string) => ({ kind: "heading" as const, label, url: "" });
  const own = ["https://www.a.example/", "https://b.example"].map(toLink);
  const links = ["http://a.example", "https://c.example", "https://c.example/"].map(toLink);

  test("skips known addresses and stops at eight links in total", () => {
    expect(selectNewLinks(own, links)).toMatchObject({
      added: [{ url: "https://c.example" }],
      newCount: 1,
      duplicates: 2,
    });
    const many = Array.from({ length: 12 }, (_, n) => toLink(`https://${n}.example`));
    const { added, newCount } = selectNewLinks(own, many);
    expect([added.length, newCount]).toEqual([6, 12]);
    expect(selectNewLinks(many.slice(0, 8), many).added).toEqual([]);
  });

  test("takes headings beside eight links, each text once", () => {
    const full = Array.from({ length: 8 }, (_, n) => toLink(`https://${n}.example`));
    const { added } = selectNewLinks([...full, toHeading("Shop")], [toHeading("Work"), toHeading("Shop"), ...links]);
    expect(added).toEqual([toHeading("Work")]);
  });
});

describe("a hostile file", () => {
  const times = (text: string) => text.repeat(Math.floor(990_000 / text.length));
  test.each([
    ["a tag of nothing but attributes", `<a ${Array.from({ length: 140_000 }, (_, n) => `a${n}`).join(" ")}>x</a>`],
    ["elements within elements", times("<div>")],
    ["anchors within anchors", times("<a href=https://a.example>x")],
    ["formatting that a tree would repeat", `${"<font size=1>".repeat(30_000)}${times("<p>").slice(0, 500_000)}`],
    ["a comment that never ends", `<p><!-- ${times("- -")}`],
    ["comments", times("<!---->")],
    ["entities", `<a href="https://a.example">${times("&amp;&lt")}</a>`],
    ["tags that never end", times("<a href='")],
    ["words in pieces", `<a href=https://a.example>${times("x<b>")}`],
    ["lists within lists", `${"[".repeat(400_000)}${"]".repeat(400_000)}`],
    ["objects within objects", `${'{"links":'.repeat(60_000)}1${"}".repeat(60_000)}`],
    ["a hundred thousand lists", `{${Array.from({ length: 60_000 }, (_, n) => `"${n}":{}`).join(",")}}`],
    ["accents", JSON.stringify([{ label: `a${"\u0301".repeat(400_000)}`, url: "https://a.example" }])],
    ["one endless address", JSON.stringify([{ label: "a", url: `https://a.example/${"a".repeat(900_000)}` }])],
  ])("%s is read or refused in linear time", async (_, file) => {
    const bytes = encode(file).slice(0, 1_000_000);
    const { seconds } = await processorTime(() => readLinkFile(bytes));
    expect(seconds).toBeLessThan(1.5);
  });

  test("never throws, and every returned link is valid for the form", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.webUrl(),
      fc.constantFrom("javascript:alert(1)", "a.example", "__proto__"),
    );
    const item = fc.dictionary(
      fc.constantFrom("kind", "label", "name", "title", "url", "href", "links", "__proto__"),
      fc.oneof(text, fc.jsonValue()),
    );
    const file = fc.oneof(
      fc.array(item).map((items) => JSON.stringify(items)),
      fc.array(item).map((links) => JSON.stringify({ links })),
      fc
        .array(fc.tuple(text, text))
        .map((anchors) => anchors.map(([url, label]) => `<a href="${url}">${label}</a>`).join("<p>")),
      fc.jsonValue().map((data) => linktree(data)),
      fc.string({ unit: "binary", maxLength: 300 }),
    );
    fc.assert(
      fc.property(file, (content) => {
        const result = read(content.replaceAll("\0", ""));
        if ("problem" in result) return;
        for (const link of result.links)
          expect(profileLinks.safeParse([{ ...link, on: true }]).data).toMatchObject([link]);
      }),
      { numRuns: 500 },
    );
  });
});
