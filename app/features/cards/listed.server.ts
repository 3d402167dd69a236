import { planOf } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database.server.ts";

import { oldestCardId } from "./oldest-card.server.ts";
import { isBeyondPlan } from "./rules.ts";

/** A page for search engines: its path, and when what it shows was last changed (epoch milliseconds). */
export type ListedCard = { path: string; changedAt: number };

/**
 * A batch of the cards that search engines may list, by id from `after` on, and where the next one starts (undefined: nowhere). Their
 * owners' profiles say whether they may. `limit` counts those that a plan has no room for as well, so a batch may be shorter.
 */
export async function listListedCards(
  db: Db,
  { after, limit, now }: { after: string; limit: number; now: number },
): Promise<{ listed: ListedCard[]; next: string | undefined }> {
  const rows = await selectListed(db, after)
    .leftJoin("subscription", "subscription.user_id", "card.user_id")
    .select(["card.id", "card.updated_at", "profile.updated_at as profile_updated_at"])
    .select(["subscription.plan", "subscription.ends_at"])
    .select(oldestCardId)
    .limit(limit)
    .execute();
  const shown = rows.filter(({ id, oldest_id, plan, ends_at }) => {
    const inForce = planOf(plan === null ? undefined : { plan, ends_at }, now);
    return !isBeyondPlan(inForce, { isOldest: id === oldest_id });
  });
  const listed = shown.map((row) => ({
    path: `/card/${encodeURIComponent(row.id)}`,
    changedAt: Math.max(row.updated_at, row.profile_updated_at),
  }));
  return { listed, next: rows.length === limit ? rows.at(-1)?.id : undefined };
}

/** The id after which the next `step` of them start; undefined when that many, and one more, are not there. */
export async function skipListedCards(
  db: Db,
  { after, step }: { after: string; step: number },
): Promise<string | undefined> {
  const rows = await selectListed(db, after)
    .select("card.id")
    .offset(step - 1)
    .limit(2)
    .execute();
  return rows.length === 2 ? rows[0]?.id : undefined;
}

function selectListed(db: Db, after: string) {
  return db
    .selectFrom("card")
    .innerJoin("profile", "profile.user_id", "card.user_id")
    .where("card.is_public", "=", 1)
    .where("card.is_paused", "=", 0)
    .where("profile.is_listed", "=", 1)
    .where("card.id", ">", after)
    .orderBy("card.id");
}
