import { activePlan } from "#app/features/billing/rules.ts";
import type { PlanConditions } from "#app/features/billing/rules.ts";
import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { cardPath } from "./address-rules.ts";
import { olderCards } from "./card-row.server.ts";
import { isBeyondPlan } from "./rules.ts";

/** A page for the sitemap, and when what it shows was last changed (epoch milliseconds). */
export type CardSitemapEntry = { path: string; changedAt: number };

/**
 * A batch of the cards that search engines may list, ordered by id, after `after` up to `until`; `next` is the id to go on from,
 * undefined at the end. The owners' profiles decide which cards may be listed. `limit` also counts cards that the plan doesn't
 * show, so a batch may be shorter.
 */
export async function listSitemapCards(
  db: Db,
  { after, until, limit, ...conditions }: { after: string; until?: string | undefined; limit: number } & PlanConditions,
): Promise<{ listed: CardSitemapEntry[]; next: string | undefined }> {
  const rows = await selectListedCards(db, after)
    .leftJoin("subscription", "subscription.owner_id", "card.owner_id")
    .select(["card.id", "card.code", "card.updated_at", "profile.updated_at as profile_updated_at"])
    .select(["subscription.plan", "subscription.ends_at"])
    .select(olderCards)
    .$if(until !== undefined, (query) => query.where("card.id", "<=", until ?? ""))
    .limit(limit)
    .execute();
  const shown = rows.filter(({ older_cards, plan, ends_at }) => {
    const inForce = activePlan(plan === null ? undefined : { plan, ends_at }, conditions);
    return !isBeyondPlan(inForce, { olderCards: Number(older_cards) });
  });
  const listed = shown.map((row) => ({
    path: cardPath({ id: encodeURIComponent(row.id), code: row.code }),
    changedAt: Math.max(row.updated_at, row.profile_updated_at),
  }));
  return { listed, next: rows.length === limit ? rows.at(-1)?.id : undefined };
}

/** The id after which the next batch starts, `step` cards on; undefined when there are not more than `step`. */
export async function skipSitemapCards(
  db: Db,
  { after, step }: { after: string; step: number },
): Promise<string | undefined> {
  const rows = await selectListedCards(db, after)
    .select("card.id")
    .offset(step - 1)
    .limit(2)
    .execute();
  return rows.length === 2 ? rows[0]?.id : undefined;
}

function selectListedCards(db: Db, after: string) {
  return db
    .selectFrom("card")
    .innerJoin("profile", "profile.owner_id", "card.owner_id")
    .where("card.is_public", "=", 1)
    .where("card.is_paused", "=", 0)
    .where("profile.is_listed", "=", 1)
    .where(isNotBlocked("card.owner_id"))
    .where("card.id", ">", after)
    .orderBy("card.id");
}
