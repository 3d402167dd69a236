import type { Selectable } from "kysely";

import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { LeadNoticeTable } from "#app/services/database/lead-schema.ts";
import type { Services } from "#app/services/http/context.ts";

import { defaultNotice, dueTime, nextGap, noticeTimings, suspectedGapMs } from "./rules.ts";
import type { NoticeChannel, NoticeTiming } from "./rules.ts";

/** A chat may be any server, so its notices are jobs of their own. */
export const noticeJobKinds: Record<NoticeChannel, string> = { mail: "lead-notice", chat: "chat-notice" };

/** What an owner chose for a channel, and what was sent last. Times in epoch milliseconds; 0 and null: never. */
export type Notice = {
  ownerId: string;
  channel: NoticeChannel;
  timing: NoticeTiming;
  hour: number;
  dueAt: number | null;
  sentAt: number;
  gapMs: number;
};

type OfChannel = { ownerId: string; channel: NoticeChannel };
type Deps = Pick<Services, "jobs" | "clock">;

/** The owner's choice for mails; the default for owners who made none. */
export async function findMailNotice(db: Db | Trx, ownerId: string): Promise<Notice> {
  const found = await findNotice(db, { ownerId, channel: "mail" });
  return found ?? { ownerId, channel: "mail", ...defaultNotice, dueAt: null, sentAt: 0, gapMs: 0 };
}

export async function findNotice(db: Db | Trx, { ownerId, channel }: OfChannel): Promise<Notice | undefined> {
  const row = await db
    .selectFrom("lead_notice")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("channel", "=", channel)
    .executeTakeFirst();
  return row && toNotice(row);
}

function toNotice(row: Selectable<LeadNoticeTable>): Notice {
  return {
    ownerId: row.owner_id,
    channel: row.channel === "chat" ? "chat" : "mail",
    timing: noticeTimings.find((timing) => timing === row.timing) ?? "off",
    hour: row.hour,
    dueAt: row.due_at,
    sentAt: row.sent_at,
    gapMs: row.gap_ms,
  };
}

/**
 * Lets a new lead wait for the next notice of each of its owner's channels, in the transaction that handles its event. One in quarantine
 * waits for a mail alone.
 */
export async function queueLead(
  trx: Trx,
  deps: Deps,
  { ownerId, leadId, isSuspected = false }: { ownerId: string; leadId: string; isSuspected?: boolean },
): Promise<void> {
  // Leads of one owner wait for each other. An account that was deleted gets no notice.
  if (!(await lockUser(trx, ownerId))) return;
  const lead = await trx.selectFrom("lead").select("source").where("id", "=", leadId).executeTakeFirst();
  if (!lead) return;
  const now = deps.clock();
  await insertNotice(trx, { ownerId, channel: "mail", ...defaultNotice, now });
  const rows = await trx.selectFrom("lead_notice").selectAll().where("owner_id", "=", ownerId).execute();
  for (const notice of rows.map(toNotice)) {
    const isForChannel = notice.channel === "mail" ? !isFromOwner(lead.source) : !isSuspected;
    if (notice.timing === "off" || !isForChannel) continue;
    await trx
      .insertInto("lead_in_notice")
      .values({ lead_id: leadId, channel: notice.channel, owner_id: ownerId, created_at: now })
      .onConflict((conflict) => conflict.columns(["lead_id", "channel"]).doNothing())
      .execute();
    await scheduleNotice(trx, deps, { notice, isSuspected });
  }
}

/** Owners need no mail about someone whose card they scanned or whose details they typed. */
function isFromOwner(source: string): boolean {
  return source === "scan" || source === "hand";
}

/** A job that failed for so long is given up. The next lead starts another one, which also has those that wait. */
const lostMs = 48 * 3_600_000;

type NoticeChoice = OfChannel & { timing: NoticeTiming; hour: number; now: number };

