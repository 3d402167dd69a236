import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** Saves within this time make one update. */
const collectMs = 5_000;
/** A job that is so late was lost. It retries at least every quarter of an hour. */
const lostMs = 60 * 60_000;

/** All passes of an account, or the pass of one card. */
type Which = { ownerId: string } | { cardId: string };

/**
 * Schedules the job that makes these passes current and tells their devices. Does nothing for passes whose job is waiting already, and
 * for those that no device has.
 */
export async function schedulePassUpdates(
  { jobs, clock }: Pick<Services, "jobs" | "clock">,
  trx: Trx,
  which: Which,
): Promise<void> {
  const now = clock();
  const runAt = now + collectMs;
  const [column, value] =
    "ownerId" in which ? (["owner_id", which.ownerId] as const) : (["card_id", which.cardId] as const);
  const rows = await trx
    .updateTable("wallet_pass")
    .set({ update_due_at: runAt })
    .where(column, "=", value)
    .where((row) => row.or([row("update_due_at", "is", null), row("update_due_at", "<", now - lostMs)]))
    .where("card_id", "in", trx.selectFrom("wallet_registration").select("card_id"))
    .returning("card_id")
    .execute();
  if (rows.length === 0) return;
  const cardIds = rows.map(({ card_id }) => card_id);
  await jobs.schedule(trx, { kind: passUpdateJob, payload: { cardIds }, runAt });
}

export const passUpdateJob = "wallet-pass-update";
