import * as fc from "fast-check";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { expect, test } from "vitest";

import { hasDesign, readDesign, signatureDesigns, signatureHtml, signatureText } from "./signature.ts";
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
  code: { src: "https://meishi.example/card/7f/signature.png?v=1", alt: "QR code <of> Ada", width: 96, height: 96 },
  photo: { src: "https://meishi.example/files/ada.jpg?v=2", alt: "Ada", width: 88, height: 88 },
  logo: { src: "https://meishi.example/files/logo.png?v=3", alt: "Logo", width: 150, height: 48 },
  accent: "#7476e3",
};
const ids = signatureDesigns.map(({ id }) => id);

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

test.each([
  ["code", ["code"]],
  ["photo", ["photo", "logo"]],
  ["logo", ["logo"]],
  ["compact", []],
] as const)(
  "the design %s contains every value in order, and hosted images with a size that link to the page with the source mark",
  (design, images) => {
    const html = signatureHtml(ada, design);
    const { texts, elements } = read(html);
    const values = [ada.name, ...ada.work, ...ada.rows.map(({ text }) => text), ada.linkText];
    expect(
      texts
        .join(" ")
        .replaceAll(/, | · /g, " ")
        .replaceAll(/ +/g, " "),
    ).toBe(values.join(" "));
    const shown = elements.filter(({ tagName }) => tagName === "img").map((image) => attributesOf(image));
    expect(shown).toEqual(
      images.map((name) => {
        const { src = "", alt = "", width = 0, height = 0 } = ada[name] ?? {};
        return { src, alt, width: String(width), height: String(height), style: expect.any(String) };
      }),
    );
    const addresses = elements.filter(({ tagName }) => tagName === "a").map((link) => attributesOf(link)["href"]);
    const rows = ada.rows.map(({ href }) => href);
    expect(addresses.toSorted()).toEqual([...images.map(() => ada.url), ...rows, ada.url].toSorted());
    // A line in the accent's color.
    expect(html).toMatch(/border-(left|top):\dpx solid #7476e3/);
  },
);

test("as plain text contains the same, with the URL of our page", () => {
  const lines = [ada.name, ...ada.work, ...ada.rows.map(({ text }) => text), ada.url];
  expect(signatureText(ada)).toBe(lines.join("\n"));
});

test.each(ids)(
  "the design %s sets no color of texts, and no background but a logo's, for dark mail programs",
  (design) => {
    const elements = read(signatureHtml(ada, design)).elements;
    const styles = elements.map((element) => attributesOf(element)["style"] ?? "").join(";");
    const colors = styles.match(/(?<!-)color:[^;]+/g) ?? [];
    expect(new Set(colors)).toEqual(new Set(["color:inherit"]));
    const grounds = elements.filter((element) => attributesOf(element)["style"]?.includes("background"));
    expect(grounds.map((element) => attributesOf(element)["src"])).toEqual(
      ["photo", "logo"].includes(design) ? [ada.logo?.src] : [],
    );
    expect(styles).not.toMatch(/position|flex|grid|var\(|url\(|@/);
  },
);

test("offers a design with an image only where there is one, and shows the QR code instead", () => {
  const bare = { ...ada, photo: undefined, logo: undefined };
  expect(ids.filter((id) => hasDesign(bare, id))).toEqual(["code", "compact"]);
  for (const text of ["photo", "logo", "toString", "", null]) expect(readDesign(text, bare)).toBe("code");
  expect(ids.map((id) => readDesign(id, ada))).toEqual(ids);
});

test("places the image on the right for a right-to-left name, and leaves out empty lines", () => {
  for (const id of ids) expect(signatureHtml({ ...ada, isRightToLeft: true }, id)).toContain('dir="rtl"');
  expect(signatureHtml({ ...ada, isRightToLeft: true }, "code")).toContain("border-right:1px");
  expect(signatureHtml({ ...ada, isRightToLeft: true }, "compact")).toContain("border-right:3px");
  const nothing = { work: ["", " "], rows: [{ text: "", href: "" }], linkText: "" };
  const bare = signatureHtml({ ...ada, ...nothing, name: "Ada" }, "compact");
  expect(read(bare).texts).toEqual(["Ada"]);
  expect(bare).not.toMatch(/<br>|<img/);
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
  const image = fc.record({ src: href, alt: text, width: fc.nat(600), height: fc.nat(600) });
  const signature = fc.record({
    name: text,
    work: fc.array(text, { maxLength: 3 }),
    rows: fc.array(fc.record({ text, href }), { maxLength: 4 }),
    url: href,
    linkText: text,
    code: image,
    photo: fc.option(image, { nil: undefined }),
    logo: fc.option(image, { nil: undefined }),
    accent: fc.constantFrom("#7476e3", "#8a8a8a"),
    isRightToLeft: fc.boolean(),
  });
  fc.assert(
    fc.property(signature, fc.constantFrom(...ids), (value, design) => {
      const { elements, texts, others } = read(signatureHtml(value, design));
      expect(others).toEqual([]);
      for (const element of elements) {
        expect(Object.keys(allowed)).toContain(element.tagName);
        expect(allowed[element.tagName]).toEqual(expect.arrayContaining(element.attrs.map(({ name }) => name)));
      }
      // Between the values of one line are separators.
      expect(texts.length).toBeLessThanOrEqual(2 * (2 + value.work.length + value.rows.length));
      for (const link of elements.filter(({ tagName }) => tagName === "a"))
        expect(attributesOf(link)["href"]).toMatch(/^(https?|mailto|tel):/i);
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
