import { randomUUID } from "node:crypto";

import { sql } from "kysely";

import { findLeadForServices } from "#app/features/leads/services-data.server.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import { emailKey } from "#app/features/leads/rules.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { isBlocked } from "#app/services/database/account-block.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

import { confirmationMail, confirmedMail } from "./forward-mails.ts";

export const forwardJob = "forward-lead";

export const maxForwards = 3;

const dayMs = 86_400_000;

/** An address that no one confirms is deleted after this time. */
export const confirmMs = 7 * dayMs;

/** Anyone can type any address. */
const confirmationLimits = {
  ofOwner: { name: "addresses to forward leads to", max: 10, windowMs: dayMs },
  ofAddress: { name: "confirmation mails for forwarded leads", max: 3, windowMs: dayMs },
} as const satisfies Record<string, RateLimit>;

/** An address that gets an owner's leads. Times in epoch milliseconds, null: never. */
export type Forward = {
  id: string;
  ownerId: string;
  address: string;
  confirmedAt: number | null;
  sentAt: number | null;
  lastError: string;
  failedAt: number | null;
};

export async function listForwards(db: Db | Trx, ownerId: string): Promise<Forward[]> {
  const rows = await selectForwards(db).where("owner_id", "=", ownerId).orderBy("created_at").orderBy("id").execute();
  return rows;
}

export async function findForward(db: Db | Trx, id: string): Promise<Forward | undefined> {
  return selectForwards(db).where("id", "=", id).executeTakeFirst();
}

function selectForwards(db: Db | Trx) {
  return db
    .selectFrom("lead_forward")
    .select([
      "id",
      "owner_id as ownerId",
      "address",
      "confirmed_at as confirmedAt",
      "sent_at as sentAt",
      "last_error as lastError",
      "failed_at as failedAt",
    ]);
}

type Deps = Pick<Services, "db" | "auth" | "jobs" | "clock" | "config" | "rateLimits" | "sign">;

export type AddForwardResult = "added" | "known" | "too-many" | "limited" | "gone";

/** Adds an address and mails it a link to confirm it. Nothing else is sent there before. */
export async function addForward(
  deps: Deps,
  { ownerId, address, name, origin }: { ownerId: string; address: string; name: string; origin: RequestOrigin },
): Promise<AddForwardResult> {
  const { clock, jobs, config, sign, rateLimits, auth } = deps;
  return transact(deps.db, async (trx) => {
    // Of several requests at once, each sees the addresses of those before.
    if (!(await lockUser(trx, ownerId))) return "gone";
    const forwards = await listForwards(trx, ownerId);
    if (forwards.some((known) => emailKey(known.address) === emailKey(address))) return "known";
    if (forwards.length >= maxForwards) return "too-many";
    const attempts = [
      { limit: confirmationLimits.ofOwner, subject: ownerId },
      { limit: confirmationLimits.ofAddress, subject: emailKey(address) },
    ];
    if (await rateLimits.consume(attempts, { trx })) return "limited";
    const id = randomUUID();
    await trx.insertInto("lead_forward").values({ id, owner_id: ownerId, address, created_at: clock() }).execute();
    await auth.recordSecurityEvent(trx, { ownerId, event: "lead-forward-added", detail: address, origin });
    await jobs.enqueue(trx, "mail", confirmationMail({ to: address, id, name, sign, baseUrl: config.baseUrl }));
    return "added";
  });
}

/** Confirms an address and tells the owner. Nothing happens a second time, or when it was removed. */
export async function confirmForward(
  { db, auth, jobs, clock, config }: Pick<Deps, "db" | "auth" | "jobs" | "clock" | "config">,
  { id, origin }: { id: string; origin: RequestOrigin },
): Promise<void> {
  await transact(db, async (trx) => {
    const row = await trx
      .updateTable("lead_forward")
      .set({ confirmed_at: clock() })
      .where("id", "=", id)
      .where("confirmed_at", "is", null)
      .where("created_at", ">", clock() - confirmMs)
      .returning(["owner_id", "address"])
      .executeTakeFirst();
    const owner = row && (await findAddress(trx, row.owner_id));
    if (!row || !owner) return;
    const { owner_id: ownerId, address } = row;
    await auth.recordSecurityEvent(trx, { ownerId, event: "lead-forward-confirmed", detail: address, origin });
    await jobs.enqueue(trx, "mail", confirmedMail({ to: owner.email, address, baseUrl: config.baseUrl }));
  });
}

/** Removes one of the owner's addresses. */
export async function removeForward(
  deps: Pick<Deps, "db" | "auth">,
  { ownerId, id, origin }: { ownerId: string; id: string; origin: RequestOrigin },
): Promise<void> {
  const forward = await findForward(deps.db, id);
  if (forward?.ownerId === ownerId) await stopForward(deps, { id, origin });
}

/** Removes an address, for its owner or for someone who reads its mail. */
export async function stopForward(
  { db, auth }: Pick<Deps, "db" | "auth">,
  { id, origin }: { id: string; origin: RequestOrigin },
): Promise<void> {
  await transact(db, async (trx) => {
    const row = await trx
      .deleteFrom("lead_forward")
      .where("id", "=", id)
      .returning(["owner_id", "address"])
      .executeTakeFirst();
    if (!row) return;
    const event = { ownerId: row.owner_id, event: "lead-forward-removed", detail: row.address, origin } as const;
    await auth.recordSecurityEvent(trx, event);
  });
}

/** Deletes addresses that no one confirmed. */
export function deleteUnconfirmed({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const where = sql`confirmed_at is null and created_at <= ${clock() - confirmMs}`;
  return deleteInParts(db, { from: "lead_forward", key: ["id"], where });
}

/** Adds a job for each address that gets the lead, in the transaction that handles its event. */
export async function enqueueForwards(
  trx: Trx,
  { jobs }: Pick<Services, "jobs">,
  { ownerId, leadId }: { ownerId: string; leadId: string },
): Promise<void> {
  for (const { id, confirmedAt } of await listForwards(trx, ownerId))
    if (confirmedAt !== null) await jobs.enqueue(trx, forwardJob, { forwardId: id, leadId });
}

/** A lead that may be sent to an address now. */
export async function findForwardedLead(
  db: Db,
  { ownerId, leadId }: { ownerId: string; leadId: string },
): Promise<{ lead: Lead; consents: LeadConsent[] } | undefined> {
  const found = await findLeadForServices(db, { ownerId, id: leadId });
  // Of an account that was deleted a moment ago, its leads may still be there.
  if (found.kind !== "allowed" || !(await findAddress(db, ownerId)) || (await isBlocked(db, ownerId))) return undefined;
  return found;
}

/** Remembers what became of the last mail to an address, for its owner. */
export async function noteForward(
  db: Db,
  { id, now, error }: { id: string; now: number; error: string | undefined },
): Promise<void> {
  await db
    .updateTable("lead_forward")
    .set(
      error === undefined ? { sent_at: now, last_error: "", failed_at: null } : { last_error: error, failed_at: now },
    )
    .where("id", "=", id)
    .execute();
}
