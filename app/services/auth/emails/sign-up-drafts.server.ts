import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { findAddressOwner, lockUser } from "#app/services/auth/user-rows.server.ts";

type NewDraft = { email: string; attempt: string; content: string };

/**
 * Stores the draft card of a visitor who signs up, for the account that the link of this sign-up will confirm. Without effect for an account
 * that is used already, and for a content that is too long.
 */
export async function storeSignUpDraft(db: Db, { email, attempt, content }: NewDraft): Promise<void> {
  if (content.length > maxDraftLength) return;
  await transact(db, async (trx) => {
    const found = await findAddressOwner(trx, email);
    if (!found || !(await lockUser(trx, found.id))) return;
    // Another link may have confirmed it before the lock.
    const owner = await findAddressOwner(trx, email);
    if (!owner?.isUnused) return;
    const expires_at = Date.now() + draftMs;
    await trx.insertInto("sign_up_draft").values({ attempt, owner_id: owner.id, content, expires_at }).execute();
  });
}

/** In the sign-up form, a draft card takes less. */
export const maxDraftLength = 1000;
/** Longer than a sign-up can be confirmed. */
const draftMs = 14 * 24 * 60 * 60 * 1000;

/** Gives a confirmed account the draft of the sign-up that confirmed it, and deletes those of others; without `attempt` all. */
export async function confirmSignUpDraft(
  trx: Trx,
  { userId, attempt }: { userId: string; attempt: string | undefined },
): Promise<void> {
  const drafts = trx.deleteFrom("sign_up_draft").where("owner_id", "=", userId);
  await (attempt === undefined ? drafts : drafts.where("attempt", "<>", attempt)).execute();
  await trx.updateTable("sign_up_draft").set({ is_confirmed: 1 }).where("owner_id", "=", userId).execute();
}

/** The draft of the sign-up of this user; undefined for none. */
export async function findSignUpDraft(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("sign_up_draft")
    .select("content")
    .where("owner_id", "=", userId)
    .where("is_confirmed", "=", 1)
    .where("expires_at", ">", Date.now())
    .executeTakeFirst();
  return row?.content;
}

export async function deleteSignUpDrafts(db: Db | Trx, userId: string): Promise<void> {
  await db.deleteFrom("sign_up_draft").where("owner_id", "=", userId).execute();
}