async function insertNotice(trx: Trx, { ownerId, channel, timing, hour, now }: NoticeChoice): Promise<void> {
  await trx
    .insertInto("lead_notice")
    .values({ owner_id: ownerId, channel, timing, hour, updated_at: now })
    .onConflict((conflict) => conflict.columns(["owner_id", "channel"]).doNothing())
    .execute();
}

type Schedule = { notice: Notice; isSuspected: boolean };

/** Unless the notice is already due by then, or put off because its chat asked for that. */
async function scheduleNotice(trx: Trx, { jobs, clock }: Deps, { notice, isSuspected }: Schedule): Promise<void> {
  const { ownerId, channel, timing, hour, sentAt } = notice;
  if (timing === "off") return;
  const now = clock();
  const { timeZone } = await findPreferences(trx, ownerId);
  const gapMs = isSuspected ? Math.max(notice.gapMs, suspectedGapMs) : notice.gapMs;
  const dueAt = dueTime({ timing, hour, timeZone, sentAt, gapMs, now });
  const isScheduled = notice.dueAt !== null && notice.dueAt >= now - lostMs;
  if (isScheduled && (channel === "chat" || (notice.dueAt ?? 0) <= dueAt)) return;
  await setDue(trx, notice, dueAt);
  await jobs.schedule(trx, { kind: noticeJobKinds[channel], payload: { ownerId, channel, dueAt }, runAt: dueAt });
}

async function setDue(trx: Trx, { ownerId, channel }: OfChannel, dueAt: number | null): Promise<void> {
  await trx
    .updateTable("lead_notice")
    .set({ due_at: dueAt })
    .where("owner_id", "=", ownerId)
    .where("channel", "=", channel)
    .execute();
}

/** Saves an owner's choice. Leads that wait are told at the new time, or not at all. False when the account is gone. */
export async function saveNotice(
  db: Db,
  deps: Deps,
  choice: OfChannel & { timing: NoticeTiming; hour: number },
): Promise<boolean> {
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, choice.ownerId))) return false;
    await saveInTransaction(trx, deps, choice);
    return true;
  });
}

/** The same in a transaction that has locked the account. */
export async function saveInTransaction(
  trx: Trx,
  deps: Deps,
  { ownerId, channel, timing, hour }: OfChannel & { timing: NoticeTiming; hour: number },
): Promise<void> {
  const now = deps.clock();
  await insertNotice(trx, { ownerId, channel, timing, hour, now });
  // The job of the earlier time finds another one, and ends.
  await trx
    .updateTable("lead_notice")
    .set({ timing, hour, due_at: null, updated_at: now })
    .where("owner_id", "=", ownerId)
    .where("channel", "=", channel)
    .execute();
  if (timing === "off") {
    await trx.deleteFrom("lead_in_notice").where("owner_id", "=", ownerId).where("channel", "=", channel).execute();
    return;
  }
  const notice = await findNotice(trx, { ownerId, channel });
  if (notice) await scheduleWaiting(trx, deps, notice);
}

/** Ends the mails of an owner, whose signed link was pressed. */
export async function turnOffMails(db: Db, deps: Deps, ownerId: string): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return;
    const { hour } = await findMailNotice(trx, ownerId);
    await saveInTransaction(trx, deps, { ownerId, channel: "mail", timing: "off", hour });
  });
}

/** Whether the owner has chosen something for a channel. */
export async function isNoticeSaved(trx: Trx, of: OfChannel): Promise<boolean> {
  return (await findNotice(trx, of)) !== undefined;
}

/** A lead as a notice names it. */
export type NoticedLead = { id: string; name: string; cardId: string; source: string };

type WaitingLeads = { ids: string[]; leads: NoticedLead[]; isAnySuspected: boolean };

