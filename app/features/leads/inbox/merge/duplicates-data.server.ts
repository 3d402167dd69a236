import { sql } from "kysely";

import { toLead } from "#app/features/leads/lead-row.server.ts";
import { isOwnedBy } from "#app/features/leads/inbox/inbox-data.server.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

/** A shorter number is an extension, which many people have. */
const minPhoneDigits = 6;

/** Which of some main leads share an email address or a phone number with another lead of the owner. */
export async function listDuplicateIds(db: Db, ownerId: string, mainIds: readonly string[]): Promise<Set<string>> {
  if (mainIds.length === 0) return new Set();
  const { rows } = await duplicateIdsQuery(ownerId, mainIds).execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** For tests of its plan. */
export function duplicateIdsQuery(ownerId: string, mainIds: readonly string[]) {
  return sql<{ id: string }>`
    select distinct coalesce(own.merged_into, own.id) as id from lead own
    where own.id in (${submissionsOf(mainIds)}) and ${isOwnedBy("own", ownerId)}
      and own.deleted_at is null and own.quarantined_at is null
      and (exists (select 1 from ${leadsSharing("email_key")}) or exists (select 1 from ${leadsSharing("phone_key")}))`;
}

/** The ids of main leads and of what is merged into them. */
function submissionsOf(mainIds: readonly string[]) {
  const ids = sql.join(mainIds);
  return sql<string>`select id from lead where id in (${ids}) union all select id from lead where merged_into in (${ids})`;
}

type OwnLead = { ownerId: string; id: string };

/** The main leads that may be the same person as this one, newest first, at most 10. */
export async function findDuplicates(db: Db | Trx, { ownerId, id }: OwnLead): Promise<Lead[]> {
  const isOwn = sql`own.id in (${submissionsOf([id])}) and ${isOwnedBy("own", ownerId)}
    and own.deleted_at is null and own.quarantined_at is null`;
  const found = (key: string) =>
    sql`select coalesce(other.merged_into, other.id) from lead own, ${leadsSharing(key)} and ${isOwn}`;
  const rows = await db
    .selectFrom("lead")
    .selectAll()
    .where(isOwnedBy("lead", ownerId))
    .where(sql<boolean>`id in (${found("email_key")} union ${found("phone_key")})`)
    .where("merged_into", "is", null)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(maxFound)
    .execute();
  return rows.map(toLead);
}

const maxFound = 10;

/** Leads of the same owner as `own` with the same key, which has an index, and of another person than `own` so far. */
function leadsSharing(key: string) {
  const column = sql.ref(key);
  return sql`lead other
    where other.owner_id = own.owner_id and other.${column} = own.${column} and other.${column} <> ''
      and (${sql.lit(key)} <> 'phone_key' or length(other.${column}) >= ${sql.lit(minPhoneDigits)})
      and other.deleted_at is null and other.quarantined_at is null
      and coalesce(other.merged_into, other.id) <> coalesce(own.merged_into, own.id)
      and not exists (select 1 from lead_distinct pair where pair.lead_id = own.id and pair.other_id = other.id)`;
}

/** Stores that these are different people: they aren't shown as possible duplicates anymore. */
export async function markDistinct(db: Db, { ownerId, id, otherId }: OwnLead & { otherId: string }): Promise<void> {
  await transact(db, async (trx) => {
    const rows = await lockSubmissions(trx, ownerId, [id, otherId]);
    const submissionsIn = (mainId: string) =>
      rows.filter((row) => row.id === mainId || row.merged_into === mainId).map((row) => row.id);
    const [own, other] = [submissionsIn(id), submissionsIn(otherId)];
    const pairs = own.flatMap((a) => other.flatMap((b) => (a === b ? [] : [[a, b] as const, [b, a] as const])));
    if (pairs.length === 0) return;
    await trx
      .insertInto("lead_distinct")
      .values(pairs.map(([a, b]) => ({ lead_id: a, other_id: b, owner_id: ownerId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** None of them is erased before its pairs are there to be deleted. */
async function lockSubmissions(trx: Trx, ownerId: string, mainIds: readonly string[]) {
  return trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where(isOwnedBy("lead", ownerId))
    .where(sql<boolean>`id in (${submissionsOf(mainIds)})`)
    .returning(["id", "merged_into"])
    .execute();
}
