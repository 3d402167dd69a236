import { setImmediate as othersTurn } from "node:timers/promises";

import { data } from "react-router";
import { z } from "zod";

import { listListedCards, skipListedCards } from "#app/features/cards/listed.server.ts";
import { listListedProfiles, skipListedProfiles } from "#app/features/profile/listed.server.ts";
import { requestFacts, services } from "#app/services/context.ts";
import type { Services } from "#app/services/context.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/sitemap-route.ts";
import { addressesPerFile, indexXml, sitePages, urlSetXml } from "./sitemap.ts";
import type { SitemapEntry } from "./sitemap.ts";

export { refuseWrites as action };

/**
 * Every page that search engines may list, as one file while there is room in it, else as an index of files: `?profiles=1`,
 * `?cards=2`. Each is made at most once in five minutes, in small steps between which others have their turn.
 */
export const loader = fileLoader(async ({ context, url }: Route.LoaderArgs) => {
  const all = services(context);
  const file = askedFile(url.searchParams);
  const askedBy = context.get(requestFacts).address;
  const starts = await kept(all, { name: "starts", askedBy, make: async () => JSON.stringify(await findStarts(all)) });
  if (starts === "busy") return busy();
  const xml = await kept(all, {
    name: file,
    askedBy,
    make: () => fileXml(all, file, readStarts.parse(JSON.parse(starts))),
  });
  if (xml === "busy") return busy();
  return new Response(xml, {
    headers: {
      "content-type": "application/xml; charset=utf-8",
      "cache-control": `public, max-age=${keptSeconds}`,
    },
  });
});

const keptSeconds = 300;
/** Rows looked at in one step. */
const batch = 500;

type Batch = { listed: SitemapEntry[]; next: string | undefined };
type Place = { after: string; limit: number };

const sections = {
  profiles: {
    list: ({ db }: Services, place: Place): Promise<Batch> => listListedProfiles(db, place),
    skip: skipListedProfiles,
  },
  cards: {
    list: ({ db, clock }: Services, place: Place): Promise<Batch> => listListedCards(db, { ...place, now: clock() }),
    skip: skipListedCards,
  },
};
type Section = keyof typeof sections;
const sectionNames = ["profiles", "cards"] as const satisfies Section[];

/** After which id each file of a section starts. */
type Starts = z.infer<typeof readStarts>;
const readStarts = z.object({ profiles: z.array(z.string()), cards: z.array(z.string()) });

type File = "all" | "site" | { section: Section; number: number };

/** What the query asks for. Throws the 404 for a number that none can have; other names in the query say nothing. */
function askedFile(search: URLSearchParams): File {
  if (search.has("site")) return "site";
  const section = sectionNames.find((name) => search.has(name));
  if (!section) return "all";
  const typed = search.get(section) ?? "";
  if (!/^[1-9]\d{0,5}$/.test(typed)) throw data(null, { status: 404 });
  return { section, number: Number(typed) };
}

type Wish = { name: unknown; askedBy: string; make: () => Promise<string> };

/** A text that is made once for all who ask within five minutes. */
async function kept({ pictures, clock }: Services, { name, askedBy, make }: Wish): Promise<string> {
  const shows = [name, Math.floor(clock() / (keptSeconds * 1_000))];
  const draw = async () => ({ body: new TextEncoder().encode(await make()), type: "text/plain" });
  const made = await pictures.make({ ownerId: "site", askedBy, kind: "sitemap 1", shows, draw });
  return made === "busy" ? made : new TextDecoder().decode(made.body);
}

function busy() {
  const headers = { "retry-after": "3", "cache-control": "no-store" };
  return plainText("Too much is asked for right now. Try again in a moment.", { status: 503, headers });
}

async function fileXml(all: Services, file: File, starts: Starts): Promise<string> {
  const { baseUrl } = all.config;
  const site = sitePages.map((path) => ({ path }));
  if (file === "site") return urlSetXml(baseUrl, site);
  if (file !== "all") {
    const start = starts[file.section][file.number - 1];
    if (start === undefined) throw data(null, { status: 404 });
    return urlSetXml(baseUrl, await entriesFrom(all, file.section, start));
  }
  if (sectionNames.every((name) => starts[name].length === 1)) {
    const parts = await Promise.all(sectionNames.map((name) => entriesFrom(all, name, "")));
    return urlSetXml(baseUrl, [...site, ...parts.flat()]);
  }
  const paths = sectionNames.flatMap((name) => starts[name].map((_, at) => `/sitemap.xml?${name}=${at + 1}`));
  return indexXml(baseUrl, ["/sitemap.xml?site", ...paths]);
}

async function findStarts(all: Services): Promise<Starts> {
  return { profiles: await startsOf(all, "profiles"), cards: await startsOf(all, "cards") };
}

async function startsOf({ db }: Services, section: Section): Promise<string[]> {
  const starts = [""];
  let after = "";
  for (let passed = batch; ; passed += batch) {
    const next = await sections[section].skip(db, { after, step: batch });
    if (next === undefined) return starts;
    if (passed % addressesPerFile === 0) starts.push(next);
    after = next;
    await othersTurn();
  }
}

/** Of one file, in the order of their ids. */
async function entriesFrom(all: Services, section: Section, start: string): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  let after: string | undefined = start;
  for (let read = 0; after !== undefined && read < addressesPerFile; read += batch) {
    const { listed, next }: Batch = await sections[section].list(all, { after, limit: batch });
    entries.push(...listed);
    after = next;
    await othersTurn();
  }
  return entries;
}
