import { countEntries, maxHeadings } from "#app/features/links/rules.ts";
import type { LinkKind } from "#app/features/links/rules.ts";

/** A link or a heading from a file, cleaned and valid for the form. A heading's `url` is "". */
export type ImportedLink = { kind: LinkKind; label: string; url: string };

/** What LinkedIn data also has for a profile, not shortened; "" for what is missing. */
export type ImportedTexts = { name: string; headline: string; summary: string };

/** The response to an imported file: the valid links, and a text for each of the others in `left`. */
export type LinkImportResult = { links: ImportedLink[]; left: string[]; texts?: ImportedTexts } | { problem: string };

/** The imported entries that are new: those that fit into the list and the `rest`. `duplicates` counts the repeated ones. */
export function selectNewLinks(
  own: readonly ListedEntry[],
  { imported, maxLinks }: { imported: readonly ImportedLink[]; maxLinks: number },
) {
  const known = new Set(own.map(comparableEntry));
  const newLinks = imported.filter((entry) => {
    const comparable = comparableEntry(entry);
    if (known.has(comparable)) return false;
    known.add(comparable);
    return true;
  });
  const room = { links: maxLinks - countEntries(own).links, headings: maxHeadings - countEntries(own).headings };
  const added = newLinks.filter(({ kind }) => room[kind === "heading" ? "headings" : "links"]-- > 0);
  const rest = newLinks.filter((link) => !added.includes(link));
  return { added, rest, duplicates: imported.length - newLinks.length };
}

type ListedEntry = { kind: LinkKind; label: string; url: string };

function comparableEntry({ kind, label, url }: ListedEntry): string {
  return kind === "heading" ? `heading: ${label.trim()}` : comparableAddress(url);
}

/** Equal for addresses that lead to the same page: "https://Example.com/me/" and "http://www.example.com/me". */
function comparableAddress(url: string): string {
  const { host, pathname, search, hash } = URL.parse(url) ?? { host: "", pathname: url, search: "", hash: "" };
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}${search}${hash}`;
}
