import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { readLinkFile } from "./import-links.server.ts";
import { linkImportMessages } from "#app/features/links/import-messages.ts";
import { profileLinks } from "#app/features/links/schema.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readLinkFile(encode(text));

async function readLinks(text: string) {
  const result = await read(text);
  if ("problem" in result) throw new Error(result.problem);
  return result;
}

const linktree = (data: unknown, body = "") =>
  `<!DOCTYPE html><html><head><title>Ada | Linktree</title><link rel="canonical" href="https://linktr.ee/ada"/>
  <script>if (a < b) document.write("<a href='https://trap.example'>no</a>")</script></head><body>${body}
  <a href="https://linktr.ee/s/about">Linktree</a>
  <script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script></body></html>`;

describe("a saved Linktree page", () => {
  test("returns the links and social links of its embedded data in order", async () => {
    const links = [
      { id: 1, title: "My shop & more", url: "https://shop.example/a?b=1" },
      { id: 2, type: "HEADER", title: "Writing" },
      { id: 3, title: "Blog", url: "https://blog.example" },
    ];
    const account = { username: "ada", links: [{ ...links[0], type: "CLASSIC" }] };
    const socialLinks = [{ type: "INSTAGRAM", url: "https://www.instagram.com/ada" }];
    expect(await readLinks(linktree({ props: { pageProps: { account, links, socialLinks } } }))).toMatchObject({
      links: [
        { kind: "link", label: "My shop & more", url: "https://shop.example/a?b=1" },
        { kind: "heading", label: "Writing", url: "" },
        { kind: "link", label: "Blog", url: "https://blog.example" },
        { kind: "link", label: "Instagram", url: "https://www.instagram.com/ada" },
      ],
      left: [],
    });
  });

  test("returns its anchors when the embedded data has no links", async () => {
    const body = `<a href="https://shop.example"><div><p>My&nbsp;shop</p><span>Open &amp; ready</span></div></a>
      <a href="/relative">No</a><a href="https://linktr.ee/other">No</a><a href="#top">No</a>
      <a aria-label="Instagram" href="HTTPS://instagram.com/ada"><svg></svg></a><a href="https://only.example"></a>`;
    expect((await readLinks(linktree({ props: {} }, body))).links).toEqual([
      { kind: "link", label: "My shop Open & ready", url: "https://shop.example" },
      { kind: "link", label: "Instagram", url: "https://instagram.com/ada" },
      { kind: "link", label: "only.example", url: "https://only.example" },
    ]);
  });
});

test("any other saved page returns each link to another site once", async () => {
  const page = `<!-- saved from url=(0027)https://www.ada.example/me --><html><body>
    <a href="https://ada.example/about">About</a><a href="https://github.com/ada">GitHub</a>
    <A HREF=https://github.com/ada>Again</A><a href='https://b.example'>B<!-- no --></body>`;
  expect((await readLinks(page)).links).toEqual([
    { kind: "link", label: "GitHub", url: "https://github.com/ada" },
    { kind: "link", label: "B", url: "https://b.example" },
  ]);
});

describe("a JSON file", () => {
  test("is a list or has one, with label, name or title as the name of a link", async () => {
    const list = `[{"label":"A","url":"a.example"},{"name":"B","url":"https://b.example"},{"title":"C","url":"mailto:c@c.example"}]`;
    for (const json of [list, `{"links":${list}}`])
      expect((await readLinks(json)).links).toEqual([
        { kind: "link", label: "A", url: "https://a.example" },
        { kind: "link", label: "B", url: "https://b.example" },
        { kind: "link", label: "C", url: "mailto:c@c.example" },
      ]);
  });

  test("shortens long names, uses the host for missing ones, and names the first invalid links", async () => {
    const valid = [{ label: "x".repeat(80), url: "https://a.example" }, { url: "https://www.b.example/c" }];
    const invalid = Array.from({ length: 22 }, (_, n) => ({ label: `L${n}`, url: "data:text/html,x" }));
    const { links, left } = await readLinks(JSON.stringify([...valid, ...invalid]));
    expect(links).toEqual([
      { kind: "link", label: `${"x".repeat(59)}…`, url: "https://a.example" },
      { kind: "link", label: "b.example", url: "https://www.b.example/c" },
    ]);
    expect(linkImportMessages.skipped(left)).toMatch(/“L19” \(invalid URL\) and 2 more\.$/);
  });
});

