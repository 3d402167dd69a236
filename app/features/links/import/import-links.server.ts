import { plainLine, shortened } from "#app/services/base/plain-text.ts";

import { decodeTextFile } from "./import-file.ts";
import { linkImportMessages } from "./import-messages.ts";
import { maxLabelLength, parseKind } from "#app/features/links/rules.ts";
import type { ImportedLink, LinkImportResult, LinkKind } from "#app/features/links/rules.ts";
import { hostOf, readSavedPage } from "./saved-page.server.ts";
import { isRecord, profileLinks } from "#app/features/links/schema.ts";

/**
 * Reads the links in a saved page (of Linktree or any other site) or in a JSON file. The returned links are valid for the profile's form.
 * Makes no requests.
 */
export function readLinkFile(bytes: Uint8Array): LinkImportResult {
  const file = decodeTextFile(bytes);
  if ("problem" in file) return file;
  const text = file.text.trim();
  if (/^[[{"]/.test(text)) {
    const data = parseJson(text);
    return data === undefined ? { problem: linkImportMessages.noJson } : checkLinks(findLinks(data));
  }
  return /<[a-z!]/i.test(text) ? checkLinks(findPageLinks(text)) : { problem: linkImportMessages.neither };
}

/** The links in the page's embedded data, or else the anchors that lead to other sites. */
function findPageLinks(html: string): FoundLink[] {
  const { anchors, data, hosts } = readSavedPage(html);
  const own = data ? findLinks(parseJson(data)) : [];
  if (own.some(({ url }) => url !== "")) return own;
  const links = anchors.map((anchor): FoundLink => ({ kind: "link", ...anchor }));
  return links.filter(({ url }) => {
    const host = hostOf(url);
    const isElsewhere = /^https?:/i.test(url.trim()) && !hosts.has(host) && !linkPageHost.test(host);
    // Addresses that run code are reported as left out.
    return isElsewhere || /^\s*(?:javascript|data|vbscript):/i.test(url);
  });
}

function checkLinks(found: readonly FoundLink[]): LinkImportResult {
  const valid: ImportedLink[] = [];
  const refusals: string[] = [];
  for (const link of found.slice(0, maxImportedLinks)) {
    const checked = checkLink(link);
    if (checked) valid.push(checked);
    else refusals.push(linkImportMessages.invalid(shortened(cleanText(link.label) || cleanText(link.url), 40)));
  }
  if (valid.length === 0 && refusals.length === 0) return { problem: linkImportMessages.noLinks };
  const more = refusals.length - maxListedRefusals;
  const left = [...refusals.slice(0, maxListedRefusals), ...(more > 0 ? [linkImportMessages.more(more)] : [])];
  return { links: withoutDuplicates(valid), left };
}

/** The entry as the form would save it, or undefined. A long name is shortened; a missing one becomes the host. */
function checkLink({ kind, label, url }: FoundLink): ImportedLink | undefined {
  const sent = { kind, label: shortened(cleanText(label), maxLabelLength), url: cleanText(url), on: true };
  const link = profileLinks.safeParse([sent]).data?.[0];
  return link && { kind: link.kind, label: link.label, url: link.url };
}

/** Cuts very long text before cleaning it, which takes more than linear time. */
function cleanText(text: string): string {
  return plainLine(text.slice(0, maxTextLength));
}

function withoutDuplicates(links: readonly ImportedLink[]): ImportedLink[] {
  const addresses = new Set<string>();
  return links.filter(({ kind, url }) => kind === "heading" || (!addresses.has(url) && addresses.add(url)));
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Services that host link pages: a link to them belongs to the page itself. */
const linkPageHost = /(?:^|\.)(?:linktr\.ee|linktree\.com|beacons\.ai|bio\.link|lnk\.bio)$/;
const maxTextLength = 3_000;
const maxImportedLinks = 200;
const maxListedRefusals = 5;

/** A link as found in the file; a missing part is "". */
type FoundLink = { kind: LinkKind; label: string; url: string };

/**
 * The links in JSON of any shape: an array of links, `{"links": […]}`, or Linktree's page data, where "links" and "socialLinks" are nested
 * deeper. Visits a limited number of objects.
 */
function findLinks(data: unknown): FoundLink[] {
  const found: FoundLink[] = [];
  const queue: { value: unknown; depth: number }[] = [{ value: data, depth: 0 }];
  if (Array.isArray(data)) found.push(...data.slice(0, maxItems).flatMap(toLinks));
  for (let visited = 0; visited < queue.length && visited < maxObjects; visited++) {
    const node = queue[visited];
    if (!node || node.depth > maxDepth || !isRecord(node.value)) continue;
    for (const [name, value] of Object.entries(node.value).slice(0, maxItems)) {
      if (listName.test(name) && Array.isArray(value))
        found.push(...value.slice(0, maxItems).flatMap(name === "socialLinks" ? toSocialLinks : toLinks));
      else if (isRecord(value)) queue.push({ value, depth: node.depth + 1 });
    }
  }
  return found;
}

/** Empty for an item with neither a label nor an address. Our headings have a kind, Linktree's the type "HEADER". */
function toLinks(item: unknown): FoundLink[] {
  if (!isRecord(item)) return [];
  const firstText = (...names: string[]) => {
    const value = names.map((name) => (Object.hasOwn(item, name) ? item[name] : "")).find((candidate) => candidate);
    return typeof value === "string" ? value : "";
  };
  const label = firstText("label", "name", "title");
  const url = firstText("url", "href");
  const kind = item["type"] === "HEADER" && !url ? "heading" : parseKind(firstText("kind"));
  // A picture can't be imported.
  return label || url ? [{ kind: kind === "featured" ? "link" : kind, label, url }] : [];
}

/** Linktree names these only by their type: "INSTAGRAM". */
function toSocialLinks(item: unknown): FoundLink[] {
  if (!isRecord(item) || typeof item["type"] !== "string") return toLinks(item);
  const kind = item["type"].replaceAll("_", " ").toLowerCase();
  return toLinks({ url: item["url"], label: kind.charAt(0).toUpperCase() + kind.slice(1) });
}

const listName = /^(?:links|socialLinks)$/;
const maxDepth = 8;
const maxObjects = 2_000;
const maxItems = 500;
