import { sql } from "kysely";

import type { Trx } from "#app/services/database/database.server.ts";

/**
 * Gives the contacts of these leads of an owner a new revision, so that devices and services get or lose them. Whatever changes what
 * a contact has, or whether there is one, calls it in the same transaction, as the last thing that locks rows: with the leads, and with the
 * main leads that they belonged to before. Leads that were deleted since leave nothing but the name of their contact.
 */
export async function changeContacts(
  trx: Trx,
  { ownerId, ids }: { ownerId: string; ids: readonly (string | null)[] },
): Promise<void> {
  const concerned = [...new Set(ids.filter((id) => id !== null))];
  if (concerned.length === 0) return;
  // The lock on this row makes others wait until the commit: no revision becomes visible before a lower one.
  await trx
    .insertInto("address_book")
    .values({ owner_id: ownerId, revision: 1 })
    .onConflict((conflict) =>
      conflict.column("owner_id").doUpdateSet({ revision: sql<number>`address_book.revision + 1` }),
    )
    .execute();
  let count = 0;
  for (let at = 0; at < concerned.length; at += partSize) {
    const part = concerned.slice(at, at + partSize);
    await sql`
      update address_book_entry set
        revision = (select address_book.revision from address_book where address_book.owner_id = address_book_entry.owner_id),
        lead_id = (select lead.id from lead where lead.id = address_book_entry.lead_id)
      where lead_id in (${sql.join(part)})`.execute(trx);
    const { numAffectedRows } = await sql`
      insert into address_book_entry (owner_id, name, lead_id, revision)
      select lead.owner_id, address_book.revision || '-' || (row_number() over (order by lead.id) + ${sql.lit(count)}), lead.id,
        address_book.revision
      from lead join address_book on address_book.owner_id = lead.owner_id
      where lead.id in (select coalesce(merged_into, id) from lead where id in (${sql.join(part)}))
        and lead.quarantined_at is null
      on conflict (lead_id) do update set revision = excluded.revision`.execute(trx);
    count += Number(numAffectedRows ?? 0);
  }
}

const partSize = 500;

export async function deleteContactsOfOwner(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("address_book_entry").where("owner_id", "=", ownerId).execute();
  await trx.deleteFrom("address_book").where("owner_id", "=", ownerId).execute();
}
