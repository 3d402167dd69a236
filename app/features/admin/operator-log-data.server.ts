import { createHash, randomUUID } from "node:crypto";

import { sql } from "kysely";
import { z } from "zod";

import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";

import type { InvitationAction, JobAction, OperatorAction } from "./messages.ts";

/**
 * What an operator did to an account; or about an invitation: then `ownerId` is its id, and `detail` its address; or about jobs: then
 * `ownerId` is "", and `detail` says which. `adminId` is "" for the command line.
 */
export type LoggedAction = {
  adminId: string;
  ownerId: string;
  action: OperatorAction | InvitationAction | JobAction;
  detail?: string;
};

/** Records an action in the transaction that carries it out. */
export async function logAction(trx: Trx, { adminId, ownerId, action, detail = "" }: LoggedAction): Promise<void> {
  await trx
    .insertInto("operator_log")
    .values({ id: randomUUID(), admin_id: adminId, owner_id: ownerId, action, detail, created_at: Date.now() })
    .execute();
}

/** The `admin_id` of what Stripe reported. */
const stripeId = "stripe";

const noticePayload = z.object({ ownerId: z.string(), kind: z.string(), detail: z.string() });

/** Adds what Stripe reported about an account to the log, once. Nothing for an account that was deleted meanwhile. */
export async function logNotice({ db, clock }: Pick<Services, "db" | "clock">, payload: unknown): Promise<void> {
  const { ownerId, kind, detail } = noticePayload.parse(payload);
  const entry = { admin_id: stripeId, owner_id: ownerId, action: kind, detail, created_at: clock() };
  // The id stays when the detail is deleted with the account, so it must not contain Stripe's ids.
  const id = createHash("sha256").update(`${kind}: ${detail}`).digest("hex");
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return;
    await trx
      .insertInto("operator_log")
      .values({ id, ...entry })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  });
}

export type LogEntry = {
  id: string;
  at: number;
  action: string;
  detail: string;
  /** Null for the command line, and for an account that was deleted. */
  adminEmail: string | null;
  isCommandLine: boolean;
  isByStripe: boolean;
  ownerId: string;
  /** Null for an account that was deleted. */
  ownerEmail: string | null;
};

type LogRow = {
  id: string;
  at: number | string;
  action: string;
  detail: string;
  adminId: string;
  adminEmail: string | null;
  ownerId: string;
  ownerEmail: string | null;
};

/** The entries before the one with the id `before`, newest first, and the `before` of the next page. */
export async function listLog(
  db: Db,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ entries: LogEntry[]; next: string | undefined }> {
  const isBefore =
    before === undefined
      ? sql`1 = 1`
      : sql`(l."created_at", l."id") < (select "created_at", "id" from "operator_log" where "id" = ${before})`;
  const { rows } = await sql<LogRow>`select l."id", l."created_at" as "at", l."action", l."detail",
      l."admin_id" as "adminId", l."owner_id" as "ownerId", a."email" as "adminEmail", o."email" as "ownerEmail"
    from "operator_log" l
    left join "user" a on a."id" = l."admin_id"
    left join "user" o on o."id" = l."owner_id"
    where ${isBefore}
    order by l."created_at" desc, l."id" desc
    limit ${limit + 1}`.execute(db);
  const entries = rows.slice(0, limit).map(({ adminId, at, ...row }) => ({
    ...row,
    at: Number(at),
    isCommandLine: adminId === "",
    isByStripe: adminId === stripeId,
  }));
  return { entries, next: rows.length > limit ? entries.at(-1)?.id : undefined };
}

const keptMs = 180 * 24 * 60 * 60 * 1000;

/** Deletes entries that are older than 180 days. */
export function sweepLog({ db, clock }: Pick<Services, "db" | "clock">): Promise<number> {
  return deleteInParts(db, { from: "operator_log", key: ["id"], where: sql`created_at < ${clock() - keptMs}` });
}
