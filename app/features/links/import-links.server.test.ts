import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { processorTime } from "#tests/support/processor-time.ts";

import { profileLinks } from "./form.ts";
import { linksToAdd } from "./import-answer.ts";
import { readLinkFile } from "./import-links.server.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readLinkFile(encode(text));
const problemOf = (text: string) => {
  const answer = read(text);
  return "problem" in answer ? answer.problem : undefined;
};

function linksOf(text: string) {
  const answer = read(text);
  if ("problem" in answer) throw new Error(answer.problem);
  return answer;
}

const linktree = (data: unknown, body = "") =>
  `<!DOCTYPE html><html><head><title>Ada | Linktree</title><link rel="canonical" href="https://linktr.ee/ada"/>
  <script>if (a < b) document.write("<a href='https://trap.example'>no</a>")</script></head><body>${body}
  <a href="https://linktr.ee/s/about">Linktree</a>
  <script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script></body></html>`;

describe("a page of Linktree", () => {
  test("gives the links that are in its data, in their order, and those to other networks", () => {
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
    const { links, left } = linksOf(linktree({ props: { pageProps } }));
    expect(links.map(({ label, url }) => [label, url])).toEqual([
      ["My shop & more", "https://shop.example/a?b=1"],
      ["Blog", "https://blog.example"],
      ["Instagram", "https://www.instagram.com/ada"],
    ]);
    expect(left).toEqual(["“Writing” (no address that a link can have)"]);
  });

  test("gives its anchors where the data hold none", () => {
    const body = `<a href="https://shop.example"><div><p>My&nbsp;shop</p><span>Open &amp; ready</span></div></a>
      <a href="/relative">No</a><a href="https://linktr.ee/other">No</a><a href="#top">No</a>
      <a aria-label="Instagram" href="HTTPS://instagram.com/ada"><svg></svg></a><a href="https://only.example"></a>`;
    expect(linksOf(linktree({ props: {} }, body)).links).toEqual([
      { label: "My shop Open & ready", url: "https://shop.example" },
      { label: "Instagram", url: "https://instagram.com/ada" },
      { label: "only.example", url: "https://only.example" },
    ]);
  });
});

describe("any other saved page", () => {
  test("gives what leads away from its own site, once", () => {
    const page = `<!-- saved from url=(0027)https://www.ada.example/me --><html><body>
      <a href="https://ada.example/about">About</a><a href="https://github.com/ada">GitHub</a>
      <A HREF=https://github.com/ada>Again</A><a href='https://b.example'>B<!-- no --></body>`;
    expect(linksOf(page).links).toEqual([
      { label: "GitHub", url: "https://github.com/ada" },
      { label: "B", url: "https://b.example" },
    ]);
  });

  test("drops an address that is a program, and says so", () => {
    const { links, left } = linksOf(`<a href="javascript:alert(1)">Win</a><a href="https://a.example">A</a>`);
    expect(links).toEqual([{ label: "A", url: "https://a.example" }]);
    expect(left).toEqual(["“Win” (no address that a link can have)"]);
  });
});

