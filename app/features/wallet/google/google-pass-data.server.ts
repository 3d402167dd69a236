import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { inKeyRanges } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** Notes that a card has a pass in Google Wallet, so that each later change of the card is sent there. */
export async function addGooglePass(
  { db, clock }: Pick<Services, "db" | "clock">,
  { cardId, ownerId }: { cardId: string; ownerId: string },
): Promise<void> {
  await db
    .insertInto("google_pass")
    .values({ card_id: cardId, owner_id: ownerId, created_at: clock() })
    .onConflict((conflict) => conflict.column("card_id").doUpdateSet({ deleted_at: null, owner_id: ownerId }))
    .execute();
}

/** The hash of what Google has, "" for nothing or something unknown, or a `refusedMark`. Undefined for a card that was never asked for. */
export async function findSentHash(db: Db, cardId: string): Promise<string | undefined> {
  const row = await db.selectFrom("google_pass").select("sent_hash").where("card_id", "=", cardId).executeTakeFirst();
  return row?.sent_hash;
}

/**
 * Notes what was sent. False when someone else sent something else in the meantime: which of the two arrived last isn't known then, so
 * that Google counts as having nothing. `before` is the hash that was read before sending.
 */
export async function saveSent(db: Db, { cardId, hash, before, now }: SentPass): Promise<boolean> {
  const update = (fields: { sent_hash: string; sent_at?: number; error?: string }) =>
    db.updateTable("google_pass").set(fields).where("card_id", "=", cardId);
  const saved = await update({ sent_hash: hash, sent_at: now, error: "" })
    .where("sent_hash", "in", [before, hash])
    .executeTakeFirst();
  if (saved.numUpdatedRows > 0n) return true;
  await update({ sent_hash: "" }).execute();
  return false;
}

type SentPass = { cardId: string; hash: string; before: string; now: number };

/** Google has what the card showed at `now`, which is before that was read. */
export async function confirmSent(db: Db, cardId: string, now: number): Promise<void> {
  await db
    .updateTable("google_pass")
    .set({ sent_at: now })
    .where("card_id", "=", cardId)
    .where("sent_hash", "<>", "")
    .where("error", "=", "")
    .execute();
}

/**
 * Notes why passes couldn't be sent. They may be at Google or not, so the next try sends them again. `sentHash`: `refusedMark` of what
 * Google refused, or "".
 */
export async function saveError(db: Db, cardIds: readonly string[], { error, sentHash }: FailedPass): Promise<void> {
  await db.updateTable("google_pass").set({ error, sent_hash: sentHash }).where("card_id", "in", cardIds).execute();
}

type FailedPass = { error: string; sentHash: string };

/** What `sent_hash` holds once Google has refused a pass with this hash. It equals no hash. */
export function refusedMark(hash: string): string {
  return `refused ${hash}`;
}

export const googleUpdateJob = "google-wallet-update";

/** Saves within this time make one update. */
const collectMs = 5_000;
/** A job that is so late was lost: it retries at least every hour. */
const lostMs = 3 * 60 * 60_000;

/** All passes of an account, or the pass of one card. */
type Which = { ownerId: string } | { cardId: string };

/**
 * Schedules the job that sends these passes, unless it is waiting already. Does nothing for cards that were never asked for. The job waits
 * while Google Wallet isn't configured, so that Google hears of a deletion in that time, too.
 */
export async function scheduleGoogleUpdates(
  { jobs, clock }: Pick<Services, "jobs" | "clock">,
  trx: Trx,
  which: Which,
): Promise<void> {
  const now = clock();
  const runAt = now + collectMs;
  const [column, value] =
    "ownerId" in which ? (["owner_id", which.ownerId] as const) : (["card_id", which.cardId] as const);
  const rows = await trx
    .updateTable("google_pass")
    .set({ update_due_at: runAt })
    .where(column, "=", value)
    .where((row) => row.or([row("update_due_at", "is", null), row("update_due_at", "<", now - lostMs)]))
    .returning("card_id")
    .execute();
  if (rows.length === 0) return;
  const cardIds = rows.map(({ card_id }) => card_id);
  await jobs.schedule(trx, { kind: googleUpdateJob, payload: { cardIds }, runAt });
}

