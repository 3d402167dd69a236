import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import type { LeadRow } from "#app/features/leads/lead-row.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

type RemovedLead = Pick<LeadRow, "id" | "merged_into" | "merge_parent">;

/**
 * Keeps together what was merged with leads that are being erased, or whose details are being removed: the newest lead that is left becomes
 * the main one. Call it after the rows are deleted or released.
 */
export async function regroupLeads(trx: Trx, removed: readonly RemovedLead[]): Promise<void> {
  if (removed.length === 0) return;
  const parents = new Map(removed.map(({ id, merge_parent }) => [id, merge_parent]));
  /** The nearest lead above that is left. */
  const parentOf = (id: string | null): string | null => {
    let parent = id;
    while (parent !== null && parents.has(parent)) parent = parents.get(parent) ?? null;
    return parent;
  };
  // Locks them, so that none is erased meanwhile and then chosen as the main lead.
  const rows = await trx
    .updateTable("lead")
    .set((lead) => ({ merged_into: lead.ref("merged_into") }))
    .where("merged_into", "in", [...new Set(removed.map(({ id, merged_into }) => merged_into ?? id))])
    .returning(["id", "owner_id", "created_at", "deleted_at", "merged_into", "merge_parent"])
    .execute();
  for (const [mainId, grouped] of Map.groupBy(rows, ({ merged_into }) => merged_into)) {
    const main = mainId !== null && parents.has(mainId) ? newestOf(grouped)?.id : mainId;
    for (const { id, merge_parent: parent } of grouped) {
      if (main === mainId && parentOf(parent) === parent) continue;
      const isMain = id === main || main === undefined;
      const change = isMain
        ? { merged_into: null, merge_parent: null, merge_filled: "[]" }
        : { merged_into: main, merge_parent: parentOf(parent) ?? main };
      await trx.updateTable("lead").set(change).where("id", "=", id).execute();
    }
  }
  await changeContacts(trx, { ownerId: rows[0]?.owner_id ?? "", ids: rows.map(({ id }) => id) });
}

type GroupedLead = Pick<LeadRow, "id" | "created_at" | "deleted_at">;

/** Undefined when all are deleted: each can be brought back on its own then. */
function newestOf(rows: readonly GroupedLead[]): GroupedLead | undefined {
  return rows
    .filter(({ deleted_at }) => deleted_at === null)
    .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))[0];
}

/** Does the same after many leads of an owner were deleted. */
export async function regroupDeleted(trx: Trx, ownerId: string, deleted: readonly RemovedLead[]): Promise<void> {
  const rows = await trx
    .selectFrom("lead")
    .select("merged_into")
    .distinct()
    .where("owner_id", "=", ownerId)
    .where("merged_into", "is not", null)
    .execute();
  const mainIds = new Set(rows.map(({ merged_into }) => merged_into));
  const concerned = deleted.filter(({ id, merged_into }) => mainIds.has(merged_into ?? id));
  await regroupLeads(trx, concerned);
}
