import { parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { expect } from "vitest";

/** The path and query of the first URL in a mail. */
export function firstLink(text = ""): string {
  const { pathname, search } = new URL(/https?:\S+/.exec(text)?.[0] ?? "http://no.link.invalid");
  return pathname + search;
}

/** The text of a response that has this status; `what` names the case in the message of a test that fails. */
export function textWith(status: number, response: Response, what?: string): Promise<string> {
  expect(response.status, what).toBe(status);
  return response.text();
}

/** The message that a response sets for the next page. */
export function toastIn(response: Response): unknown {
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("meishi.toast="));
  return decodeToast(cookie?.slice("meishi.toast=".length));
}

/** The message in a toast cookie's value; the signature is not checked. */
export function decodeToast(value = ""): unknown {
  return JSON.parse(Buffer.from(/^[^.;]*/.exec(value)?.[0] ?? "", "base64url").toString() || "null");
}

/** A page without its random parts, so that two of them can be compared. */
export function withoutRandom(page: string): string {
  return page.replace(/name="pending" value="[^"]+"/g, "").replace(/nonce="[^"]+"/g, "");
}

type HtmlNode = DefaultTreeAdapterTypes.Node;

/** What a page tells crawlers, parsed as a browser parses it. */
export type PageHead = {
  titles: string[];
  canonicals: string[];
  /** From the meta tag and the response header together. */
  isListed: boolean;
  /** By name or property; the last one wins. */
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

/** All elements of a page, parsed as a browser parses it. */
export function readElements(html: string): HtmlElement[] {
  return collectElements(parse(html));
}

type HtmlElement = { tag: string; isSvg: boolean; attributes: Record<string, string>; text: string };

function collectElements(node: HtmlNode): HtmlElement[] {
  const children = "childNodes" in node ? node.childNodes : [];
  const below = children.flatMap(collectElements);
  if (!("tagName" in node)) return below;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  const text = children.map((child) => ("value" in child ? child.value : "")).join("");
  return [{ tag: node.tagName, isSvg: node.namespaceURI.includes("svg"), attributes, text }, ...below];
}

/** The text between the tags of a page, with single spaces. */
export function visibleText(html: string): string {
  return html
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** Markup with the characters that React escaped. */
export function unescapeHtml(markup: string): string {
  return markup.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? "");
}
