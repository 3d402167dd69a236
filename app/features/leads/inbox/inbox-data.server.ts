import { sql } from "kysely";
import type { Expression, SqlBool } from "kysely";

import { toLead } from "#app/features/leads/lead-row.server.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

import { directSource } from "./messages.ts";
import type { InboxFilter } from "./filter-schema.ts";
import { maxCounted } from "./rules.ts";

export type InboxQuery = {
  ownerId: string;
  filter: Omit<InboxFilter, "from" | "to">;
  /** In epoch milliseconds: from `since`, before `until`. */
  since?: number | undefined;
  until?: number | undefined;
  /** The last lead of the page before. */
  before?: Pick<Lead, "createdAt" | "id"> | undefined;
  limit: number;
  /** Only these. */
  ids?: readonly string[];
};

/** An owner's leads that match, newest first, with their tags. Those that are deleted or merged into another aren't listed. */
export async function listInbox(
  { db, engine }: { db: Db; engine: Engine },
  { ownerId, filter, since, until, before, limit, ids }: InboxQuery,
): Promise<(Lead & { tags: string[] })[]> {
  const rows = await db
    .selectFrom("lead")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("quarantined_at", filter.isSpam ? "is not" : "is", null)
    .where("deleted_at", "is", null)
    .where("merged_into", "is", null)
    .where(({ and }) => and(filterConditions(engine, filter)))
    .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
    .$if(since !== undefined, (query) => query.where("created_at", ">=", since ?? 0))
    .$if(until !== undefined, (query) => query.where("created_at", "<", until ?? 0))
    .$if(before !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("created_at", "id"), "<", tuple(before?.createdAt ?? 0, before?.id ?? "")),
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const tags = await listTagsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...toLead(row), tags: tags.get(row.id) ?? [] }));
}

function filterConditions(engine: Engine, filter: InboxQuery["filter"]): Expression<SqlBool>[] {
  const { search, card, source, status, tag, consent } = filter;
  const all: Expression<SqlBool>[] = [];
  if (card) all.push(sql<SqlBool>`lead.card_id = ${card}`);
  if (source) all.push(sql<SqlBool>`lead.source = ${source === directSource ? "" : source}`);
  if (status) all.push(sql<SqlBool>`lead.status = ${status}`);
  if (tag) {
    const tagged = sql`select 1 from lead_tag where lead_tag.lead_id = lead.id and lead_tag.tag = ${tag}`;
    all.push(sql<SqlBool>`exists (${tagged})`);
  }
  if (consent === "withdrawn") all.push(sql<SqlBool>`lead.withdrawn_at is not null`);
  else if (consent) {
    const given = sql`select 1 from lead_consent where lead_consent.lead_id = lead.id
      and lead_consent.purpose = ${consent} and lead_consent.withdrawn_at is null`;
    all.push(sql<SqlBool>`exists (${given})`);
  }
  if (search) all.push(matches(engine, search));
  return all;
}

/** Text of the visitor and of the owner. The keys find an address in another case and a number in another spelling. */
function matches(engine: Engine, search: string): Expression<SqlBool> {
  const digits = search.replace(/\D/g, "");
  const isNumber = digits.length >= 4 && /^[\d\s()+./-]+$/.test(search);
  const columns = ["name", "email", "phone", "company", "note", "owner_note"];
  const conditions = columns.flatMap((column) =>
    spellings(search).map((text) => isLike(engine, sql.ref(`lead.${column}`), text)),
  );
  if (isNumber) conditions.push(isLike(engine, sql.ref("lead.phone_key"), digits.replace(/^0+/, "")));
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

function isLike(engine: Engine, column: Expression<unknown>, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return engine === "postgres" ? sql`${column} ilike ${pattern}` : sql`${column} like ${pattern} escape '\\'`;
}

/** SQLite ignores the case of ASCII letters only, so it also gets the usual ways to write a word. */
function spellings(search: string): string[] {
  const lower = search.toLowerCase();
  if (/^[ -~]*$/.test(search)) return [lower];
  const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([search, lower, search.toUpperCase(), capitalized])];
}

/** The tags of some leads, each list in alphabetical order. */
export async function listTagsOf(db: Db, leadIds: readonly string[]): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>();
  if (leadIds.length === 0) return tags;
  const rows = await db
    .selectFrom("lead_tag")
    .select(["lead_id", "tag"])
    .where("lead_id", "in", leadIds)
    .orderBy("tag")
    .execute();
  for (const { lead_id, tag } of rows) tags.set(lead_id, [...(tags.get(lead_id) ?? []), tag]);
  return tags;
}

/** The tags that an owner uses, at most 100. One step in the index for each tag, however many leads have it. */
export async function listOwnTags(db: Db, ownerId: string): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    with recursive found (tag) as (
      select min(tag) from lead_tag where owner_id = ${ownerId}
      union all
      select (select min(tag) from lead_tag where owner_id = ${ownerId} and tag > found.tag)
      from found where found.tag is not null
    )
    select tag from found where tag is not null limit 100`.execute(db);
  return rows.map(({ tag }) => tag);
}

/** How many leads an owner hasn't opened, at most 100: from the index of unread leads alone. */
export async function countUnread(db: Db, ownerId: string): Promise<number> {
  return countUpTo(
    db,
    ownerId,
    sql`read_at is null and quarantined_at is null and deleted_at is null and merged_into is null`,
  );
}

/** How many leads wait in quarantine, at most 100. */
export async function countSpam(db: Db, ownerId: string): Promise<number> {
  return countUpTo(db, ownerId, sql`quarantined_at is not null and deleted_at is null and merged_into is null`);
}

async function countUpTo(db: Db, ownerId: string, condition: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`
    select count(*) as n from (
      select 1 from lead where owner_id = ${ownerId} and ${condition} limit ${maxCounted + 1}
    ) counted`.execute(db);
  return Number(rows[0]?.n ?? 0);
}

/** The owner's cards by what they call them, the oldest first. */
export async function listCardNames(db: Db, ownerId: string): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .selectFrom("card")
    .select(["id", "card_name", "company"])
    .where("owner_id", "=", ownerId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id, card_name: name, company }, index) => ({ id, name: name || company || `Card ${index + 1}` }));
}
