import { setImmediate as yieldToEventLoop } from "node:timers/promises";

import { data } from "react-router";
import { z } from "zod";

import { listSitemapCards, skipSitemapCards } from "#app/features/cards/sitemap-data.server.ts";
import { listSitemapProfiles, skipSitemapProfiles } from "#app/features/profile/sitemap-data.server.ts";
import { requestContext, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/sitemap-route.ts";
import { addressesPerFile, indexXml, listSitePages, urlSetXml } from "./sitemap.ts";
import type { SitemapEntry } from "./sitemap.ts";

export { rejectWrites as action };

/**
 * All pages that search engines may list: one file while they fit, else an index of files such as `?profiles=1` and `?cards=2`. Each is
 * generated at most once in five minutes, in batches that let other requests run in between.
 */
export const loader = fileLoader(async ({ context, url }: Route.LoaderArgs) => {
  const all = services(context);
  const file = readRequestedFile(url.searchParams);
  const askedBy = context.get(requestContext).address;
  const starts = await cachedText(all, {
    name: "starts",
    askedBy,
    make: async () => JSON.stringify(await findStarts(all)),
  });
  if (starts === "busy") return respondBusy();
  const xml = await cachedText(all, {
    name: file,
    askedBy,
    make: () => fileXml(all, file, fileStartsSchema.parse(JSON.parse(starts))),
  });
  if (xml === "busy") return respondBusy();
  return new Response(xml, {
    headers: {
      "content-type": "application/xml; charset=utf-8",
      "cache-control": `public, max-age=${cacheSeconds}`,
    },
  });
});

const cacheSeconds = 300;
/** Rows read per step. */
const batchSize = 500;

type SitemapBatch = { listed: SitemapEntry[]; next: string | undefined };
type SitemapCursor = { after: string; limit: number };

const sections = {
  profiles: {
    list: ({ db }: Services, place: SitemapCursor): Promise<SitemapBatch> => listSitemapProfiles(db, place),
    skip: skipSitemapProfiles,
  },
  cards: {
    list: ({ db, clock, config }: Services, place: SitemapCursor): Promise<SitemapBatch> =>
      listSitemapCards(db, { ...place, now: clock(), premium: config.premium }),
    skip: skipSitemapCards,
  },
};
type SitemapSection = keyof typeof sections;
const sectionNames = ["profiles", "cards"] as const satisfies SitemapSection[];

/** The ids after which the files of a section start. */
type FileStarts = z.infer<typeof fileStartsSchema>;
const fileStartsSchema = z.object({ profiles: z.array(z.string()), cards: z.array(z.string()) });

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

type CachedTextOptions = { name: unknown; askedBy: string; make: () => Promise<string> };

/** A text that is generated once and cached for five minutes. */
async function cachedText(
  { imageCache, clock }: Services,
  { name, askedBy, make }: CachedTextOptions,
): Promise<string> {
  const shows = [name, Math.floor(clock() / (cacheSeconds * 1_000))];
  const draw = async () => ({ body: new TextEncoder().encode(await make()), type: "text/plain" });
  const made = await imageCache.get({ ownerId: "site", requestedBy: askedBy, kind: "sitemap 1", content: shows, draw });
  return made === "busy" ? made : new TextDecoder().decode(made.body);
}

function respondBusy() {
  const headers = { "retry-after": "3", "cache-control": "no-store" };
  return plainTextResponse("Too many requests right now. Try again in a moment.", { status: 503, headers });
}

async function fileXml(all: Services, file: SitemapFile, starts: FileStarts): Promise<string> {
  const { baseUrl, premium } = all.config;
  const site = listSitePages(premium).map((path) => ({ path }));
  if (file === "site") return urlSetXml(baseUrl, site);
  if (file !== "all") {
    const start = starts[file.section][file.number - 1];
    if (start === undefined) throw data(null, { status: 404 });
    return urlSetXml(baseUrl, await listEntries(all, file.section, start));
  }
  if (sectionNames.every((name) => starts[name].length === 1)) {
    const parts = await Promise.all(sectionNames.map((name) => listEntries(all, name, "")));
    return urlSetXml(baseUrl, [...site, ...parts.flat()]);
  }
  const paths = sectionNames.flatMap((name) => starts[name].map((_, at) => `/sitemap.xml?${name}=${at + 1}`));
  return indexXml(baseUrl, ["/sitemap.xml?site", ...paths]);
}

async function findStarts(all: Services): Promise<FileStarts> {
  return { profiles: await findSectionStarts(all, "profiles"), cards: await findSectionStarts(all, "cards") };
}

async function findSectionStarts({ db }: Services, section: SitemapSection): Promise<string[]> {
  const starts = [""];
  let after = "";
  for (let passed = batchSize; ; passed += batchSize) {
    const next = await sections[section].skip(db, { after, step: batchSize });
    if (next === undefined) return starts;
    if (passed % addressesPerFile === 0) starts.push(next);
    after = next;
    await yieldToEventLoop();
  }
}

/** The entries of one file, ordered by id. */
async function listEntries(all: Services, section: SitemapSection, start: string): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  let after: string | undefined = start;
  for (let read = 0; after !== undefined && read < addressesPerFile; read += batchSize) {
    const { listed, next }: SitemapBatch = await sections[section].list(all, { after, limit: batchSize });
    entries.push(...listed);
    after = next;
    await yieldToEventLoop();
  }
  return entries;
}
