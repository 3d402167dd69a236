import { sql } from "kysely";
import type { OnConflictBuilder } from "kysely";

import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import type { Schema } from "#app/services/database/schema.ts";

import { hourlyKey, lockStatistics, sortByKey } from "#app/features/analytics/data.server.ts";
import { measures, noCounts, sumByDimension } from "#app/features/analytics/dimension-rules.ts";
import type { DailyCount, Dimension, HourlyRow } from "#app/features/analytics/dimension-rules.ts";

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
    await lockStatistics(trx, now);
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

const measureOfKind: Readonly<Record<string, "visits" | "saves" | "clicks">> = {
  visit: "visits",
  save: "saves",
  click: "clicks",
};

/** Moves the counts of older releases into `daily_count`. A process of an older release may still add some. */
export async function moveTallies(database: Database, now: number): Promise<void> {
  while ((await moveTallyBatch(database, now)) === batchSize);
}

async function moveTallyBatch(database: Database, now: number): Promise<number> {
  let found = 0;
  await transactWithoutFsync(database, async (trx) => {
    await lockStatistics(trx, now);
    const { rows } = await sql<{
      subject: string;
      kind: string;
      day: number;
      source: string;
      target: string;
      n: number;
    }>`
      delete from tally where (subject, kind, day, source, target) in
        (select subject, kind, day, source, target from tally limit ${batchSize}) returning *`.execute(trx);
    found = rows.length;
    const owners = await findOwners(trx, [...new Set(rows.map(({ subject }) => subject))]);
    const moved = rows.flatMap((row): DailyCount[] => {
      const measure = measureOfKind[row.kind];
      const ownerId = owners.get(row.subject);
      if (!measure || !ownerId) return [];
      const of = (dimension: Dimension, value: string): DailyCount => {
        return { owner_id: ownerId, dimension, day: row.day, value, ...noCounts, [measure]: row.n };
      };
      const values = [of("all", ""), of("page", row.subject), of("source", row.source)];
      return row.target === "" ? values : [...values, of("link", row.target)];
    });
    await addToDays(trx, addUp(moved));
  });
  return found;
}

/** One statement can't change the same row twice. */
function addUp(counts: DailyCount[]): DailyCount[] {
  const sums = new Map<string, DailyCount>();
  for (const count of counts) {
    const key = `${count.owner_id}|${count.dimension}|${count.day}|${count.value}`;
    const sum = sums.get(key);
    if (sum) for (const measure of measures) sum[measure] += count[measure];
    else sums.set(key, count);
  }
  return [...sums.values()];
}

/** The owners of subjects: "profile:<owner id>" and "card:<card id>". Unknown for deleted cards and accounts. */
async function findOwners(trx: Trx, subjects: string[]): Promise<Map<string, string>> {
  const idsOf = (prefix: string) => [
    "",
    ...subjects.filter((subject) => subject.startsWith(prefix)).map((subject) => subject.slice(prefix.length)),
  ];
  const cards = await trx.selectFrom("card").select(["id", "owner_id"]).where("id", "in", idsOf("card:")).execute();
  const profiles = await trx
    .selectFrom("profile")
    .select("owner_id")
    .where("owner_id", "in", idsOf("profile:"))
    .execute();
  return new Map([
    ...cards.map(({ id, owner_id }): [string, string] => [`card:${id}`, owner_id]),
    ...profiles.map(({ owner_id }): [string, string] => [`profile:${owner_id}`, owner_id]),
  ]);
}
