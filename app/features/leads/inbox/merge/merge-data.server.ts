import { z } from "zod";

import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { withMerged } from "#app/features/leads/inbox/inbox-data.server.ts";
import { toLead } from "#app/features/leads/lead-row.server.ts";
import { leadStatuses } from "#app/features/leads/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { LeadRow } from "#app/features/leads/lead-row.server.ts";

import { maxSubmissions } from "./person-rules.ts";

type Merge = { ownerId: string; mainId: string; ids: readonly string[]; now: number };

export type MergeResult =
  | { kind: "merged" }
  /** One of them was merged, deleted, erased or withdrawn meanwhile. */
  | { kind: "changed" }
  | { kind: "too-many" };

/**
 * Merges leads of an owner into a main one. Nothing is copied but a status and a follow-up date that the main lead doesn't have: each row
 * keeps what was shared with it and what the owner wrote about it, so that it can be separated, withdrawn and erased on its own.
 */
export async function mergeLeads(db: Db, { ownerId, mainId, ids, now }: Merge): Promise<MergeResult> {
  const others = [...new Set(ids)].filter((id) => id !== mainId);
  if (others.length === 0) return { kind: "changed" };
  return transact(db, async (trx) => {
    const rows = await lockMainLeads(trx, ownerId, [mainId, ...others]);
    const main = rows.find(({ id }) => id === mainId);
    if (!main || rows.length !== others.length + 1) return { kind: "changed" };
    if ((await countSubmissions(trx, [mainId, ...others])) > maxSubmissions) return { kind: "too-many" };
    const merged = rows.filter(({ id }) => id !== mainId);
    const taken = takeOver(main, merged);
    await trx.updateTable("lead").set({ merged_into: mainId }).where("merged_into", "in", others).execute();
    for (const { id } of merged)
      await trx
        .updateTable("lead")
        .set({ merged_into: mainId, merge_parent: mainId, merge_filled: JSON.stringify(taken.from(id)) })
        .where("id", "=", id)
        .execute();
    await trx.updateTable("lead").set({ status: taken.status }).where("id", "=", mainId).execute();
    if (taken.followUp !== main.follow_up) await setFollowUp(trx, { id: mainId, day: taken.followUp, now });
    await changeContacts(trx, { ownerId, ids: [mainId, ...others] });
    return { kind: "merged" };
  });
}

/** Changes the day of a lead, which calendars read as a newer version of its event. `from`: only if it is still this day. */
async function setFollowUp(
  trx: Trx,
  { id, day, now, from }: { id: string | null; day: string; now: number; from?: string },
): Promise<void> {
  await trx
    .updateTable("lead")
    .set((row) => ({
      follow_up: day,
      follow_up_changed_at: now,
      follow_up_changes: row("follow_up_changes", "+", 1),
    }))
    .where("id", "=", id)
    .$if(from !== undefined, (query) => query.where("follow_up", "=", from ?? ""))
    .execute();
}

/** Locks those that are main leads and can be merged. */
function lockMainLeads(trx: Trx, ownerId: string, ids: readonly string[]) {
  return trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where("owner_id", "=", ownerId)
    .where("id", "in", ids)
    .where("merged_into", "is", null)
    .where("deleted_at", "is", null)
    .where("quarantined_at", "is", null)
    .where("withdrawn_at", "is", null)
    .returning(["id", "status", "follow_up"])
    .execute();
}

async function countSubmissions(trx: Trx, mainIds: readonly string[]): Promise<number> {
  const row = await trx
    .selectFrom("lead")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("merged_into", "in", mainIds)
    .executeTakeFirst();
  return (row?.count ?? 0) + mainIds.length;
}

type Owned = Pick<LeadRow, "id" | "status" | "follow_up">;

/** The status that is furthest along and the earliest follow-up date, where the main lead has none. */
function takeOver(main: Owned, merged: readonly Owned[]) {
  const order: readonly string[] = leadStatuses;
  const [furthest] = merged.toSorted((a, b) => order.indexOf(b.status) - order.indexOf(a.status));
  const [first] = merged
    .filter((lead) => lead.follow_up !== "")
    .toSorted((a, b) => (a.follow_up < b.follow_up ? -1 : 1));
  const status = main.status === "new" && furthest?.status !== "new" ? furthest : undefined;
  const followUp = main.follow_up === "" ? first : undefined;
  return {
    status: status?.status ?? main.status,
    followUp: followUp?.follow_up ?? main.follow_up,
    from: (id: string) => [...(id === status?.id ? ["status"] : []), ...(id === followUp?.id ? ["followUp"] : [])],
  };
}

const filledFields = z.array(z.enum(["status", "followUp"])).catch([]);

/**
 * Takes a lead out of the others, with what had been merged into it before. What the lead above took from it is taken back, unless it was
 * changed since. False when there is no such merged lead.
 */
export async function separateLead(
  db: Db,
  { ownerId, id, now }: { ownerId: string; id: string; now: number },
): Promise<boolean> {
  return transact(db, async (trx) => {
    const row = await trx
      .updateTable("lead")
      .set((lead) => ({ merged_into: lead.ref("merged_into") }))
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("merged_into", "is not", null)
      .where("deleted_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return false;
    const grouped = await trx
      .selectFrom("lead")
      .select(["id", "merge_parent"])
      .where("merged_into", "=", row.merged_into)
      .execute();
    const below = listBelow(grouped, id);
    if (below.length > 0) await trx.updateTable("lead").set({ merged_into: id }).where("id", "in", below).execute();
    await takeBack(trx, row, now);
    await trx
      .updateTable("lead")
      .set({ merged_into: null, merge_parent: null, merge_filled: "[]" })
      .where("id", "=", id)
      .execute();
    await changeContacts(trx, { ownerId, ids: [id, row.merged_into] });
    return true;
  });
}

/** What was merged into a lead, directly or not. */
function listBelow(grouped: readonly Pick<LeadRow, "id" | "merge_parent">[], id: string): string[] {
  const direct = grouped.filter(({ merge_parent }) => merge_parent === id).map((lead) => lead.id);
  return direct.flatMap((child) => [child, ...listBelow(grouped, child)]);
}

async function takeBack(trx: Trx, { merge_parent: parent, ...lead }: LeadRow, now: number): Promise<void> {
  const filled = filledFields.parse(JSON.parse(lead.merge_filled));
  if (filled.includes("status"))
    await trx
      .updateTable("lead")
      .set({ status: "new" })
      .where("id", "=", parent)
      .where("status", "=", lead.status)
      .execute();
  if (filled.includes("followUp")) await setFollowUp(trx, { id: parent, day: "", now, from: lead.follow_up });
}

/** Main leads of an owner that can be merged, newest first; a merged one counts as its main lead. */
export async function findMergeable(db: Db, { ownerId, ids }: { ownerId: string; ids: readonly string[] }) {
  if (ids.length === 0) return [];
  const own = db.selectFrom("lead").where("owner_id", "=", ownerId).where("id", "in", ids);
  const rows = await db
    .selectFrom("lead")
    .selectAll()
    .where(
      "id",
      "in",
      own.select((row) => row.fn.coalesce("merged_into", "id").as("id")),
    )
    .where("deleted_at", "is", null)
    .where("quarantined_at", "is", null)
    .where("withdrawn_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return withMerged(db, rows.map(toLead));
}