/** The passes of an update that still exist. A save from now on schedules another update. */
export async function takeGooglePasses(db: Db, cardIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable("google_pass")
    .set({ update_due_at: null })
    .where("card_id", "in", cardIds)
    .returning("card_id")
    .execute();
  return rows.map(({ card_id }) => card_id);
}

/** Notes that the same update goes on later. Returns the passes that have no other job by now. */
export async function postponeGoogleUpdate(
  db: Db | Trx,
  { cardIds, runAt }: { cardIds: readonly string[]; runAt: number },
): Promise<string[]> {
  const rows = await db
    .updateTable("google_pass")
    .set({ update_due_at: runAt })
    .where("card_id", "in", cardIds)
    .where("update_due_at", "is", null)
    .returning("card_id")
    .execute();
  return rows.map(({ card_id }) => card_id);
}

/** The card, or all cards of the account, were deleted. Call it after scheduling their updates. */
export async function retireGooglePasses(trx: Trx, which: Which, now: number): Promise<void> {
  const [column, value] =
    "ownerId" in which ? (["owner_id", which.ownerId] as const) : (["card_id", which.cardId] as const);
  await trx
    .updateTable("google_pass")
    .set((row) => ({
      deleted_at: row.fn.coalesce("deleted_at", row.val(now)),
      ...("ownerId" in which && { owner_id: "" }),
    }))
    .where(column, "=", value)
    .execute();
}

/** How long the pass of a deleted card is kept, or longer, until Google has heard that it is void. */
const retiredMs = 30 * 24 * 60 * 60_000;

export async function sweepGooglePasses(services: Pick<Services, "db" | "clock" | "jobs">): Promise<void> {
  const { db, clock } = services;
  const isCardGone = sql<boolean>`not exists (select 1 from card where card.id = google_pass.card_id)`;
  const outdated: string[] = [];
  await inKeyRanges(db, { table: "google_pass", key: "card_id" }, async (isInRange) => {
    // A pass that was requested while its card was being deleted.
    const requested = db.updateTable("google_pass").set({ owner_id: "", deleted_at: clock() }).where(isInRange);
    await requested.where("deleted_at", "is", null).where(isCardGone).execute();
    await db
      .deleteFrom("google_pass")
      .where(isInRange)
      .where("deleted_at", "<", clock() - retiredMs)
      .where(isCardGone)
      .where("update_due_at", "is", null)
      .where("error", "=", "")
      .where("sent_hash", "<>", "")
      .whereRef("sent_at", ">=", "deleted_at")
      .execute();
    if (outdated.length < mostOutdated) outdated.push(...(await listOutdatedPasses(db, isInRange, clock())));
  });
  for (const cardId of outdated) await transact(db, (trx) => scheduleGoogleUpdates(services, trx, { cardId }));
}

/** When a sweep has found so many, the rest waits for the next one. */
const mostOutdated = 500;

/**
 * Passes that no job will send: of cards that were deleted, or whose owner's plan ended, after Google last had what they show. A plan that
 * ends by itself makes no event. And those whose job was lost.
 */
async function listOutdatedPasses(db: Db, isInRange: RawBuilder<boolean>, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("google_pass")
    .leftJoin("subscription", "subscription.owner_id", "google_pass.owner_id")
    .select("google_pass.card_id")
    .where(isInRange)
    .where((row) => {
      const wasDeleted = row.and([
        row("google_pass.deleted_at", "is not", null),
        row.or([
          row("google_pass.sent_at", "is", null),
          row("google_pass.sent_at", "<", row.ref("google_pass.deleted_at")),
        ]),
      ]);
      const hasPlanEnded = row.and([
        row("subscription.ends_at", "<=", now),
        row("google_pass.sent_at", "<", row.ref("subscription.ends_at")),
      ]);
      const hasFailed = row("google_pass.error", "<>", "");
      return row.or([
        row("google_pass.update_due_at", "<", now - lostMs),
        row.and([row("google_pass.update_due_at", "is", null), row.or([wasDeleted, hasPlanEnded, hasFailed])]),
      ]);
    })
    .execute();
  return rows.map(({ card_id }) => card_id);
}
