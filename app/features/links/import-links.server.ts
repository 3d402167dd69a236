import { plainLine, shortened } from "#app/services/plain-text.ts";

import { profileLinks } from "./form.ts";
import type { ImportedLink, LinksAnswer } from "./import-answer.ts";
import { linksIn } from "./import-json.ts";
import type { FoundLink } from "./import-json.ts";
import { hostOf, readPage } from "./import-page.ts";
import { textOfFile } from "./import-text.ts";
import { importWords } from "./import-words.ts";
import { hostLabel, withScheme } from "./rules.ts";

/**
 * The links of a file: of a saved page, of Linktree or any other, or of a JSON file. Each is one that the profile's form would take; the
 * others are told in words. Nothing is ever fetched.
 */
export function readLinkFile(bytes: Uint8Array): LinksAnswer {
  const file = textOfFile(bytes);
  if ("problem" in file) return file;
  const text = file.text.trim();
  if (/^[[{"]/.test(text)) {
    const data = parsed(text);
    return data === undefined ? { problem: importWords.noJson } : checked(linksIn(data));
  }
  return /<[a-z!]/i.test(text) ? checked(linksOfPage(text)) : { problem: importWords.neither };
}

/** The page's own data know the links best; else they are what leads away from its site. */
function linksOfPage(html: string): FoundLink[] {
  const { anchors, data, hosts } = readPage(html);
  const own = data ? linksIn(parsed(data)) : [];
  if (own.some(({ url }) => url !== "")) return own;
  return anchors.filter(({ url }) => {
    const host = hostOf(url);
    const isElsewhere = /^https?:/i.test(url.trim()) && !hosts.has(host) && !isListHost.test(host);
    // What is no page of theirs and no other site, but does something, is told as left out.
    return isElsewhere || /^\s*(?:javascript|data|vbscript):/i.test(url);
  });
}

function checked(found: readonly FoundLink[]): LinksAnswer {
  const right: ImportedLink[] = [];
  const wrong: string[] = [];
  for (const link of found.slice(0, maxFound)) {
    const read = checkLink(link);
    if (read) right.push(read);
    else wrong.push(importWords.wrong(shortened(wordsOf(link.label) || wordsOf(link.url), 40)));
  }
  if (right.length === 0 && wrong.length === 0) return { problem: importWords.noLinks };
  const more = wrong.length - maxNamed;
  const left = [...wrong.slice(0, maxNamed), ...(more > 0 ? [importWords.more(more)] : [])];
  return { links: once(right), left };
}

/** As the form would have it. A name that is too long is shortened; where there is none it is the host's. */
function checkLink({ label, url }: FoundLink): ImportedLink | undefined {
  const address = withScheme(wordsOf(url));
  const name = shortened(wordsOf(label), maxName) || shortened(hostLabel(address), maxName);
  const read = profileLinks.safeParse([{ label: name, url: address, on: true }]);
  const link = read.data?.[0];
  return link && { label: link.label, url: link.url };
}

/** What nobody would have typed is cut before it is cleaned. */
function wordsOf(text: string): string {
  return plainLine(text.slice(0, maxWords));
}

function once(links: readonly ImportedLink[]): ImportedLink[] {
  const addresses = new Set<string>();
  return links.filter(({ url }) => !addresses.has(url) && addresses.add(url));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Where pages of links are kept: what leads back there is the site's own. */
const isListHost = /(?:^|\.)(?:linktr\.ee|linktree\.com|beacons\.ai|bio\.link|lnk\.bio)$/;
const maxName = 60;
const maxWords = 3_000;
const maxFound = 200;
const maxNamed = 5;
