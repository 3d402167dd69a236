import { createHash, randomBytes } from "node:crypto";

import { letterMail } from "#app/services/mail/letter.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { isBlocked } from "#app/services/database/account-block.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { maxEvents, pastDays } from "./rules.ts";
import type { FollowUp } from "./rules.ts";

type WriteDeps = Pick<Services, "db" | "auth">;
type FeedChange = { ownerId: string; origin: RequestOrigin };

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The path of the calendar with this secret. */
export function calendarPath(token: string): string {
  return `/calendar/${token}.ics`;
}

/** Whether an owner has a secret address, since when, and when a calendar last requested it. */
export async function findFeed(
  db: Db,
  ownerId: string,
): Promise<{ createdAt: number; fetchedAt: number | null } | undefined> {
  const row = await db.selectFrom("calendar_feed").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
  return row && { createdAt: row.created_at, fetchedAt: row.fetched_at };
}

/** Creates the secret address of an owner, in place of an earlier one. Its secret is returned once. Undefined when the account is gone. */
export async function createFeed(
  { db, auth, clock, jobs, config }: WriteDeps & Pick<Services, "clock" | "jobs" | "config">,
  { ownerId, origin }: FeedChange,
): Promise<string | undefined> {
  const token = randomBytes(32).toString("base64url");
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return undefined;
    const row = { token_hash: hashToken(token), created_at: clock(), fetched_at: null };
    await trx
      .insertInto("calendar_feed")
      .values({ owner_id: ownerId, ...row })
      .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(row))
      .execute();
    await auth.recordSecurityEvent(trx, { ownerId, event: "calendar-address-created", origin });
    const owner = await findAddress(trx, ownerId);
    const { baseUrl } = config;
    if (owner) await jobs.enqueue(trx, "mail", feedCreatedMail({ to: owner.email, baseUrl }));
    return token;
  });
}

/** Ends the secret address of an owner. */
export async function revokeFeed({ db, auth }: WriteDeps, { ownerId, origin }: FeedChange): Promise<void> {
  await transact(db, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom("calendar_feed").where("owner_id", "=", ownerId).executeTakeFirst();
    if (numDeletedRows > 0n)
      await auth.recordSecurityEvent(trx, { ownerId, event: "calendar-address-revoked", origin });
  });
}

export async function deleteFeed(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("calendar_feed").where("owner_id", "=", ownerId).execute();
}

/** The owner of a secret address; undefined for an unknown one, and while the account is blocked. Remembers at most once an hour that it was used. */
export async function findFeedOwner(db: Db, token: string, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("calendar_feed")
    .select(["owner_id", "fetched_at"])
    .where("token_hash", "=", hashToken(token))
    .executeTakeFirst();
  if (!row || (await isBlocked(db, row.owner_id))) return undefined;
  if (row.fetched_at === null || row.fetched_at < now - hourMs)
    await db.updateTable("calendar_feed").set({ fetched_at: now }).where("token_hash", "=", hashToken(token)).execute();
  return row.owner_id;
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The follow-up dates of an owner's open leads, from 30 days ago on, at most 500. */
export async function listFollowUps(db: Db, of: { ownerId: string; now: number }): Promise<FollowUp[]> {
  return (await queryFollowUps(db, of).execute()).map(toFollowUp);
}

/** Its query, whose plan a test reads. */
export function queryFollowUps(db: Db, { ownerId, now }: { ownerId: string; now: number }) {
  const since = new Date(now - pastDays * dayMs).toISOString().slice(0, 10);
  return selectFollowUps(db, ownerId)
    .where("follow_up", ">=", since)
    .where("status", "not in", ["won", "lost"])
    .orderBy("follow_up")
    .orderBy("id")
    .limit(maxEvents);
}

/** The follow-up date of one of the owner's leads. */
export async function findFollowUp(
  db: Db,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<FollowUp | undefined> {
  const row = await selectFollowUps(db, ownerId).where("id", "=", id).executeTakeFirst();
  return row && toFollowUp(row);
}

function selectFollowUps(db: Db, ownerId: string) {
  return db
    .selectFrom("lead")
    .select(["id", "name", "company", "follow_up", "follow_up_changed_at", "follow_up_changes", "created_at"])
    .where("owner_id", "=", ownerId)
    .where("follow_up", "<>", "")
    .where("quarantined_at", "is", null)
    .where("withdrawn_at", "is", null)
    .where("deleted_at", "is", null)
    .where("merged_into", "is", null);
}

type FollowUpRow = Awaited<ReturnType<ReturnType<typeof selectFollowUps>["executeTakeFirstOrThrow"]>>;

function toFollowUp(row: FollowUpRow): FollowUp {
  return {
    leadId: row.id,
    name: row.name || row.company,
    day: row.follow_up,
    // Of a release before this column.
    changedAt: row.follow_up_changed_at ?? row.created_at,
    changes: row.follow_up_changes,
  };
}

/** Tells an owner, in case it wasn't them: the address works without signing in, and also after a new password. */
function feedCreatedMail({ to, baseUrl }: { to: string; baseUrl: string }): Mail {
  return letterMail(
    {
      subject: "A secret calendar address was created",
      heading: "A secret calendar address was created",
      paragraphs: [
        "A calendar that has it shows the follow-up dates of your leads, with their names. An earlier address has ended.",
      ],
      action: { label: "See or revoke it", url: `${baseUrl}/leads/notifications#calendar` },
      notes: ["If you didn’t create it, revoke it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}
