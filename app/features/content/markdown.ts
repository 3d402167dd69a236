import { micromark } from "micromark";

/** A rendered text: its own title, its body, and the sections for a table of contents. */
export type RenderedText = { title: string | undefined; html: string; sections: TextSection[] };
export type TextSection = { id: string; label: string };

/**
 * Renders CommonMark as HTML that is safe in any page: tags appear as typed, links lead only to http, https, mailto and this site, and
 * images become links, so nothing is loaded from elsewhere. A first-level heading at the start becomes the title; the other headings
 * start at level two, skip no level, and get ids.
 */
export function renderMarkdown(text: string): RenderedText {
  const html = micromark(text, { extensions: [{ disable: { null: ["labelStartImage", "htmlFlow", "htmlText"] } }] });
  // micromark escapes typed tags, so every tag in the output is its own.
  const title = /^<h1>(.*?)<\/h1>\n?/.exec(html);
  const { body, sections } = orderHeadings(html.slice(title?.[0].length ?? 0));
  return { title: title?.[1] && plainText(title[1]), html: body.replace(unsafeLinks, ' href=""'), sections };
}

/** Escapes text for Markdown: "Ada *L*" -> "Ada \*L\*"; line breaks stay. CommonMark §2.4: any ASCII punctuation may be escaped. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&").replaceAll("\n", "\\\n");
}

/** Links that micromark allows but we don't: chat protocols, relative addresses, and "//host", which is another site. */
const unsafeLinks = / href="(?!https?:\/\/|mailto:|#|\/(?![/\\])|")[^"]*"/gi;

const headings = /<h([1-6])>(.*?)<\/h\1>/gs;

function orderHeadings(html: string): { body: string; sections: TextSection[] } {
  const sections: TextSection[] = [];
  // Ids that the page around the text uses.
  const taken = new Set(["content", "site-menu", "theme-menu", "end"]);
  /** The original levels of the headings that enclose the next one. */
  const above: number[] = [];
  const body = html.replace(headings, (_tag, level: string, label: string) => {
    while ((above.at(-1) ?? 0) >= Number(level)) above.pop();
    const depth = above.push(Number(level)) + 1;
    const id = freeId(plainText(label), taken);
    if (depth === 2) sections.push({ id, label: plainText(label) });
    return `<h${depth} id="${id}">${label}</h${depth}>`;
  });
  return { body, sections };
}

/** "What we store & why" -> "what-we-store-why"; a second one becomes "what-we-store-why-2". */
function freeId(label: string, taken: Set<string>): string {
  const base =
    label
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "") || "section";
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
  taken.add(id);
  return id;
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

function plainText(html: string): string {
  const text = html.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? "");
  return text.replace(/\s+/g, " ").trim();
}
