import { setImmediate } from "node:timers/promises";

import sax from "sax";
import type { QualifiedTag, Tag } from "sax";

/** An element with its text, without that of its children. */
export type XmlElement = {
  namespace: string;
  name: string;
  attributes: Partial<Record<string, string>>;
  text: string;
  children: XmlElement[];
};

/** RFC 6352 §6.3.1 and others: of a request for 5,000 contacts by their addresses, with room for longer ones. */
const maxElements = 20_000;
const maxDepth = 12;
/** A tag has few namespaces and attributes: the parser's work for them is quadratic. Quoted values count as one character. */
const maxTagLength = 1_000;
const partLength = 50_000;

/**
 * Parses an XML document of a request. Undefined for one that isn't well-formed, that is nested or large beyond need, or that declares a
 * document type, and with it entities.
 */
export async function parseXml(text: string): Promise<XmlElement | undefined> {
  if (new RegExp(`<(?:[^<>"']|"[^"]*"|'[^']*'){${maxTagLength}}`).test(text)) return undefined;
  const document: XmlElement = { namespace: "", name: "", attributes: {}, text: "", children: [] };
  const open = [document];
  const state = { elements: 0, isRefused: false };
  const refuse = () => {
    state.isRefused = true;
  };
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  const parser = Object.assign(sax.parser(true, { xmlns: true }), {
    onerror: refuse,
    ondoctype: refuse,
    onopentag: (tag: Tag | QualifiedTag) => {
      const element = toElement(tag);
      open.at(-1)?.children.push(element);
      open.push(element);
      if (++state.elements > maxElements || open.length > maxDepth) refuse();
    },
    onclosetag: () => void open.pop(),
    ontext: addText,
    oncdata: addText,
  });
  for (let at = 0; at < text.length && !state.isRefused; at += partLength) {
    if (at > 0) await setImmediate();
    parser.write(text.slice(at, at + partLength));
  }
  return open.length === 1 && document.children.length === 1 && !state.isRefused ? document.children[0] : undefined;
}

function toElement(tag: Tag | QualifiedTag): XmlElement {
  const own = Object.values(tag.attributes).flatMap((attribute): [string, string][] =>
    typeof attribute !== "string" && attribute.uri === "" && attribute.prefix === ""
      ? [[attribute.name, attribute.value]]
      : [],
  );
  const [namespace, name] = "uri" in tag ? [tag.uri, tag.local] : ["", tag.name];
  return { namespace, name, attributes: Object.fromEntries(own), text: "", children: [] };
}

/** Escapes text for XML. A carriage return is written as a reference, because parsers drop it from line ends (XML 1.0 §2.11). */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, " ")
    .replace(/[&<>"\r]/g, (character) => references[character] ?? "");
}

const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };
