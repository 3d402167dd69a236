import type { Insertable } from "kysely";

import { findPublicCard } from "#app/features/cards/data.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { Db, OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import type { HourlyCountTable } from "#app/services/database/analytics-schema.ts";
import type { CountEvent } from "#app/services/http/context.ts";

import type { VisitOrigin } from "./counting/visit-rules.ts";

type Database = Pick<OpenDatabase, "db" | "engine">;

/** A row of `hourly_count`. `hour`: epoch milliseconds / 3600000; `firsts`: how many of the `n` were the first visit of the day. */
export type HourlyCount = Omit<CountEvent, "kind"> &
  VisitOrigin & { kind: string; hour: number; n: number; firsts: number };

/** The primary key of `hourly_count`. */
export const hourlyKey = [
  "owner_id",
  "hour",
  "subject",
  "kind",
  "source",
  "target",
  "device",
  "country",
  "referrer",
  "campaign",
] as const;

/** Contacts that visitors saved: how many on which card, and how they came to it. */
export type ContactSaves = { ownerId: string; cardId: string; source: string; count: number };
export type AnnounceSaves = (trx: Trx, saves: readonly ContactSaves[]) => Promise<void>;

type CountBatch = { id: string; counts: HourlyCount[]; onSaves?: AnnounceSaves | undefined };

/** Adds a batch of counts in one transaction; does nothing when the batch with this ID is written already. */
export async function addCounts(database: Database, { id, counts, onSaves }: CountBatch, now: number): Promise<void> {
  const rows = sortByKey(counts.map(({ ownerId, ...count }) => ({ owner_id: ownerId, ...count })));
  await transactWithoutFsync(database, async (trx) => {
    const batch = await trx
      .insertInto("count_batch")
      .values({ id, created_at: now })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (batch.numInsertedOrUpdatedRows === 0n) return;
    for (let at = 0; at < rows.length; at += 100) await addToHours(trx, rows.slice(at, at + 100));
    const saves = sumSaves(counts);
    if (saves.length > 0) await onSaves?.(trx, saves);
  });
}

async function addToHours(trx: Trx, rows: readonly Insertable<HourlyCountTable>[]): Promise<void> {
  await trx
    .insertInto("hourly_count")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(hourlyKey).doUpdateSet((row) => ({
        n: row("hourly_count.n", "+", row.ref("excluded.n")),
        firsts: row("hourly_count.firsts", "+", row.ref("excluded.firsts")),
      })),
    )
    .execute();
}

/** `hour`: epoch milliseconds / 3600000. */
type CountedLead = { ownerId: string; cardId: string; source: string; hour: number };

/** Counts a lead of a card, without anything else about its visitor. */
export async function countLead(trx: Trx, { ownerId, cardId, source, hour }: CountedLead): Promise<void> {
  const noOrigin = { target: "", device: "", country: "", referrer: "", campaign: "" };
  await addToHours(trx, [
    { owner_id: ownerId, hour, subject: `card:${cardId}`, kind: "lead", source, ...noOrigin, n: 1 },
  ]);
}

/** The contacts saved in a batch, by card and source. */
function sumSaves(counts: readonly HourlyCount[]): ContactSaves[] {
  const saves = new Map<string, ContactSaves>();
  for (const { kind, subject, ownerId, source, n } of counts) {
    if (kind !== "save" || !subject.startsWith("card:")) continue;
    const key = `${subject}|${source}`;
    const known = saves.get(key);
    if (known) known.count += n;
    else saves.set(key, { ownerId, cardId: subject.slice("card:".length), source, count: n });
  }
  return [...saves.values()];
}

/** All nodes write in the same order, so two that write the same rows wait for each other instead of deadlocking. */
export function sortByKey<T extends Record<(typeof hourlyKey)[number], string | number>>(rows: T[]): T[] {
  const keyed = rows.map((row): [string, T] => [hourlyKey.map((column) => row[column]).join("|"), row]);
  return keyed.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
}

/** While a transaction holds this lock, no other one moves counts between the tables, or deletes an account's. */
export async function lockAnalytics(trx: Trx, now: number): Promise<void> {
  await trx
    .insertInto("statistics_lock")
    .values({ name: "roll-up", taken_at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ taken_at: now }))
    .execute();
}

/** Deletes the counts of an owner's pages, and the notes on them. */
export async function deleteCounts(trx: Trx, { ownerId, now }: { ownerId: string; now: number }): Promise<void> {
  await lockAnalytics(trx, now);
  for (const table of ["hourly_count", "daily_count", "day_note"] as const)
    await trx.deleteFrom(table).where("owner_id", "=", ownerId).execute();
}

/** The owner of the link that a visitor reports to have followed; undefined when no public page has that link. */
export async function findLinkOwner(
  db: Db,
  { subject, target }: { subject: string; target: string },
): Promise<string | undefined> {
  const [kind, id = ""] = subject.split(":");
  if (kind === "card") {
    const found = await findPublicCard(db, { id });
    return found?.card.links.some((link) => link.id === target) ? found.card.ownerId : undefined;
  }
  const profile = await findProfile(db, id);
  return profile?.links.some((link) => link.on && link.id === target) ? profile.ownerId : undefined;
}
