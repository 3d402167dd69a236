import { sql } from "kysely";

import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";

import { hourlyKey, lockAnalytics } from "#app/features/analytics/data.server.ts";
import { measures } from "#app/features/analytics/dimension-rules.ts";
import { firstOfMonth } from "#app/services/preferences/owner-days.ts";

import { addToStored } from "./roll-up-data.server.ts";

type Database = Pick<OpenDatabase, "db" | "engine">;

const msPerDay = 86_400_000;

/** How long counts are kept: per hour with all details, and per day. After that, per month until the account is deleted. */
export const retention = { hoursForDays: 30, daysForMonths: 25 };

/** Counts that aren't rolled up yet stay. */
export function deleteOldHours({ db }: Pick<Database, "db">, now: number): Promise<number> {
  const end = Math.floor((now - retention.hoursForDays * msPerDay) / 3_600_000);
  return deleteInParts(db, { from: "hourly_count", key: hourlyKey, where: sql`hour < ${end} and n = rolled` });
}

/** A process that can't reach the database repeats its batch for as long as it runs; a day later, it would count twice. */
export function deleteOldBatches({ db }: Pick<Database, "db">, now: number): Promise<number> {
  return deleteInParts(db, { from: "count_batch", key: ["id"], where: sql`created_at < ${now - msPerDay}` });
}

/** Replaces the days of each month that ended more than 25 months ago by one day, the first of the month. */
export async function mergeMonths(database: Database, now: number): Promise<void> {
  const { db } = database;
  const end = firstOfMonth(Math.floor(now / msPerDay), -retention.daysForMonths);
  const { oldest } = await db
    .selectFrom("daily_count")
    .select((row) => row.fn.min("day").as("oldest"))
    .executeTakeFirstOrThrow();
  if (oldest === null) return;
  for (let first = firstOfMonth(oldest); first < end; first = firstOfMonth(first, 1)) {
    const last = firstOfMonth(first, 1) - 1;
    for (;;) {
      const owner = await db
        .selectFrom("daily_count")
        .select("owner_id")
        .where("day", ">", first)
        .where("day", "<=", last)
        .limit(1)
        .executeTakeFirst();
      if (!owner) break;
      await transactWithoutFsync(database, async (trx) => {
        await lockAnalytics(trx, now);
        await mergeMonth(trx, { ownerId: owner.owner_id, first, last });
      });
    }
  }
}

async function mergeMonth(trx: Trx, { ownerId, first, last }: { ownerId: string; first: number; last: number }) {
  await trx
    .insertInto("daily_count")
    .columns(["owner_id", "dimension", "day", "value", ...measures])
    .expression((row) =>
      row
        .selectFrom("daily_count as old")
        .select(["old.owner_id", "old.dimension", sql<number>`cast(${first} as integer)`.as("day"), "old.value"])
        .select((old) => measures.map((measure) => old.fn.sum<number>(`old.${measure}`).as(measure)))
        .where("old.owner_id", "=", ownerId)
        .where("old.day", ">", first)
        .where("old.day", "<=", last)
        .groupBy(["old.owner_id", "old.dimension", "old.value"]),
    )
    .onConflict(addToStored)
    .execute();
  await trx
    .deleteFrom("daily_count")
    .where("owner_id", "=", ownerId)
    .where("day", ">", first)
    .where("day", "<=", last)
    .execute();
}