describe("a list as JSON", () => {
  test.each([
    [
      `[{"label":"A","url":"a.example"},{"name":"B","url":"https://b.example"},{"title":"C","url":"mailto:c@c.example"}]`,
    ],
    [
      `{"links":[{"label":"A","url":"a.example"},{"name":"B","url":"https://b.example"},{"title":"C","url":"mailto:c@c.example"}]}`,
    ],
  ])("is read whatever it calls the name of a link: %s", (json) => {
    expect(linksOf(json).links).toEqual([
      { label: "A", url: "https://a.example" },
      { label: "B", url: "https://b.example" },
      { label: "C", url: "mailto:c@c.example" },
    ]);
  });

  test("a name that is too long is shortened, one that is missing is the host's", () => {
    const { links } = linksOf(
      JSON.stringify([{ label: "x".repeat(80), url: "https://a.example" }, { url: "https://www.b.example/c" }]),
    );
    expect(links).toEqual([
      { label: `${"x".repeat(59)}…`, url: "https://a.example" },
      { label: "b.example", url: "https://www.b.example/c" },
    ]);
  });

  test("of many that can't be links the first are named and the rest are counted", () => {
    const { left } = linksOf(
      JSON.stringify(Array.from({ length: 9 }, (_, n) => ({ label: `L${n}`, url: "data:text/html,x" }))),
    );
    expect(left).toHaveLength(6);
    expect(left.at(-1)).toBe("and 4 more");
  });

  test("keys that are nobody's data change nothing", () => {
    const { links } = linksOf(
      `{"__proto__":{"links":[{"label":"A","url":"https://a.example"}],"polluted":1},"constructor":{"prototype":{}}}`,
    );
    expect(links.length).toBeLessThanOrEqual(1);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("a wrong file says what is wrong with it", () => {
  test.each([
    ["nothing", "", "This file is empty"],
    ["words", "Dear Ada, my site is https://a.example", "This is neither a saved page"],
    ["a page without links", "<html><body><p>Hi</p></body></html>", "There are no links"],
    ["a list without links", "[]", "There are no links"],
    ["a list that is cut off", `[{"label":"A","url":"https://a.ex`, "ends in the middle"],
    ["NULs", "<a href='https://a.example'>\0</a>", "This file holds no text"],
    ["two megabytes", "<p>".repeat(700_000), "This file is larger than 1 MB"],
    ["a word of JSON", `"links"`, "There are no links"],
  ])("%s", (_, file, problem) => {
    expect(problemOf(file)).toMatch(problem);
  });
});

describe("what is added to the form", () => {
  const own = [{ url: "https://www.a.example/" }, { url: "https://b.example" }];
  const links = ["http://a.example", "https://c.example", "https://c.example/"].map((url) => ({ label: url, url }));

  test("is what is not there yet, and no more than eight in all", () => {
    expect(linksToAdd(own, links)).toMatchObject({ taken: [{ url: "https://c.example" }], fresh: 1, doubles: 2 });
    const many = Array.from({ length: 12 }, (_, n) => ({ label: `${n}`, url: `https://${n}.example` }));
    const { taken, fresh } = linksToAdd(own, many);
    expect([taken.length, fresh]).toEqual([6, 12]);
    expect(linksToAdd(many.slice(0, 8), many).taken).toEqual([]);
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
  ])("%s is read or refused at once", async (_, file) => {
    const bytes = encode(file).slice(0, 1_000_000);
    const { seconds } = await processorTime(() => readLinkFile(bytes));
    expect(seconds).toBeLessThan(1.5);
  });

  test("whatever it holds, reading it never fails, and the form takes what comes out", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.webUrl(),
      fc.constantFrom("javascript:alert(1)", "a.example", "__proto__"),
    );
    const item = fc.dictionary(
      fc.constantFrom("label", "name", "title", "url", "href", "links", "__proto__"),
      fc.oneof(text, fc.jsonValue()),
    );
    const file = fc.oneof(
      fc.array(item).map((items) => JSON.stringify(items)),
      fc.array(item).map((links) => JSON.stringify({ links })),
      fc
        .array(fc.tuple(text, text))
        .map((anchors) => anchors.map(([url, words]) => `<a href="${url}">${words}</a>`).join("<p>")),
      fc.jsonValue().map((data) => linktree(data)),
      fc.string({ unit: "binary", maxLength: 300 }),
    );
    fc.assert(
      fc.property(file, (words) => {
        const answer = read(words.replaceAll("\0", ""));
        if ("problem" in answer) return;
        for (const link of answer.links)
          expect(profileLinks.safeParse([{ ...link, on: true }]).data).toMatchObject([link]);
      }),
      { numRuns: 500 },
    );
  });
});