/** The leads that wait, oldest first: `ids` of all, `leads` without those that were withdrawn, erased, deleted or suspected since. */
export async function listWaiting(db: Db, { ownerId, channel }: OfChannel): Promise<WaitingLeads> {
  const rows = await db
    .selectFrom("lead_in_notice")
    .leftJoin("lead", "lead.id", "lead_in_notice.lead_id")
    .select(["lead_id", "lead.id", "name", "card_id", "source", "withdrawn_at", "deleted_at", "quarantined_at"])
    .where("lead_in_notice.owner_id", "=", ownerId)
    .where("channel", "=", channel)
    .orderBy("lead_in_notice.created_at")
    .orderBy("lead_id")
    .execute();
  const leads = rows.flatMap((row) =>
    row.id === null || row.withdrawn_at !== null || row.deleted_at !== null || row.quarantined_at !== null
      ? []
      : [{ id: row.id, name: row.name ?? "", cardId: row.card_id ?? "", source: row.source ?? "" }],
  );
  const isAnySuspected = rows.some((row) => row.quarantined_at !== null && row.deleted_at === null);
  return { ids: rows.map(({ lead_id }) => lead_id), leads, isAnySuspected };
}

/** Puts a notice off: its leads wait, and others join them. */
export async function postponeNotice(
  db: Db,
  { jobs }: Deps,
  { ownerId, channel, dueAt, until }: OfChannel & { dueAt: number; until: number },
): Promise<void> {
  await transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("lead_notice")
      .set({ due_at: until })
      .where("owner_id", "=", ownerId)
      .where("channel", "=", channel)
      .where("due_at", "=", dueAt)
      .executeTakeFirst();
    if (numUpdatedRows > 0n)
      await jobs.schedule(trx, {
        kind: noticeJobKinds[channel],
        payload: { ownerId, channel, dueAt: until },
        runAt: until,
      });
  });
}

type FinishedNotice = OfChannel & { dueAt: number; ids: readonly string[]; isSent: boolean };

/** Ends a notice: its leads wait no more, and those that came in while it was sent wait for the next one. */
export async function finishNotice(
  db: Db,
  deps: Deps,
  { ownerId, channel, dueAt, ids, isSent }: FinishedNotice,
): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return;
    for (let at = 0; at < ids.length; at += maxIds)
      await trx
        .deleteFrom("lead_in_notice")
        .where("channel", "=", channel)
        .where("lead_id", "in", ids.slice(at, at + maxIds))
        .execute();
    const notice = await findNotice(trx, { ownerId, channel });
    // The owner chose another time meanwhile, for which there is another job.
    if (notice?.dueAt !== dueAt) return;
    const now = deps.clock();
    const sent = isSent ? { sentAt: now, gapMs: nextGap(channel, { ...notice, now }) } : notice;
    await trx
      .updateTable("lead_notice")
      .set({ due_at: null, sent_at: sent.sentAt, gap_ms: sent.gapMs })
      .where("owner_id", "=", ownerId)
      .where("channel", "=", channel)
      .execute();
    await scheduleWaiting(trx, deps, { ...notice, ...sent, dueAt: null });
  });
}

const maxIds = 500;

/** For what waits already; sooner when one of the leads isn't in quarantine. */
async function scheduleWaiting(trx: Trx, deps: Deps, notice: Notice): Promise<void> {
  const { all, suspected } = await trx
    .selectFrom("lead_in_notice")
    .leftJoin("lead", "lead.id", "lead_in_notice.lead_id")
    .select(({ fn }) => [fn.countAll<number>().as("all"), fn.count<number>("quarantined_at").as("suspected")])
    .where("lead_in_notice.owner_id", "=", notice.ownerId)
    .where("channel", "=", notice.channel)
    .executeTakeFirstOrThrow();
  if (all > 0) await scheduleNotice(trx, deps, { notice, isSuspected: suspected === all });
}

/** Deletes all notices of an account, after the account. */
export async function deleteNoticesOfOwner(trx: Trx, ownerId: string): Promise<void> {
  for (const table of ["lead_notice", "lead_in_notice", "lead_forward"] as const)
    await trx.deleteFrom(table).where("owner_id", "=", ownerId).execute();
}
