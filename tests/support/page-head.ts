import { parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;

/** What a page says to machines, as a browser reads it. */
export type PageHead = {
  titles: string[];
  canonicals: string[];
  /** Of all that says anything about it: the head and the header. */
  isListed: boolean;
  /** What is said by name or property; of several the last. */
  metas: Record<string, string>;
  links: { rel: string; href: string }[];
};

export async function readHead(answer: Response): Promise<PageHead> {
  const elements = readElements(await answer.text());
  const linkTags = elements.filter(({ tag }) => tag === "link");
  const metas = Object.fromEntries(
    elements
      .filter(({ tag }) => tag === "meta")
      .map(({ attributes }) => [attributes["name"] ?? attributes["property"] ?? "", attributes["content"] ?? ""]),
  );
  const links = linkTags.map(({ attributes }) => ({ rel: attributes["rel"] ?? "", href: attributes["href"] ?? "" }));
  const robots = `${metas["robots"] ?? ""} ${answer.headers.get("x-robots-tag") ?? ""}`;
  return {
    titles: elements.filter(({ tag, isSvg }) => tag === "title" && !isSvg).map(({ text }) => text),
    canonicals: links.filter(({ rel }) => rel === "canonical").map(({ href }) => href),
    isListed: !/noindex|none/.test(robots),
    metas,
    links,
  };
}

/** All that a page consists of, as a browser understands it. */
export function readElements(html: string): Element[] {
  return elementsOf(parse(html));
}

type Element = { tag: string; isSvg: boolean; attributes: Record<string, string>; text: string };

function elementsOf(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes : [];
  const below = children.flatMap(elementsOf);
  if (!("tagName" in node)) return below;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  const text = children.map((child) => ("value" in child ? child.value : "")).join("");
  return [{ tag: node.tagName, isSvg: node.namespaceURI.includes("svg"), attributes, text }, ...below];
}
