import { listSitemapCards, skipSitemapCards } from "#app/features/cards/sitemap-data.server.ts";
import { listSitemapProfiles, skipSitemapProfiles } from "#app/features/profile/sitemap-data.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { addressesPerFile, maxAddresses } from "./sitemap.ts";
import type { SitemapEntry } from "./sitemap.ts";

/** Rows read per statement. */
const batchSize = 500;

type SitemapBatch = { listed: SitemapEntry[]; next: string | undefined };
type SitemapRange = { after: string; until?: string | undefined };
type SitemapCursor = SitemapRange & { limit: number };

const sections = {
  profiles: {
    list: ({ db }: Services, cursor: SitemapCursor): Promise<SitemapBatch> => listSitemapProfiles(db, cursor),
    skip: skipSitemapProfiles,
  },
  cards: {
    list: ({ db, clock, config }: Services, cursor: SitemapCursor): Promise<SitemapBatch> =>
      listSitemapCards(db, { ...cursor, now: clock(), premium: config.premium }),
    skip: skipSitemapCards,
  },
};
export type SitemapSection = keyof typeof sections;
export const sectionNames = ["profiles", "cards"] as const satisfies SitemapSection[];

/** The entries of one file, ordered by id. */
export async function listEntries(
  services: Services,
  section: SitemapSection,
  { after, until }: SitemapRange,
): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  let from: string | undefined = after;
  for (let read = 0; from !== undefined && read < maxAddresses; read += batchSize) {
    const { listed, next }: SitemapBatch = await sections[section].list(services, {
      after: from,
      until,
      limit: batchSize,
    });
    entries.push(...listed);
    from = next;
  }
  return entries;
}

/** The ids after which the files of a section start: one file at least. */
export async function listFileStarts(db: Db, section: SitemapSection): Promise<string[]> {
  const rows = await db
    .selectFrom("sitemap_file")
    .select("start")
    .where("section", "=", section)
    .orderBy("start")
    .execute();
  return ["", ...rows.map(({ start }) => start)];
}

/** Splits the sections into files again. Until the next time, a file also has what was added between its ends. */
export async function updateSitemapFiles({ db }: Pick<Services, "db">): Promise<void> {
  for (const section of sectionNames) {
    const starts = await findFileStarts(db, section);
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom("sitemap_file").where("section", "=", section).execute();
      const rows = starts.map((start) => ({ section, start }));
      if (rows.length > 0) await trx.insertInto("sitemap_file").values(rows).execute();
    });
  }
}

async function findFileStarts(db: Db, section: SitemapSection): Promise<string[]> {
  const starts: string[] = [];
  let after = "";
  for (let passed = batchSize; ; passed += batchSize) {
    const next = await sections[section].skip(db, { after, step: batchSize });
    if (next === undefined) return starts;
    if (passed % addressesPerFile === 0) starts.push(next);
    after = next;
  }
}
