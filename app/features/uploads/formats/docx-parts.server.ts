import { Tokenizer } from "parse5";

import { messages, serverMessages } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";

export const contentTypesPart = "/[content_types].xml";

/**
 * Whether a package (ECMA-376 Part 2) is a Word document or template, which is what the part says that its officeDocument relationship
 * leads to: Word itself names it word/document.xml, Word Online word/document2.xml. Refuses one with macros or OLE objects, or that loads
 * files from another computer. What a part is called says nothing: its content type and the relationships that lead to it decide.
 * `parts` are the names of all, `texts` the content types and all relationships; in lower case, from the root ("/word/document.xml").
 */
export function identifyPackage(parts: Set<string>, texts: Map<string, string>): "docx" | "dotx" | Refusal {
  const types = readContentTypes(texts.get(contentTypesPart) ?? "");
  const relationships = [...texts].map(([name, text]) =>
    name === contentTypesPart ? [] : readRelationships(name, text),
  );
  if (!types || relationships.includes(undefined)) return refuse(422, serverMessages.damagedDocument);
  const links = relationships.flatMap((list) => list ?? []);
  if ([...parts].some((part) => macroType.test(types(part)))) return refuse(422, messages.macros);
  if (links.some(({ kind }) => macroKind.test(kind))) return refuse(422, messages.macros);
  const main = links.find(({ source, kind }) => source === "/" && kind === "officedocument")?.target ?? "";
  const mainType = parts.has(main) ? types(main) : "";
  const format = (["docx", "dotx"] as const).find((name) => mainType.endsWith(mainTypes[name]));
  if (!format) return refuse(415, messages.resumeType);
  if (links.some((link) => isEmbedded(link, types))) return refuse(422, serverMessages.embedded);
  return links.some(isLoadedFromElsewhere) ? refuse(422, serverMessages.linked) : format;
}

const mainTypes = { docx: "wordprocessingml.document.main+xml", dotx: "wordprocessingml.template.main+xml" };
const macroType = /macroenabled|vbaproject|vbadata/;
const macroKind = /^(?:vbaproject|wordvbadata)/;

/** `kind` is the last part of the type, which is the same in both variants of the standard: "hyperlink". */
type Relationship = { source: string; kind: string; target: string; isExternal: boolean };

type ContentTypes = (part: string) => string;

/** A chart has its numbers in a workbook, which Word opens only to edit them. */
function isEmbedded({ source, kind }: Relationship, types: ContentTypes): boolean {
  return kind === "package" ? !types(source).includes("chart") : ["oleobject", "control"].includes(kind);
}

/** Readers open the target of a link only when it is pressed. A linked image comes from a page that it was copied from. */
function isLoadedFromElsewhere({ kind, target, isExternal }: Relationship): boolean {
  if (!isExternal || kind === "hyperlink" || fileOfAuthor.test(target)) return false;
  return kind !== "image" || /^(?:file:|[\\/]{2})/i.test(target);
}

/** On the disk of the author's computer, such as the template of Word's that a resume was started from: readers don't have it. */
const fileOfAuthor = /^(?:file:)?\/*(?:localhost\/)?(?:[a-z]:[\\/]|users\/)/i;

/** An override by the part's name, or the default of its extension. Undefined when the text isn't readable. */
function readContentTypes(xml: string): ContentTypes | undefined {
  const [root, ...elements] = readElements(xml);
  if (root?.name !== "types") return undefined;
  const types = new Map(
    elements.map(({ attribute }) => [
      attribute("partname").toLowerCase() || `.${attribute("extension").toLowerCase()}`,
      attribute("contenttype").toLowerCase(),
    ]),
  );
  return (part) => types.get(part) ?? types.get(part.slice(part.lastIndexOf("."))) ?? "";
}

/** "/word/_rels/document.xml.rels" has the relationships of "/word/document.xml". Undefined when not readable. */
function readRelationships(name: string, xml: string): Relationship[] | undefined {
  const [root, ...elements] = readElements(xml);
  if (root?.name !== "relationships") return undefined;
  const source = name.replace(/_rels\/([^/]*)\.rels$/, "$1");
  return elements.map(({ attribute }) => {
    const isExternal = attribute("targetmode").toLowerCase() === "external";
    const target = attribute("target");
    return {
      source,
      kind: attribute("type").toLowerCase().split("/").at(-1) ?? "",
      target: isExternal ? target : (URL.parse(target, `http://package${source}`)?.pathname.toLowerCase() ?? ""),
      isExternal,
    };
  });
}

type XmlElement = { name: string; attribute: (name: string) => string };

/**
 * The elements of an XML text in their order. A tokenizer of HTML decodes attributes as XML does, and skips less as comments; it writes
 * names in lower case.
 */
function readElements(xml: string): XmlElement[] {
  const elements: XmlElement[] = [];
  const ignore = () => undefined;
  // Takes the place of the root, so that the text isn't readable.
  const refuseText = () => elements.unshift({ name: "", attribute: () => "" });
  new Tokenizer(
    {},
    {
      onStartTag: ({ tagName, attrs }) =>
        elements.push({
          name: tagName.replace(/^.*:/, ""),
          attribute: (name) => attrs.find((attr) => attr.name === name)?.value ?? "",
        }),
      onEndTag: ignore,
      // In XML, a processing instruction and a CDATA section don't end at ">": what follows only seems to be an element.
      onComment: ({ data }) => (/^\?(?!xml\s)|^\[CDATA\[/.test(data) ? refuseText() : undefined),
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      // Packages must have none, and it could name a type by an entity of its own.
      onDoctype: refuseText,
      onEof: ignore,
    },
  ).write(xml, true);
  return elements;
}