test("a list of links keeps headings and cards, and takes an unknown kind as a plain link", async () => {
  const list = [
    { kind: "heading", label: "Watch", url: "" },
    { kind: "media", label: "Talk", url: "https://youtu.be/1" },
    { kind: "media", label: "Blog", url: "https://blog.example" },
    { kind: "carousel", label: "Shop", url: "https://shop.example" },
  ];
  const { links } = await readLinks(JSON.stringify(list));
  expect(links.map(({ kind }) => kind)).toEqual(["heading", "media", "link", "link"]);
});

const mhtml = `From: <Saved by Blink>
Snapshot-Content-Location: https://ada.example/me
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html"; boundary="----b----"

------b----
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<!DOCTYPE html><body><a href=3D"https://shop.exam=
ple/?a=3D1&amp;b=3D2">Caf=C3=A9</a><a href=3D"https://ada.example/about">About</a></body></html>
------b----
Content-Type: text/html

<html><a href="https://ad.example">Frame</a></html>
------b------
`.replaceAll("\n", "\r\n");

test.each([
  ["a page saved as one file", mhtml, "Café https://shop.example/?a=1&b=2 | “About” (a page of the saved site)"],
  [
    "a page saved as one file, in another charset",
    `Content-Type: text/html;\n charset="windows-1251"\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0iaHR0cHM6Ly9h\nLmV4YW1wbGUiPszo8Dwv\nYT4=\n`,
    "Мир https://a.example |",
  ],
  [
    "a page with other kinds of addresses",
    `<a href="mailto:a@a.example">Mail</a><a href="tel:+4930">Call</a><a href="sms:+4930">Text</a><a href="//a.example/x">File</a>
     <a href="shop.html">Shop</a><a>Nothing</a><a href="https://a.example/x">Again</a>`,
    "Mail mailto:a@a.example, Call tel:+4930, Text sms:+4930, File https://a.example/x | “Shop” (a page of the saved site), “Again” (listed twice)",
  ],
  [
    "a link to another link page, on a page that is none",
    `<link rel="canonical" href="https://ada.example"><a href="https://linktr.ee/ada">Links</a>`,
    "Links https://linktr.ee/ada |",
  ],
  [
    "bookmarks",
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><H3>Bar</H3><DL><p><DT><A HREF="https://a.example/?a=1&amp;b" ICON="data:x">A &amp; B</A>
     <DD>About it<DT><A HREF="javascript:x()">Run</A></DL><p></DL>`,
    "A & B https://a.example/?a=1&b | “Run” (invalid URL)",
  ],
  [
    "LinkStack",
    `{"name":"Ada","links":[{"link":null,"title":"Shops","button_id":42},{"link":"https://a.example","title":"A","button_id":1},
     {"link":null,"title":"Some text","button_id":93}]}`,
    "Shops , A https://a.example | “Some text” (no URL)",
  ],
  [
    "Linkwarden",
    `{"collections":[{"name":"x","links":[{"name":"A","url":"a.example","tags":[{"name":"t"}]}]}]}`,
    "A https://a.example |",
  ],
  [
    "bookmarks of Firefox",
    `{"title":"","children":[{"title":"menu","children":[{"title":"A","uri":"https://a.example"},{"title":"F","uri":"place:x"}]}]}`,
    "A https://a.example | “F” (invalid URL)",
  ],
  ["a list", `["a.example",{"title":"B","address":"b.example"}]`, "a.example https://a.example, B https://b.example |"],
  ["folders", `{"links":[{"title":"F","links":[{"title":"A","href":"a.example"}]}]}`, "A https://a.example |"],
  ["CSV", 'Title,T,URL\r\n"A, ""B""",x,https://a.example\r\n,,\r\nC,y,\r\n', `A, "B" https://a.example | “C” (no URL)`],
  ["CSV of Excel in German", `"Titel";"Adresse"\n"A";"a.example"\n"B";"b"\n`, "A https://a.example | “B” (no URL)"],
  ["bare CSV", "https://a.example\tA <b>\nb.example\t", "A <b> https://a.example, b.example https://b.example |"],
])("%s: returns the links, and names what is left out", async (_, file, expected) => {
  const { links, left } = await readLinks(file);
  const listed = links.map(({ label, url }) => `${label} ${url}`).join(", ");
  expect(`${listed} | ${left.join(", ")}`.trim()).toBe(expected);
});

test("a page in another charset is read as it declares", async () => {
  const page = Buffer.from(
    `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><a href="https://a.example">\xcc\xe8\xf0</a>`,
    "latin1",
  );
  expect(await readLinkFile(page)).toMatchObject({ links: [{ label: "Мир" }] });
});

test("more than 200 links are not read, which is said first", async () => {
  const many = Array.from({ length: 210 }, (_, n) => ({ title: `${n}`, url: `https://${n}.a.example` }));
  const { links, left } = await readLinks(JSON.stringify([{ title: "X", url: "x" }, ...many]));
  expect([links.length, left]).toEqual([199, ["everything after the first 200 links", "“X” (invalid URL)"]]);
});

test.each([
  ["nothing", "", "This file is empty"],
  ["words", "Dear Ada, my site is https://a.example", "Choose LinkedIn data"],
  ["a page without links", "<html><body><p>Hi</p></body></html>", "contains no links"],
  ["a list without links", "[]", "contains no links"],
  ["a list that is cut off", `[{"label":"A","url":"https://a.ex`, "incomplete or damaged"],
  ["a web archive of Safari", "bplist00\0<a href='https://a.example'>A</a>", "set the format to Page Source"],
  ["NULs", "<a href='https://a.example'>\0</a>", "This isn’t a text file"],
  ["two megabytes", "<p>".repeat(700_000), "This file is larger than 1 MB"],
])("an unusable file is refused with the reason: %s", async (_, file, problem) => {
  expect(await read(file)).toEqual({ problem: expect.stringContaining(problem) });
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
    times('a,"b'),
    times('"",'),
    `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n${times("--a\n\n")}`,
    `<a href=https://a.example>${times("x<b>")}`,
    `${"[".repeat(150_000)}${"]".repeat(150_000)}`,
    `${'{"links":'.repeat(30_000)}1${"}".repeat(30_000)}`,
    `{${Array.from({ length: 20_000 }, (_, n) => `"${n}":{}`).join(",")}}`,
    JSON.stringify([{ label: `a${"\u0301".repeat(150_000)}`, url: "https://a.example" }]),
    JSON.stringify([{ label: "a", url: `https://a.example/${"a".repeat(250_000)}` }]),
    `Content-Type: text/html\r\n\r\n${"\n".repeat(250_000)}`,
    `Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${"= ".repeat(125_000)}`,
  ].map(encode);
  const scans = await timeInScans(() => Promise.all(files.map(readLinkFile)), 25);
  expect(scans).toBeLessThan(25);
});

test("a hostile file never breaks reading, and every returned link is valid for the form", async () => {
  const odd = fc.constantFrom("javascript:alert(1)", "a.example", "__proto__");
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 80 }), fc.webUrl(), odd);
  const names = fc.constantFrom("kind", "label", "name", "url", "link", "links", "children", "__proto__");
  const item = fc.dictionary(names, fc.oneof(text, fc.jsonValue()));
  const file = fc.oneof(
    fc.array(item).map((items) => JSON.stringify(items)),
    fc.array(item).map((links) => JSON.stringify({ links })),
    fc.array(fc.tuple(text, text).map(([url, label]) => `<a href="${url}">${label}</a>`)).map((all) => all.join("<p>")),
    fc.jsonValue().map((data) => linktree(data)),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  await fc.assert(
    fc.asyncProperty(file, async (content) => {
      const result = await read(content.replaceAll("\0", ""));
      if ("problem" in result) return;
      for (const link of result.links)
        expect(profileLinks.safeParse([{ ...link, on: true }]).data).toMatchObject([link]);
    }),
    { numRuns: 200 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
