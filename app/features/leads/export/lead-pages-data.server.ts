import { filterTimes, readFilter } from "#app/features/leads/inbox/filter-schema.ts";
import { listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import { startOfDay } from "#app/features/leads/inbox/lead-time.ts";
import { inboxPageSize } from "#app/features/leads/inbox/rules.ts";
import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import { readPurpose } from "#app/features/leads/schema.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import { findPreferences } from "#app/services/auth/account-preferences.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

export type ExportedLead = Lead & { tags: string[]; purposes: ConsentPurpose[] };

type ExportRequest = { ownerId: string; query: URLSearchParams };

/**
 * The leads of an address of the inbox, newest first, or those that it names with `id`; in pages, so that 100,000 are never in memory. Leads
 * whose visitor withdrew are left out.
 */
export async function* readLeadPages(
  all: Pick<Services, "db" | "engine">,
  { ownerId, query }: ExportRequest,
): AsyncGenerator<ExportedLead[]> {
  const filter = readFilter(query);
  const ids = query.getAll("id").slice(0, inboxPageSize);
  const choice = await findPreferences(all.db, ownerId);
  const times = filterTimes(filter, (day, days) => startOfDay(day, choice, days));
  let before: Lead | undefined;
  for (;;) {
    const leads = await listInbox(all, {
      ownerId,
      filter,
      ...times,
      before,
      limit: pageSize,
      ...(ids.length > 0 && { ids }),
    });
    const purposes = await listPurposes(
      all.db,
      leads.map(({ id }) => id),
    );
    yield leads
      .filter(({ withdrawnAt }) => withdrawnAt === null)
      .map((lead) => ({ ...lead, purposes: purposes.get(lead.id) ?? [] }));
    before = leads.at(-1);
    if (leads.length < pageSize) return;
  }
}

const pageSize = 500;

async function listPurposes(db: Db, leadIds: readonly string[]): Promise<Map<string, ConsentPurpose[]>> {
  const purposes = new Map<string, ConsentPurpose[]>();
  if (leadIds.length === 0) return purposes;
  const rows = await db
    .selectFrom("lead_consent")
    .select(["lead_id", "purpose"])
    .where("lead_id", "in", leadIds)
    .where("withdrawn_at", "is", null)
    .orderBy("purpose")
    .execute();
  for (const { lead_id, purpose } of rows)
    purposes.set(lead_id, [...(purposes.get(lead_id) ?? []), readPurpose(purpose)]);
  return purposes;
}
