import type { Selectable } from "kysely";

import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { LeadNoticeTable } from "#app/services/database/lead-schema.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";

import { defaultNotice, dueTime, nextGap, noticeTimings, suspectedGapMs } from "./rules.ts";
import type { NoticeChannel, NoticeTiming } from "./rules.ts";

/** A chat may be any server, so its notices are jobs of their own. */
export const noticeJobKinds: Record<NoticeChannel, string> = { mail: "lead-notice", chat: "chat-notice" };

/** What an owner chose for a channel, and when a notice was sent last: in epoch milliseconds, 0: never. */
export type Notice = {
  ownerId: string;
  channel: NoticeChannel;
  timing: NoticeTiming;
  hour: number;
  sentAt: number;
  gapMs: number;
};

type OfChannel = { ownerId: string; channel: NoticeChannel };
type Deps = Pick<Services, "jobs" | "clock">;

/** The owner's choice for mails; the default for owners who made none. */
export async function findMailNotice(db: Db | Trx, ownerId: string): Promise<Notice> {
  const found = await findNotice(db, { ownerId, channel: "mail" });
  return found ?? { ownerId, channel: "mail", ...defaultNotice, sentAt: 0, gapMs: 0 };
}

async function findNotice(db: Db | Trx, { ownerId, channel }: OfChannel): Promise<Notice | undefined> {
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

type NoticeChoice = OfChannel & { timing: NoticeTiming; hour: number; now: number };

async function insertNotice(trx: Trx, { ownerId, channel, timing, hour, now }: NoticeChoice): Promise<void> {
  await trx
    .insertInto("lead_notice")
    .values({ owner_id: ownerId, channel, timing, hour, updated_at: now })
    .onConflict((conflict) => conflict.columns(["owner_id", "channel"]).doNothing())
    .execute();
}

type Schedule = { notice: Notice; isSuspected: boolean };

/** Unless the notice is already due by then, fails, or is put off because its chat asked for that. */
async function scheduleNotice(trx: Trx, { jobs, clock }: Deps, { notice, isSuspected }: Schedule): Promise<void> {
  const { ownerId, channel, timing, hour, sentAt } = notice;
  if (timing === "off") return;
  const now = clock();
  const { timeZone } = await findPreferences(trx, ownerId);
  const gapMs = isSuspected ? Math.max(notice.gapMs, suspectedGapMs) : notice.gapMs;
  await jobs.schedule(trx, {
    kind: noticeJobKinds[channel],
    key: ownerId,
    payload: { ownerId, channel },
    runAt: dueTime({ timing, hour, timeZone, sentAt, gapMs, now }),
    hurry: channel === "mail",
  });
}

/** Saves an owner's choice. The owner is notified of waiting leads at the new time, or not at all. False when the account is gone. */
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
  await trx
    .updateTable("lead_notice")
    .set({ timing, hour, updated_at: now })
    .where("owner_id", "=", ownerId)
    .where("channel", "=", channel)
    .execute();
  if (timing === "off") await dropWaiting(trx, deps, { ownerId, channel });
  else await scheduleWaiting(trx, deps, { ownerId, channel });
}

/** No notice of this channel names the leads that wait. */
export async function dropWaiting(
  trx: Trx,
  { jobs }: Pick<Deps, "jobs">,
  { ownerId, channel }: OfChannel,
): Promise<void> {
  await jobs.cancel(trx, { kind: noticeJobKinds[channel], key: ownerId });
  await trx.deleteFrom("lead_in_notice").where("owner_id", "=", ownerId).where("channel", "=", channel).execute();
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

type FinishedNotice = OfChannel & { job: RunningJob; ids: readonly string[]; isSent: boolean };

/** Ends a notice: its leads wait no more, and those that came in while it was sent wait for the next one. */
export async function finishNotice(
  db: Db,
  deps: Deps,
  { ownerId, channel, job, ids, isSent }: FinishedNotice,
): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId)) || !(await job.finish(trx))) return;
    for (let at = 0; at < ids.length; at += maxIds)
      await trx
        .deleteFrom("lead_in_notice")
        .where("channel", "=", channel)
        .where("lead_id", "in", ids.slice(at, at + maxIds))
        .execute();
    const notice = await findNotice(trx, { ownerId, channel });
    if (!notice) return;
    const now = deps.clock();
    if (isSent)
      await trx
        .updateTable("lead_notice")
        .set({ sent_at: now, gap_ms: nextGap(channel, { ...notice, now }) })
        .where("owner_id", "=", ownerId)
        .where("channel", "=", channel)
        .execute();
    await scheduleWaiting(trx, deps, { ownerId, channel });
  });
}

const maxIds = 500;

/** Schedules the notice of what waits already, and no other; sooner when one of the leads isn't in quarantine. */
async function scheduleWaiting(trx: Trx, deps: Deps, of: OfChannel): Promise<void> {
  await deps.jobs.cancel(trx, { kind: noticeJobKinds[of.channel], key: of.ownerId });
  const { all, suspected } = await trx
    .selectFrom("lead_in_notice")
    .leftJoin("lead", "lead.id", "lead_in_notice.lead_id")
    .select(({ fn }) => [fn.countAll<number>().as("all"), fn.count<number>("quarantined_at").as("suspected")])
    .where("lead_in_notice.owner_id", "=", of.ownerId)
    .where("channel", "=", of.channel)
    .executeTakeFirstOrThrow();
  const notice = all > 0 && (await findNotice(trx, of));
  if (notice) await scheduleNotice(trx, deps, { notice, isSuspected: suspected === all });
}

/** Deletes all notices of an account, after the account. */
export async function deleteNoticesOfOwner(trx: Trx, ownerId: string): Promise<void> {
  for (const table of ["lead_notice", "lead_in_notice", "lead_forward"] as const)
    await trx.deleteFrom(table).where("owner_id", "=", ownerId).execute();
}
