import { sql } from "kysely";

import type { Db } from "#app/services/database/database.server.ts";

/** What operators see of an account besides its row in the list. Times are epoch milliseconds. */
export type UserDetails = {
  sessions: { id: string; browser: string; method: string; startedAt: number; seenAt: number }[];
  /** The latest, newest first. */
  events: { id: string; event: string; detail: string; browser: string; network: string; at: number }[];
  cards: number;
  hasTwoStep: boolean;
  block: { reason: string; at: number } | undefined;
  /** The plan that an operator gave; `endsAt` is null without an end. */
  grant: { endsAt: number | null; reason: string; at: number } | undefined;
};

type SessionRow = {
  id: string;
  browser: string;
  method: string;
  createdAt: string | Date;
  updatedAt: string | Date;
  expiresAt: string | Date;
};

const maxShown = 50;

export async function readUserDetails(
  db: Db,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<UserDetails> {
  const profile = await db
    .selectFrom("profile")
    .select("cards_owned")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const factor = await db
    .selectFrom("second_factor")
    .select("enabled_at")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const block = await db.selectFrom("account_block").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
  const grant = await db
    .selectFrom("plan_grant")
    .select(["ends_at", "reason", "created_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return {
    sessions: await listSessions(db, { ownerId, now }),
    events: await listEvents(db, ownerId),
    cards: profile?.cards_owned ?? 0,
    hasTwoStep: Boolean(factor?.enabled_at),
    grant: grant && { endsAt: grant.ends_at, reason: grant.reason, at: grant.created_at },
    block: block && { reason: block.reason, at: block.created_at },
  };
}

async function listSessions(db: Db, { ownerId, now }: { ownerId: string; now: number }) {
  const { rows } = await sql<SessionRow>`select "id", "browser", "method", "createdAt", "updatedAt", "expiresAt"
    from "session" where "userId" = ${ownerId} order by "updatedAt" desc, "id" limit ${maxShown}`.execute(db);
  return rows
    .filter(({ expiresAt }) => new Date(expiresAt).getTime() > now)
    .map(({ id, browser, method, createdAt, updatedAt }) => ({
      id,
      browser,
      method,
      startedAt: new Date(createdAt).getTime(),
      seenAt: new Date(updatedAt).getTime(),
    }));
}

async function listEvents(db: Db, ownerId: string) {
  const rows = await db
    .selectFrom("security_event")
    .select(["id", "event", "detail", "browser", "network", "created_at"])
    .where("owner_id", "=", ownerId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(maxShown)
    .execute();
  return rows.map(({ created_at, ...event }) => ({ ...event, at: created_at }));
}
