import { data } from "react-router";

import { requestContext, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/sitemap-route.ts";
import { indexXml, listSitePages, urlSetXml } from "./sitemap.ts";
import { listEntries, listFileStarts, sectionNames } from "./sitemap-data.server.ts";
import type { SitemapSection } from "./sitemap-data.server.ts";

export { rejectWrites as action };

/**
 * All pages that search engines may list: one file while they fit, else an index of files such as `?profiles=1` and `?cards=2`. Each is
 * generated at most once in five minutes, in batches.
 */
export const loader = fileLoader(async ({ context, url }: Route.LoaderArgs) => {
  const all = services(context);
  const file = readRequestedFile(url.searchParams);
  const starts = {
    profiles: await listFileStarts(all.db, "profiles"),
    cards: await listFileStarts(all.db, "cards"),
  };
  const draw = async () => ({ body: new TextEncoder().encode(await fileXml(all, file, starts)), type: "text/plain" });
  const made = await all.imageCache.get({
    ownerId: "site",
    requestedBy: context.get(requestContext).address,
    kind: "sitemap 2",
    content: [file, starts, Math.floor(all.clock() / (cacheSeconds * 1_000))],
    draw,
  });
  if (made === "busy") {
    const headers = { "retry-after": "3", "cache-control": "no-store" };
    return plainTextResponse("Too many requests right now. Try again in a moment.", { status: 503, headers });
  }
  return new Response(new TextDecoder().decode(made.body), {
    headers: {
      "content-type": "application/xml; charset=utf-8",
      "cache-control": `public, max-age=${cacheSeconds}`,
    },
  });
});

const cacheSeconds = 300;

/** The ids after which the files of each section start. */
type FileStarts = Record<SitemapSection, string[]>;

type SitemapFile = "all" | "site" | { section: SitemapSection; number: number };

/** The file that the query names. Throws the 404 for an invalid number; ignores other parameters. */
function readRequestedFile(search: URLSearchParams): SitemapFile {
  if (search.has("site")) return "site";
  const section = sectionNames.find((name) => search.has(name));
  if (!section) return "all";
  const number = search.get(section) ?? "";
  if (!/^[1-9]\d{0,5}$/.test(number)) throw data(null, { status: 404 });
  return { section, number: Number(number) };
}

async function fileXml(all: Services, file: SitemapFile, starts: FileStarts): Promise<string> {
  const { baseUrl, premium } = all.config;
  const site = listSitePages(premium).map((path) => ({ path }));
  if (file === "site") return urlSetXml(baseUrl, site);
  if (file !== "all") {
    const [after, until] = starts[file.section].slice(file.number - 1, file.number + 1);
    if (after === undefined) throw data(null, { status: 404 });
    return urlSetXml(baseUrl, await listEntries(all, file.section, { after, until }));
  }
  if (sectionNames.every((name) => starts[name].length === 1)) {
    const parts = await Promise.all(sectionNames.map((name) => listEntries(all, name, { after: "" })));
    return urlSetXml(baseUrl, [...site, ...parts.flat()]);
  }
  const paths = sectionNames.flatMap((name) => starts[name].map((_, at) => `/sitemap.xml?${name}=${at + 1}`));
  return indexXml(baseUrl, ["/sitemap.xml?site", ...paths]);
}
