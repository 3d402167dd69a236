import { sql } from "kysely";

import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { searchText } from "#app/features/leads/rules.ts";
import { toLead } from "#app/features/leads/lead-row.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import { listTagsOf } from "./inbox-data.server.ts";

/**
 * Writes what a search looks in, and gives the contacts new revisions, after the details, the notes or the tags of some leads of an owner
 * were changed. The transaction must have locked them.
 */
export async function saveSearchText(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await trx.selectFrom("lead").selectAll().where("id", "in", ids).execute();
  const tags = await listTagsOf(trx, ids);
  const written = rows.map(toLead).map((lead) => {
    const text = lead.withdrawnAt === null ? searchText({ ...lead, tags: tags.get(lead.id) ?? [] }) : "";
    return sql`(${lead.id}, ${text})`;
  });
  if (written.length === 0) return;
  await sql`with written (lead_id, text) as (values ${sql.join(written)})
    update lead set search_text = written.text from written where lead.id = written.lead_id`.execute(trx);
  await changeContacts(trx, { ownerId: rows[0]?.owner_id ?? "", ids });
}
