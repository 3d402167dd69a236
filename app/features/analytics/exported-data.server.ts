import { listCards } from "#app/features/cards/data.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import type { DataExport, ExportSource } from "#app/services/features/data-export.ts";

const msPerDay = 86_400_000;
const pageSize = 1000;

export const analyticsExport: DataExport = {
  tables: ["tally"],
  sections: (source) => ({ statistics: () => readStatistics(source) }),
};

/** What visitors did on the profile and on each card, a row per day. */
async function* readStatistics({ db, ownerId }: ExportSource) {
  const cards = await listCards(db, ownerId);
  const profile = await findProfile(db, ownerId);
  const urls = new Map(
    [...(profile?.links ?? []), ...cards.flatMap(({ links }) => links)].map(({ id, url }) => [id, url]),
  );
  const pages = [
    { subject: `profile:${ownerId}`, page: "profile" },
    ...cards.map(({ id }) => ({ subject: `card:${id}`, page: `card ${id}` })),
  ];
  for (const { subject, page } of pages) {
    for await (const { kind, day, source, target, n } of readTallies(db, subject)) {
      const date = new Date(day * msPerDay).toISOString().slice(0, 10);
      yield { page, day: date, kind, source, ...(target && { link: target, url: urls.get(target) }), count: n };
    }
  }
}

type Tally = { kind: string; day: number; source: string; target: string; n: number };

/** Page by page, because one subject may have hundreds of thousands of rows. */
async function* readTallies(db: ExportSource["db"], subject: string): AsyncGenerator<Tally> {
  for (let last: Tally | undefined; ;) {
    const before = last;
    const rows: Tally[] = await db
      .selectFrom("tally")
      .select(["kind", "day", "source", "target", "n"])
      .where("subject", "=", subject)
      .$if(before !== undefined, (query) =>
        query.where((row) =>
          row(
            row.refTuple("kind", "day", "source", "target"),
            ">",
            row.tuple(before?.kind ?? "", before?.day ?? 0, before?.source ?? "", before?.target ?? ""),
          ),
        ),
      )
      .orderBy("kind")
      .orderBy("day")
      .orderBy("source")
      .orderBy("target")
      .limit(pageSize)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}
