import { sql } from "kysely";
import { createHash } from "node:crypto";

import type { Db, Trx } from "#app/services/database/database.server.ts";
import { inKeyRanges } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { GooglePass } from "#app/services/http/google-wallet/google-wallet.server.ts";

import { genericClass, genericObject } from "./pass-json.ts";

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

/** The hash of what Google has, "" for nothing or something unknown, or a `refusedMark`. Undefined for a card whose pass was never requested. */
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

/** All passes of an account, or the pass of one card. */
type Which = { ownerId: string } | { cardId: string };

/**
 * Schedules a job for each of these passes that sends it, unless that waits already. Does nothing for cards whose pass was never requested. The
 * job waits while Google Wallet isn't configured, so that Google is notified of a deletion in that time, too.
 */
export async function scheduleGoogleUpdates(
  { jobs, clock }: Pick<Services, "jobs" | "clock">,
  db: Db | Trx,
  which: Which,
): Promise<void> {
  const rows = await db
    .selectFrom("google_pass")
    .select("card_id as cardId")
    .where(isOneOf(which))
    .orderBy("card_id")
    .execute();
  const runAt = clock() + collectMs;
  for (const { cardId } of rows)
    await jobs.schedule(db, { kind: googleUpdateJob, key: cardId, payload: { cardId, tries: 0 }, runAt });
}

function isOneOf(which: Which) {
  return "ownerId" in which ? sql<boolean>`owner_id = ${which.ownerId}` : sql<boolean>`card_id = ${which.cardId}`;
}

/** The card, or all cards of the account, were deleted. Call it after scheduling their updates. */
export async function retireGooglePasses(trx: Trx, which: Which, now: number): Promise<void> {
  await trx
    .updateTable("google_pass")
    .set((row) => ({
      deleted_at: row.fn.coalesce("deleted_at", row.val(now)),
      ...("ownerId" in which && { owner_id: "" }),
    }))
    .where(isOneOf(which))
    .execute();
}

/** How long the pass of a deleted card is kept, or longer, until Google is notified that it is void. */
const retiredMs = 30 * 24 * 60 * 60_000;

/** Deletes passes of cards that were deleted a month ago. Those that Google wasn't notified of since are sent, in case their job was given up. */
export async function sweepGooglePasses(services: Pick<Services, "db" | "clock" | "jobs">): Promise<void> {
  const { db, clock } = services;
  const isCardGone = sql<boolean>`not exists (select 1 from card where card.id = google_pass.card_id)`;
  await inKeyRanges(db, { table: "google_pass", key: "card_id" }, async (isInRange) => {
    // A pass that was requested while its card was being deleted.
    const requested = db.updateTable("google_pass").set({ owner_id: "", deleted_at: clock() }).where(isInRange);
    await requested.where("deleted_at", "is", null).where(isCardGone).execute();
    await db
      .deleteFrom("google_pass")
      .where(isInRange)
      .where("deleted_at", "<", clock() - retiredMs)
      .where(isCardGone)
      .where("error", "=", "")
      .where("sent_hash", "<>", "")
      .whereRef("sent_at", ">", "deleted_at")
      .execute();
    const unsent = await db
      .selectFrom("google_pass")
      .select("card_id as cardId")
      .where(isInRange)
      .where("deleted_at", "is not", null)
      .where((row) => row.or([row("sent_at", "is", null), row("sent_at", "<=", row.ref("deleted_at"))]))
      .execute();
    for (const which of unsent) await scheduleGoogleUpdates(services, db, which);
  });
}

/** Where visitors add a card to Google Wallet; undefined where that isn't configured. */
export function googleWalletUrl({ googleWallet }: Pick<Services, "googleWallet">, { cardUrl }: { cardUrl: string }) {
  return googleWallet && `${cardUrl}/google-wallet`;
}

/** The pass as Google should have it, with a hash of all that was sent. */
export function googlePass(content: PassContent, issuerId: string): GooglePass & { hash: string } {
  const { cardUrl, images, colors } = content;
  // Google loads images from public addresses only.
  const imageBase = cardUrl.startsWith("https:") ? `${cardUrl}/google-wallet` : undefined;
  const object = genericObject(content, { issuerId, imageBase, imageVersion: hashOf([images, colors]).slice(0, 12) });
  return { class: genericClass(issuerId), object, hash: hashOf(object) };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
