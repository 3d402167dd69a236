import { micromark } from "micromark";

/** A text as a page shows it: the title it gives itself, its body, and what a list of contents needs. */
export type Rendered = { title: string | undefined; html: string; sections: Section[] };
export type Section = { id: string; label: string };

/**
 * CommonMark as HTML that may stand in any page: tags are shown as they are typed, addresses that are neither http, https, mailto
 * nor on this site lead nowhere, pictures are links (nothing is fetched from elsewhere). A heading of the first level at the very start is the title;
 * below it headings start at the second level, leave none out, and have ids.
 */
export function renderMarkdown(text: string): Rendered {
  const html = micromark(text, { extensions: [{ disable: { null: ["labelStartImage", "htmlFlow", "htmlText"] } }] });
  // Only we write tags, so what looks like one is one.
  const title = /^<h1>(.*?)<\/h1>\n?/.exec(html);
  const { body, sections } = orderHeadings(html.slice(title?.[0].length ?? 0));
  return { title: title?.[1] && plainText(title[1]), html: body.replace(otherAddresses, ' href=""'), sections };
}

/** A text that means itself: "Ada *L*" -> "Ada \*L\*", a line break is one. CommonMark §2.4: all ASCII punctuation may be escaped. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&").replaceAll("\n", "\\\n");
}

/** micromark also lets chat protocols and relative addresses through; "//host" would be somewhere else. */
const otherAddresses = / href="(?!https?:\/\/|mailto:|#|\/(?![/\\])|")[^"]*"/gi;

const headings = /<h([1-6])>(.*?)<\/h\1>/gs;

function orderHeadings(html: string): { body: string; sections: Section[] } {
  const sections: Section[] = [];
  // Ids of the page around it.
  const taken = new Set(["content", "site-menu", "theme-menu", "end"]);
  /** The levels, as written, of the headings that the next one may stand below. */
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

/** "What we store & why" -> "what-we-store-why", the second one "what-we-store-why-2". */
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
