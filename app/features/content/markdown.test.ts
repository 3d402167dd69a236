import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readElements } from "#tests/support/app/responses.ts";

import { escapeMarkdown, renderMarkdown } from "./markdown.ts";

describe("an operator's text", () => {
  test("has a title and a table of contents", () => {
    const { title, html, sections } = renderMarkdown("# Privacy & *you*\n\nHello.\n\n## Who\n\n### More\n\n## Who\n");
    expect(title).toBe("Privacy & you");
    expect(html).not.toContain("<h1");
    expect(sections).toEqual([
      { id: "who", label: "Who" },
      { id: "who-2", label: "Who" },
    ]);
    expect(html).toContain('<h3 id="more">More</h3>');
  });

  test.each([
    ["## A\n\n#### B\n\n## C", "h2 h3 h2"],
    ["### A\n\n### B\n\n#### C", "h2 h2 h3"],
    ["text\n\n# A\n\n## B\n\n# C", "h2 h3 h2"],
    ["# T\n\n#### A\n\n###### B", "h2 h3"],
    ["# T\n\n# A\n\n###### B\n\n###### C", "h2 h3 h3"],
  ])("skips no heading level below the title: %j", (text, order) => {
    const tags = elements(renderMarkdown(text).html).map(({ tag }) => tag);
    expect(tags.filter((tag) => /^h\d$/.test(tag)).join(" ")).toBe(order);
  });

  test("can lack a title, and be empty", () => {
    expect(renderMarkdown("Hello")).toEqual({ title: undefined, html: "<p>Hello</p>", sections: [] });
    expect(renderMarkdown("")).toEqual({ title: undefined, html: "", sections: [] });
  });

  test("avoids the ids that the page uses", () => {
    expect(renderMarkdown("## Content\n\n## Site menu\n\n## Theme menu\n\n## End\n\n## 日本\n\n## ?!").html).toMatch(
      /id="content-2".*id="site-menu-2".*id="theme-menu-2".*id="end-2".*id="日本".*id="section"/s,
    );
  });

  test("shows tags as text, and links only to web pages, mail addresses and this site", () => {
    const { html } = renderMarkdown(
      [
        "<script>alert(1)</script> <b onclick=x>b</b>",
        "<div>\n<h1>x</h1></div>",
        "[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](irc://evil.example) [e](xmpp:x)",
        "![f](https://evil.example/track.png)",
        "[g](https://good.example) [h](mailto:a@b.example) [i](/contact) [j](#who) <https://k.example>",
      ].join("\n\n"),
    );
    expect(html).not.toMatch(/<(?:script|b|div|img|h1)\b/);
    const addresses = elements(html).map(({ attributes }) => attributes["href"] ?? "");
    expect(addresses.filter((address) => address !== "")).toEqual([
      "https://evil.example/track.png",
      "https://good.example",
      "mailto:a@b.example",
      "/contact",
      "#who",
      "https://k.example",
    ]);
  });

  test("can't break out, whatever it is", () => {
    const odd = fc.constantFrom(...`< > " & \` # [ ]( ) javascript: <script> &#60; h1`.split(" "), "\n");
    const text = fc.array(fc.oneof(odd, fc.string()), { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (markdown) => {
        for (const { tag, attributes } of elements(renderMarkdown(markdown).html)) {
          expect(allowed).toContain(tag);
          for (const [name, value] of Object.entries(attributes)) {
            expect(["href", "id", "title", "class", "start"]).toContain(name);
            if (name === "href") expect(value).toMatch(/^(?:https?:\/\/|mailto:|#|\/(?!\/)|$)/i);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("a name with the signs of Markdown in it is shown as it is", () => {
  const name = "A*B* _c_ [d](https://e.example) <f> & `g` #h 1. \\ |~";
  expect(elements(renderMarkdown(`By ${escapeMarkdown(name)}.`).html)).toMatchObject([
    { tag: "p", text: `By ${name}.` },
  ]);
  expect(renderMarkdown(escapeMarkdown("1 Street\nTown")).html).toBe("<p>1 Street<br />\nTown</p>");
});

const allowed = "a p h2 h3 h4 h5 h6 ul ol li em strong code pre blockquote br hr".split(" ");

/** The elements of rendered text, without those that a parser adds around it. */
function elements(html: string) {
  return readElements(html).filter(({ tag }) => !["html", "head", "body"].includes(tag));
}
