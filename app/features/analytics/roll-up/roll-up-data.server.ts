import type { OnConflictBuilder } from "kysely";

import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import type { Schema } from "#app/services/database/schema.ts";

import { hourlyKey, lockAnalytics, sortByKey } from "#app/features/analytics/data.server.ts";
import { measures, sumByDimension } from "#app/features/analytics/dimension-rules.ts";
import type { DailyCount, HourlyRow } from "#app/features/analytics/dimension-rules.ts";

type Database = Pick<OpenDatabase, "db" | "engine">;

const batchSize = 500;

/**
 * Adds to `daily_count` what it doesn't have of `hourly_count`. Each row remembers how much of it was added, in the same transaction: a
 * process that is killed, a second one at the same time, and counts that arrive late neither lose nor double anything.
 */
export async function rollUp(database: Database, now: number): Promise<void> {
  while ((await rollUpBatch(database, now)) === batchSize);
}

async function rollUpBatch(database: Database, now: number): Promise<number> {
  let found = 0;
  await transactWithoutFsync(database, async (trx) => {
    await lockAnalytics(trx, now);
    const rows = await trx
      .selectFrom("hourly_count")
      .leftJoin("profile", "profile.owner_id", "hourly_count.owner_id")
      .leftJoin("account_preference", "account_preference.owner_id", "hourly_count.owner_id")
      .selectAll("hourly_count")
      .select(["profile.owner_id as existing_owner", "account_preference.time_zone"])
      .whereRef("hourly_count.n", ">", "hourly_count.rolled")
      .limit(batchSize)
      .execute();
    found = rows.length;
    const isOwned = ({ existing_owner }: { existing_owner: string | null }) => existing_owner !== null;
    // Counts that were in memory when an account was deleted.
    const orphans = new Set(rows.filter((row) => !isOwned(row)).map(({ owner_id }) => owner_id));
    for (const ownerId of orphans) await trx.deleteFrom("hourly_count").where("owner_id", "=", ownerId).execute();
    const owned = rows.filter(isOwned).map(({ time_zone, existing_owner: _existing, ...row }) => ({
      ...row,
      timeZone: time_zone ?? "",
    }));
    await addToDays(trx, sumByDimension(owned));
    await markAsRolled(trx, owned);
  });
  return found;
}

/** Not `rolled = n`, because another process may count at this moment. */
async function markAsRolled(trx: Trx, rows: (HourlyRow & { timeZone: string })[]): Promise<void> {
  const marked = sortByKey(
    rows.map(({ timeZone: _zone, ...row }) => ({ ...row, rolled: row.n, rolled_firsts: row.firsts })),
  );
  for (let at = 0; at < marked.length; at += 100) {
    await trx
      .insertInto("hourly_count")
      .values(marked.slice(at, at + 100))
      .onConflict((conflict) =>
        conflict.columns(hourlyKey).doUpdateSet((row) => ({
          rolled: row.ref("excluded.rolled"),
          rolled_firsts: row.ref("excluded.rolled_firsts"),
        })),
      )
      .execute();
  }
}

async function addToDays(trx: Trx, counts: DailyCount[]): Promise<void> {
  const key = ({ owner_id, dimension, day, value }: DailyCount) => `${owner_id}|${dimension}|${day}|${value}`;
  const rows = counts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  for (let at = 0; at < rows.length; at += 100) {
    await trx
      .insertInto("daily_count")
      .values(rows.slice(at, at + 100))
      .onConflict(addToStored)
      .execute();
  }
}

/** Adds the numbers of an inserted row to those of the row that is there already. */
export function addToStored(conflict: OnConflictBuilder<Schema, "daily_count">) {
  return conflict
    .columns(["owner_id", "dimension", "day", "value"])
    .doUpdateSet((row) =>
      Object.fromEntries(
        measures.map((measure) => [measure, row(`daily_count.${measure}`, "+", row.ref(`excluded.${measure}`))]),
      ),
    );
}
