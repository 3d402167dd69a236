/** A link as somebody else's data says it; what it has no word for is "". */
export type FoundLink = { label: string; url: string };

/**
 * The links in data of any shape: a list of them, `{"links": […]}`, or what Linktree puts into its pages, where lists called "links" and
 * "socialLinks" lie deeper. Looks into so many places and no more.
 */
export function linksIn(data: unknown): FoundLink[] {
  const found: FoundLink[] = [];
  const places: { value: unknown; depth: number }[] = [{ value: data, depth: 0 }];
  if (Array.isArray(data)) found.push(...data.slice(0, maxItems).flatMap(linkOf));
  for (let seen = 0; seen < places.length && seen < maxPlaces; seen++) {
    const place = places[seen];
    if (!place || place.depth > maxDepth || !isRecord(place.value)) continue;
    for (const [name, value] of Object.entries(place.value).slice(0, maxItems)) {
      if (isListName.test(name) && Array.isArray(value))
        found.push(...value.slice(0, maxItems).flatMap(name === "socialLinks" ? socialLinkOf : linkOf));
      else if (isRecord(value)) places.push({ value, depth: place.depth + 1 });
    }
  }
  return found;
}

/** Nothing for what has neither words nor an address: a heading's words are told as left out. */
function linkOf(item: unknown): FoundLink[] {
  if (!isRecord(item)) return [];
  const said = (...names: string[]) => {
    const words = names.map((name) => (Object.hasOwn(item, name) ? item[name] : "")).find((word) => word);
    return typeof words === "string" ? words : "";
  };
  const link = { label: said("label", "name", "title"), url: said("url", "href") };
  return link.label || link.url ? [link] : [];
}

/** Linktree knows them by their kind alone: "INSTAGRAM". */
function socialLinkOf(item: unknown): FoundLink[] {
  if (!isRecord(item) || typeof item["type"] !== "string") return linkOf(item);
  const kind = item["type"].replaceAll("_", " ").toLowerCase();
  return linkOf({ url: item["url"], label: kind.charAt(0).toUpperCase() + kind.slice(1) });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isListName = /^(?:links|socialLinks)$/;
const maxDepth = 8;
const maxPlaces = 2_000;
const maxItems = 500;
