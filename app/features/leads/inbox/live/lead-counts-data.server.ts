import { sql } from "kysely";

import { countUnread, isOwnedBy } from "#app/features/leads/inbox/inbox-data.server.ts";
import { maxCounted } from "#app/features/leads/inbox-rules.ts";
import type { FunctionCall, FunctionResult } from "#app/services/features/server-function.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** For pages that receive the event of a new lead: how many there are, and how many the list of the page doesn't have. */
export async function getLeadCounts({ db }: Services, { user, query }: FunctionCall): Promise<FunctionResult> {
  const since = Number(query.get("since") ?? "");
  const counts = { unread: await countUnread(db, user.id) };
  if (!query.has("since") || !Number.isSafeInteger(since) || since < 0) return { body: counts };
  const ids = query.getAll("id").filter((id) => !id.includes("\u0000"));
  return { body: { ...counts, unlisted: await countUnlisted(db, { ownerId: user.id, since, ids }) } };
}

type UnlistedQuery = { ownerId: string; since: number; ids: readonly string[] };

/**
 * How many leads of the inbox came in after `since`. Of those that were filled in earlier, on a device that was offline, only `ids` are
 * counted, whose event the caller has just received. At most 100, from the index of the inbox.
 */
export async function countUnlisted(db: Db, { ownerId, since, ids }: UnlistedQuery): Promise<number> {
  const limit = maxCounted + 1;
  const isListed = sql`quarantined_at is null and deleted_at is null and merged_into is null`;
  const isAnnounced =
    ids.length === 0
      ? sql`id = ''`
      : sql`id in (${sql.join(ids.slice(0, limit))}) and received_at > ${since - slackMs}`;
  const { rows } = await sql<{ n: number | string }>`
    select count(*) as n from (
      select id from (
        select id from lead where owner_id = ${ownerId} and ${isListed} and created_at > ${since} limit ${limit}
      ) later
      union select id from lead where ${isAnnounced} and ${isOwnedBy("lead", ownerId)} and ${isListed}
    ) found`.execute(db);
  return Math.min(Number(rows[0]?.n ?? 0), limit);
}

/** The clocks of two nodes differ, and a lead is stored a moment after it was received. */
const slackMs = 60_000;
