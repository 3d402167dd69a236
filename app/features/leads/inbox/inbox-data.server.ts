import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";

import { toLead } from "#app/features/leads/lead-row.server.ts";
import type { LeadRow } from "#app/features/leads/lead-row.server.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import { foldText } from "#app/services/base/fold-text.ts";
import type { PageCursor } from "#app/services/base/page-cursor.ts";
import { isAfterCursor } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import type { Person } from "./merge/person-rules.ts";
import { directSource } from "./messages.ts";
import type { InboxFilter } from "./filter-schema.ts";
import { maxCounted, maxSpamCounted } from "#app/features/leads/inbox-rules.ts";
import type { ShownLeads } from "#app/features/leads/inbox-rules.ts";

export type InboxQuery = {
  ownerId: string;
  filter: Omit<InboxFilter, "from" | "to">;
  /** In epoch milliseconds: from `since`, before `until`. */
  since?: number | undefined;
  until?: number | undefined;
  /** The owner's day, by which follow-ups are due. */
  today: string;
  /** The last lead of the page before. */
  before?: PageCursor | undefined;
  limit: number;
  /** Only these. */
  ids?: readonly string[];
};

export type TaggedLead = Lead & { tags: string[] };

/**
 * An owner's leads that match, newest first, each with what is merged into it and with tags. A search and a filter also find a lead by what is
 * merged into it, but its status and its time are its own. Deleted leads aren't listed.
 */
export async function listInbox(
  db: Db,
  { ownerId, filter, since, until, today, before, limit, ids }: InboxQuery,
): Promise<Person<TaggedLead>[]> {
  const rows = await db
    .selectFrom("lead")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("quarantined_at", filter.isSpam ? "is not" : "is", null)
    .where("deleted_at", "is", null)
    .where("merged_into", "is", null)
    .where(({ and }) => and(filterConditions(ownerId, filter, today)))
    .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
    .$if(since !== undefined, (query) => query.where("created_at", ">=", since ?? 0))
    .$if(until !== undefined, (query) => query.where("created_at", "<", until ?? 0))
    .where(isAfterCursor(before))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return withMerged(db, rows.map(toLead));
}

/** Leads with their tags and what is merged into each, newest first. */
export async function withMerged(db: Db, leads: readonly Lead[]): Promise<Person<TaggedLead>[]> {
  if (leads.length === 0) return [];
  const ids = leads.map(({ id }) => id);
  const merged = (await listMerged(db, ids)).map(toLead);
  const tags = await listTagsOf(db, [...ids, ...merged.map(({ id }) => id)]);
  const tagged = (lead: Lead) => ({ ...lead, tags: tags.get(lead.id) ?? [] });
  const groups = Map.groupBy(merged.map(tagged), ({ mergedInto }) => mergedInto);
  return leads.map((lead) => ({ ...tagged(lead), merged: groups.get(lead.id) ?? [] }));
}

function listMerged(db: Db, mainIds: readonly string[]): Promise<LeadRow[]> {
  return db
    .selectFrom("lead")
    .selectAll()
    .where("merged_into", "in", mainIds)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

function filterConditions(ownerId: string, filter: InboxQuery["filter"], today: string): Expression<SqlBool>[] {
  const { search, show, card, source, status, tag, consent } = filter;
  const all: Expression<SqlBool>[] = [];
  /** True of the lead, or of one that is merged into it. */
  const ofAny = (condition: (lead: string) => RawBuilder<unknown>) =>
    all.push(sql<SqlBool>`(${condition("lead")} or lead.id in (
      select part.merged_into from lead part where part.owner_id = ${ownerId}
        and part.merged_into is not null and part.deleted_at is null and ${condition("part")}))`);
  if (show) all.push(shownConditions(today)[show]);
  if (card) ofAny((lead) => sql`${sql.ref(`${lead}.card_id`)} = ${card}`);
  if (source) ofAny((lead) => sql`${sql.ref(`${lead}.source`)} = ${source === directSource ? "" : source}`);
  if (status) all.push(sql<SqlBool>`lead.status = ${status}`);
  if (tag)
    ofAny(
      (lead) => sql`exists (
        select 1 from lead_tag where lead_tag.lead_id = ${sql.ref(`${lead}.id`)} and lead_tag.tag = ${tag})`,
    );
  if (consent === "withdrawn") all.push(sql<SqlBool>`lead.withdrawn_at is not null`);
  else if (consent)
    ofAny(
      (lead) => sql`exists (select 1 from lead_consent where lead_consent.lead_id = ${sql.ref(`${lead}.id`)}
        and lead_consent.purpose = ${consent} and lead_consent.withdrawn_at is null)`,
    );
  if (search) ofAny((lead) => matches(lead, search));
  return all;
}

/** As a lead's own row says it: its follow-up date is that of the person, and a merged lead counts as opened. */
function shownConditions(today: string): Record<ShownLeads, RawBuilder<SqlBool>> {
  const isOpen = sql`lead.follow_up <> '' and lead.status not in ('won', 'lost')`;
  return {
    unread: sql`lead.read_at is null`,
    due: sql`(${isOpen} and lead.follow_up <= ${today})`,
    planned: sql`(${isOpen} and lead.follow_up > ${today})`,
  };
}

/** Each word, in any order, in the text for searches, without case and accents. The key finds a number in another spelling. */
function matches(lead: string, search: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${lead}.${name}`);
  const words = foldText(search).split(/\s+/).slice(0, maxWords);
  const conditions = [
    sql`(${sql.join(
      words.map((word) => contains(column("search_text"), word)),
      sql` and `,
    )})`,
  ];
  const digits = search.replace(/\D/g, "");
  if (digits.length >= 4 && /^[\d\s()+./-]+$/.test(search))
    conditions.push(contains(column("phone_key"), digits.replace(/^0+/, "")));
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** Of a search; the words after them are ignored. */
const maxWords = 10;

/**
 * Not "like", which takes a hundred times as long for texts that nearly match at each letter: a search of 1,000 such leads would block a
 * process for half a minute. Both engines have this function.
 */
function contains(column: Expression<unknown>, text: string): RawBuilder<unknown> {
  return sql`replace(${column}, ${text}, '') <> ${column}`;
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
  const isUnread = sql`read_at is null and quarantined_at is null and deleted_at is null and merged_into is null`;
  return countLeads(db, { ownerId, isCounted: isUnread, most: maxCounted + 1 });
}

/** How many leads wait in quarantine, at most one more than `maxSpamCounted`: from its index alone. */
export async function countSpam(db: Db, ownerId: string): Promise<number> {
  const isSpam = sql`quarantined_at is not null and deleted_at is null and merged_into is null`;
  return countLeads(db, { ownerId, isCounted: isSpam, most: maxSpamCounted + 1 });
}

/**
 * A condition on leads that are found by their ids. SQLite must not use an index of the owner for it: it would read all of their leads, because
 * it expects ten.
 */
export function isOwnedBy(table: string, ownerId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.owner_id`)} || '' = ${ownerId}`;
}

type Count = { ownerId: string; isCounted: Expression<unknown>; most: number };

async function countLeads(db: Db, { ownerId, isCounted, most }: Count): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`
    select count(*) as n from (
      select 1 from lead where owner_id = ${ownerId} and ${isCounted} limit ${most}
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
