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
  image: { src: "https://meishi.example/card/7f/signature.png?v=1", alt: "QR code <of> Ada", width: 96, height: 96 },
};

/** The elements and attributes that Gmail, Outlook and Apple Mail all support. */
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

test("contains every value in order, and a hosted image with a size that links to the page with the source mark", () => {
  const { texts, elements } = read(signatureHtml(ada));
  expect(texts).toEqual([ada.name, ...ada.work, ...ada.rows.map(({ text }) => text), ada.linkText]);
  const { src, alt } = ada.image ?? {};
  const image = attributesOf(elements.find(({ tagName }) => tagName === "img"));
  expect(image).toMatchObject({ src, width: "96", height: "96", alt });
  const addresses = elements.filter(({ tagName }) => tagName === "a").map((link) => attributesOf(link).href);
  expect(addresses).toEqual([ada.url, ...ada.rows.map(({ href }) => href), ada.url]);
  // The same content as plain text, with the URL of our page.
  const lines = [ada.name, ...ada.work, ...ada.rows.map(({ text }) => text), ada.url];
  expect(signatureText(ada)).toBe(lines.join("\n"));
});

test("sets no text or background color, so that it works in dark mail programs", () => {
  const styles = read(signatureHtml(ada)).elements.map((element) => attributesOf(element).style ?? "");
  expect(styles.join(";").match(/(?<!-)color:[^;]+/g)).toEqual(Array(5).fill("color:inherit"));
  expect(styles.join(";")).not.toMatch(/background|position|flex|grid|var\(|url\(|@/);
});

test("places the image on the right for a right-to-left name, and leaves out empty lines", () => {
  const rtl = signatureHtml({ ...ada, isRightToLeft: true });
  for (const text of ['dir="rtl"', "border-right:1px"]) expect(rtl).toContain(text);
  const nothing = { work: ["", " "], rows: [{ text: "", href: "" }], linkText: "" };
  const bare = signatureHtml({ name: "Ada", url: ada.url, ...nothing });
  expect(read(bare).texts).toEqual(["Ada"]);
  expect(bare).not.toMatch(/<br>|<img|border-left/);
});

test("keeps a URL with another scheme as text", () => {
  const html = signatureHtml({ ...ada, rows: [{ text: "Click", href: "javascript:alert(1)" }] });
  expect(html).toContain("Click");
  expect(html).not.toContain("javascript");
});

test("contains only allowed elements and attributes, and any values as text", () => {
  const quotes = [`"><script>alert(1)</script>`, `' onerror='x`];
  const markup = [...quotes, "</td></table><style>", "<!--", "&lt;b&gt;", "\0<img src=x>"];
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.constantFrom(...markup));
  const schemes = ["", "mailto:", "https://x.example/"].map((scheme) => text.map((rest) => scheme + rest));
  const href = fc.oneof(fc.webUrl(), ...schemes);
  const signature = fc.record({
    name: text,
    work: fc.array(text, { maxLength: 3 }),
    rows: fc.array(fc.record({ text, href }), { maxLength: 4 }),
    url: href,
    linkText: text,
    image: fc.record({ src: href, alt: text, width: fc.nat(600), height: fc.nat(600) }),
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
    { numRuns: 200 },
  );
});

type Element = DefaultTreeAdapterTypes.Element;

/** The elements and texts of the parsed signature in order; `others` are all other nodes. */
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
