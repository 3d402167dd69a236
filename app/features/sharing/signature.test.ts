import * as fc from "fast-check";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { expect, test } from "vitest";

import { signatureHtml, signatureText } from "./signature.ts";
import type { Signature } from "./signature.ts";

const ada: Signature = {
  name: 'Ada "Countess" <Lovelace> & Co',
  work: ["Head of Research", "Analytical Engines"],
  rows: [
    { text: "+44 20 7946 0000", href: "tel:+442079460000" },
    { text: "ada@example.com", href: "mailto:ada@example.com" },
    { text: "ada.example/notes", href: "https://ada.example/notes" },
  ],
  url: "https://meishi.example/card/7f?s",
  linkText: "View my business card",
  picture: { src: "https://meishi.example/card/7f/signature.png?v=1", alt: "QR code <of> Ada", width: 96, height: 96 },
};

/** What Gmail, Outlook and Apple Mail all take. */
const allowed: Record<string, string[]> = {
  table: ["role", "cellpadding", "cellspacing", "border", "dir", "style"],
  tbody: [],
  tr: [],
  td: ["valign", "style"],
  a: ["href", "style"],
  img: ["src", "width", "height", "alt", "style"],
  b: ["style"],
  br: [],
};

test("a signature has every value in it as it was typed, in its order", () => {
  const { texts } = read(signatureHtml(ada));
  expect(texts).toEqual([
    'Ada "Countess" <Lovelace> & Co',
    "Head of Research",
    "Analytical Engines",
    "+44 20 7946 0000",
    "ada@example.com",
    "ada.example/notes",
    "View my business card",
  ]);
});

test("its picture is hosted, says how large it is and what it shows, and leads to the page with the mark of a signature", () => {
  const { elements } = read(signatureHtml(ada));
  const picture = elements.find(({ tagName }) => tagName === "img");
  expect(attributesOf(picture)).toMatchObject({
    src: ada.picture?.src,
    width: "96",
    height: "96",
    alt: ada.picture?.alt,
  });
  const addresses = elements.filter(({ tagName }) => tagName === "a").map((link) => attributesOf(link).href);
  expect(addresses).toEqual([ada.url, ...ada.rows.map(({ href }) => href), ada.url]);
});

test("its words have no colour of their own and no ground, so that a dark mail program shows them light", () => {
  const styles = read(signatureHtml(ada)).elements.map((element) => attributesOf(element).style ?? "");
  expect(styles.join(";").match(/(?<!-)color:[^;]+/g)).toEqual(Array(5).fill("color:inherit"));
  expect(styles.join(";")).not.toMatch(/background|position|flex|grid|var\(|url\(|@/);
});

test("the plain text holds the same, an address for each link to our page", () => {
  expect(signatureText(ada)).toBe(
    [ada.name, ...ada.work, ...ada.rows.map(({ text }) => text), "https://meishi.example/card/7f?s"].join("\n"),
  );
});

test("a name from right to left has its picture on the right, and nobody a line for what they left empty", () => {
  const rtl = signatureHtml({ ...ada, isRightToLeft: true });
  expect(rtl).toContain('dir="rtl"');
  expect(rtl).toContain("border-right:1px");
  const bare = signatureHtml({
    name: "Ada",
    work: ["", " "],
    rows: [{ text: "", href: "" }],
    url: ada.url,
    linkText: "",
  });
  expect(read(bare).texts).toEqual(["Ada"]);
  expect(bare).not.toMatch(/<br>|<img|border-left/);
});

test("an address that is no link stays text", () => {
  const html = signatureHtml({ ...ada, rows: [{ text: "Click", href: "javascript:alert(1)" }] });
  expect(html).toContain("Click");
  expect(html).not.toContain("javascript");
});

test("whatever the values are, the signature has only the elements and attributes that it should, and the values as text", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      `"><script>alert(1)</script>`,
      `' onerror='x`,
      "</td></table><style>",
      "<!--",
      "&lt;b&gt;",
      "]]>",
      "\0<img src=x>",
    ),
  );
  const href = fc.oneof(
    text,
    fc.webUrl(),
    text.map((rest) => `mailto:${rest}`),
    text.map((rest) => `https://x.example/${rest}`),
  );
  const signature = fc.record({
    name: text,
    work: fc.array(text, { maxLength: 3 }),
    rows: fc.array(fc.record({ text, href }), { maxLength: 4 }),
    url: href,
    linkText: text,
    picture: fc.option(fc.record({ src: href, alt: text, width: fc.nat(600), height: fc.nat(600) }), {
      nil: undefined,
    }),
    isRightToLeft: fc.boolean(),
  });
  fc.assert(
    fc.property(signature, (value) => {
      const { elements, texts, others } = read(signatureHtml(value));
      expect(others).toEqual([]);
      for (const element of elements) {
        expect(Object.keys(allowed)).toContain(element.tagName);
        expect(allowed[element.tagName]).toEqual(expect.arrayContaining(element.attrs.map(({ name }) => name)));
      }
      expect(texts.length).toBeLessThanOrEqual(2 + value.work.length + value.rows.length);
      for (const link of elements.filter(({ tagName }) => tagName === "a"))
        expect(attributesOf(link).href).toMatch(/^(https?|mailto|tel):/i);
    }),
    { numRuns: 500 },
  );
});

type Element = DefaultTreeAdapterTypes.Element;

/** The signature as a mail program reads it: its elements and texts in their order; `others` is what is neither. */
function read(html: string) {
  const elements: Element[] = [];
  const texts: string[] = [];
  const others: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.ChildNode) => {
    if ("value" in node) texts.push(node.value);
    else if ("tagName" in node) elements.push(node);
    else others.push(node.nodeName);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  parseFragment(html).childNodes.forEach(walk);
  return { elements, texts, others };
}

function attributesOf(element: Element | undefined): Record<string, string> {
  return Object.fromEntries(element?.attrs.map(({ name, value }) => [name, value]) ?? []);
}
