import { listCards } from "#app/features/cards/data.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import type { DataExport, ExportSource } from "#app/services/features/data-export.ts";

import { parseDimension } from "./dimension-rules.ts";
import { listNotes } from "./notes/note-data.server.ts";
import { isoDayOf } from "#app/services/preferences/owner-days.ts";

const pageSize = 1000;

export const analyticsExport: DataExport = {
  tables: ["hourly_count", "daily_count", "day_note"],
  sections: (source) => ({
    statistics: () => readDays(source),
    statisticsPerHour: () => readHours(source),
    notesOnDays: async () =>
      (await listNotes(source.db, source)).map(({ day, text }) => ({ day: isoDayOf(day), text })),
  }),
};

/**
 * What visitors did, a row per day and value of each dimension; in months that ended long ago, on the first day. A row of one page, link or
 * source names it.
 */
async function* readDays({ db, ownerId }: ExportSource) {
  const nameOf = await readNames({ db, ownerId });
  type Key = { dimension: string; day: number; value: string };
  for (let last: Key | undefined; ;) {
    const after: Key = last ?? { dimension: "", day: 0, value: "" };
    const rows = await db
      .selectFrom("daily_count")
      .selectAll()
      .where("owner_id", "=", ownerId)
      .where((row) =>
        row(row.refTuple("dimension", "day", "value"), ">", row.tuple(after.dimension, after.day, after.value)),
      )
      .orderBy("dimension")
      .orderBy("day")
      .orderBy("value")
      .limit(pageSize)
      .execute();
    for (const { owner_id: _owner, dimension, day, value, ...counts } of rows) {
      const { list, filter } = parseDimension(dimension);
      yield {
        by: list,
        ...(filter && { [filter.dimension]: nameOf(filter.dimension, filter.value) }),
        day: isoDayOf(day),
        value: nameOf(list, value),
        ...counts,
      };
    }
    last = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}

/** The counts of the last weeks as they were written. An hour has few rows. */
async function* readHours({ db, ownerId }: ExportSource) {
  const nameOf = await readNames({ db, ownerId });
  for (let after = -1; ;) {
    const next = await db
      .selectFrom("hourly_count")
      .select((row) => row.fn.min("hour").as("hour"))
      .where("owner_id", "=", ownerId)
      .where("hour", ">", after)
      .executeTakeFirst();
    if (next?.hour === null || next?.hour === undefined) return;
    after = next.hour;
    const rows = await db
      .selectFrom("hourly_count")
      .selectAll()
      .where("owner_id", "=", ownerId)
      .where("hour", "=", after)
      .execute();
    for (const {
      owner_id: _owner,
      rolled: _rolled,
      rolled_firsts: _firsts,
      hour,
      subject,
      target,
      n,
      firsts,
      ...row
    } of rows)
      yield {
        hour: new Date(hour * 3_600_000).toISOString(),
        page: nameOf("page", subject),
        ...row,
        ...(target && { link: nameOf("link", target) }),
        count: n,
        firstOfTheDay: firsts,
      };
  }
}

/** The names of pages and the URLs of links instead of IDs, as long as they exist. */
async function readNames({ db, ownerId }: Pick<ExportSource, "db" | "ownerId">) {
  const cards = await listCards(db, ownerId);
  const profile = await findProfile(db, ownerId);
  const urls = new Map(
    [...(profile?.links ?? []), ...cards.flatMap(({ links }) => links)].map(({ id, url }) => [id, url]),
  );
  return (dimension: string, value: string): string => {
    if (dimension === "page") return value.startsWith("profile:") ? "profile" : value.replace("card:", "card ");
    return dimension === "link" ? (urls.get(value) ?? value) : value;
  };
}
