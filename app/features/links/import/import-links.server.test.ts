import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { readLinkFile } from "./import-links.server.ts";
import { selectNewLinks } from "#app/features/links/rules.ts";
import { profileLinks } from "#app/features/links/schema.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readLinkFile(encode(text));

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
    const links = [
      { id: 1, title: "My shop & more", url: "https://shop.example/a?b=1" },
      { id: 2, type: "HEADER", title: "Writing" },
      { id: 3, title: "Blog", url: "https://blog.example" },
    ];
    const account = { username: "ada", links: [{ ...links[0], type: "CLASSIC" }] };
    const socialLinks = [{ type: "INSTAGRAM", url: "https://www.instagram.com/ada" }];
    expect(readLinks(linktree({ props: { pageProps: { account, links, socialLinks } } }))).toMatchObject({
      links: [
        { kind: "link", label: "My shop & more", url: "https://shop.example/a?b=1" },
        { kind: "heading", label: "Writing", url: "" },
        { kind: "link", label: "Blog", url: "https://blog.example" },
        { kind: "link", label: "Instagram", url: "https://www.instagram.com/ada" },
      ],
      left: [],
    });
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
  test("is a list or has one, with label, name or title as the name of a link", () => {
    const list = `[{"label":"A","url":"a.example"},{"name":"B","url":"https://b.example"},{"title":"C","url":"mailto:c@c.example"}]`;
    for (const json of [list, `{"links":${list}}`])
      expect(readLinks(json).links).toEqual([
        { kind: "link", label: "A", url: "https://a.example" },
        { kind: "link", label: "B", url: "https://b.example" },
        { kind: "link", label: "C", url: "mailto:c@c.example" },
      ]);
  });

  test("shortens long names, uses the host for missing ones, and names the first invalid links", () => {
    const valid = [{ label: "x".repeat(80), url: "https://a.example" }, { url: "https://www.b.example/c" }];
    const invalid = Array.from({ length: 9 }, (_, n) => ({ label: `L${n}`, url: "data:text/html,x" }));
    const { links, left } = readLinks(JSON.stringify([...valid, ...invalid]));
    expect(links).toEqual([
      { kind: "link", label: `${"x".repeat(59)}…`, url: "https://a.example" },
      { kind: "link", label: "b.example", url: "https://www.b.example/c" },
    ]);
    expect([left.length, left.at(-1)]).toEqual([6, "and 4 more"]);
  });

  test("is not affected by __proto__ and constructor keys", () => {
    const links = `{"links":[{"label":"A","url":"https://a.example"}],"polluted":1}`;
    expect(readLinks(`{"__proto__":${links},"constructor":{"prototype":{}}}`).links.length).toBeLessThanOrEqual(1);
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

test.each([
  ["nothing", "", "This file is empty"],
  ["words", "Dear Ada, my site is https://a.example", "Choose a saved page"],
  ["a page without links", "<html><body><p>Hi</p></body></html>", "contains no links"],
  ["a list without links", "[]", "contains no links"],
  ["a list that is cut off", `[{"label":"A","url":"https://a.ex`, "incomplete or damaged"],
  ["NULs", "<a href='https://a.example'>\0</a>", "This isn't a text file"],
  ["two megabytes", "<p>".repeat(700_000), "This file is larger than 1 MB"],
])("an unusable file is refused with the reason: %s", (_, file, problem) => {
  expect(read(file)).toEqual({ problem: expect.stringContaining(problem) });
});

describe("selectNewLinks", () => {
  const toLink = (url: string) => ({ kind: "link" as const, label: url, url });
  const toHeading = (label: string) => ({ kind: "heading" as const, label, url: "" });
  const own = ["https://www.a.example/", "https://b.example"].map(toLink);
  const links = ["http://a.example", "https://c.example", "https://c.example/"].map(toLink);

  test("skips known addresses and stops at eight links in total", () => {
    const added = [{ url: "https://c.example" }];
    expect(selectNewLinks(own, links)).toMatchObject({ added, newCount: 1, duplicates: 2 });
    const many = Array.from({ length: 12 }, (_, n) => toLink(`https://${n}.example`));
    const selected = selectNewLinks(own, many);
    expect([selected.added.length, selected.newCount]).toEqual([6, 12]);
    expect(selectNewLinks(many.slice(0, 8), many).added).toEqual([]);
  });

  test("takes headings beside eight links, each text once", () => {
    const full = Array.from({ length: 8 }, (_, n) => toLink(`https://${n}.example`));
    const { added } = selectNewLinks([...full, toHeading("Shop")], [toHeading("Work"), toHeading("Shop"), ...links]);
    expect(added).toEqual([toHeading("Work")]);
  });
});

const times = (text: string) => text.repeat(Math.floor(290_000 / text.length));

test("a hostile file is read or refused in linear time", async () => {
  const files = [
    `<a ${Array.from({ length: 40_000 }, (_, n) => `a${n}`).join(" ")}>x</a>`,
    times("<div>"),
    times("<a href=https://a.example>x"),
    // A tree would repeat the formatting in each paragraph.
    `${"<font size=1>".repeat(10_000)}${times("<p>").slice(0, 150_000)}`,
    `<p><!-- ${times("- -")}`,
    `<a href="https://a.example">${times("&amp;&lt")}</a>`,
    times("<a href='"),
    `<a href=https://a.example>${times("x<b>")}`,
    `${"[".repeat(150_000)}${"]".repeat(150_000)}`,
    `${'{"links":'.repeat(30_000)}1${"}".repeat(30_000)}`,
    `{${Array.from({ length: 20_000 }, (_, n) => `"${n}":{}`).join(",")}}`,
    JSON.stringify([{ label: `a${"\u0301".repeat(150_000)}`, url: "https://a.example" }]),
    JSON.stringify([{ label: "a", url: `https://a.example/${"a".repeat(250_000)}` }]),
  ].map(encode);
  const scans = await timeInScans(() => files.map(readLinkFile), 25);
  expect(scans).toBeLessThan(25);
});

test("a hostile file never breaks reading, and every returned link is valid for the form", () => {
  const odd = fc.constantFrom("javascript:alert(1)", "a.example", "__proto__");
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 80 }), fc.webUrl(), odd);
  const names = fc.constantFrom("kind", "label", "name", "title", "url", "href", "links", "__proto__");
  const item = fc.dictionary(names, fc.oneof(text, fc.jsonValue()));
  const file = fc.oneof(
    fc.array(item).map((items) => JSON.stringify(items)),
    fc.array(item).map((links) => JSON.stringify({ links })),
    fc.array(fc.tuple(text, text).map(([url, label]) => `<a href="${url}">${label}</a>`)).map((all) => all.join("<p>")),
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
    { numRuns: 200 },
  );
});
