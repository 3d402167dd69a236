import { setImmediate as nextTurn } from "node:timers/promises";

import { sql } from "kysely";

import { searchText } from "#app/features/leads/rules.ts";
import { readAnswers } from "#app/features/leads/schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { listTagsOf } from "./inbox-data.server.ts";

/** Writes what a search looks in, after the notes or the tags of some leads were changed. The transaction must have locked them. */
export async function saveSearchText(trx: Trx, ids: readonly string[]): Promise<void> {
  await writeText(trx, ids, sql<boolean>`true`);
}

/**
 * Writes it for leads of older versions, those that an older process adds during an update included. Several processes may run it at once.
 * Requests are served between its transactions; a very large number of leads takes more than one run.
 */
export async function addMissingSearchText({ db }: Pick<Services, "db">): Promise<void> {
  let last = "";
  for (let batch = 0; batch < maxBatches; batch++) {
    const ids = (await outdatedLeads(db, last).execute()).map(({ id }) => id);
    // A change at the same moment has written its own text.
    await transact(db, (trx) => writeText(trx, ids, isOutdated));
    if (ids.length < batchSize) return;
    last = ids.at(-1) ?? last;
    // SQLite answers without leaving the event loop.
    await nextTurn();
  }
}

const batchSize = 500;
const maxBatches = 400;

/** For tests of its plan. */
export function outdatedLeads(db: Db, after: string) {
  return db.selectFrom("lead").select("id").where(isOutdated).where("id", ">", after).orderBy("id").limit(batchSize);
}

/** As in the index `lead_search_outdated`. */
const isOutdated = sql<boolean>`(search_text is null or (withdrawn_at is not null and search_text <> ''))`;

async function writeText(trx: Trx, ids: readonly string[], condition: typeof isOutdated): Promise<void> {
  if (ids.length === 0) return;
  const rows = await trx
    .selectFrom("lead")
    .select(["id", "name", "email", "phone", "company", "note", "answers", "owner_note as ownerNote", "withdrawn_at"])
    .where("id", "in", ids)
    .execute();
  const tags = await listTagsOf(trx, ids);
  const written = rows.map(({ id, withdrawn_at: withdrawnAt, answers, ...lead }) => {
    const text =
      withdrawnAt === null ? searchText({ ...lead, answers: readAnswers(answers), tags: tags.get(id) ?? [] }) : "";
    return sql`(${id}, ${text})`;
  });
  if (written.length === 0) return;
  await sql`with written (lead_id, text) as (values ${sql.join(written)})
    update lead set search_text = written.text from written where lead.id = written.lead_id and ${condition}`.execute(
    trx,
  );
}
