import { maxLinks } from "./rules.ts";

/** A link as a file says it, cleaned and checked as the form would. */
export type ImportedLink = { label: string; url: string };

/** What the server says to a file with links: those that can be taken, and in words what can't. */
export type LinksAnswer = { links: ImportedLink[]; left: string[] } | { problem: string };

/** What of the imported links finds room behind those that are there; the same address is taken once. */
export function linksToAdd(own: readonly { url: string }[], imported: readonly ImportedLink[]) {
  const known = new Set(own.map(({ url }) => sameAddress(url)));
  const fresh = imported.filter(({ url }) => {
    const address = sameAddress(url);
    if (known.has(address)) return false;
    known.add(address);
    return true;
  });
  const taken = fresh.slice(0, Math.max(0, maxLinks - own.length));
  return { taken, fresh: fresh.length, doubles: imported.length - fresh.length };
}

/** "https://Example.com/me/" and "http://www.example.com/me" lead to one place. */
function sameAddress(url: string): string {
  const { host, pathname, search, hash } = URL.parse(url) ?? { host: "", pathname: url, search: "", hash: "" };
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}${search}${hash}`;
}
