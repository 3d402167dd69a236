import { readIds } from "#app/features/leads/inbox/inbox-action.server.ts";
import { filterTimes, readFilter } from "#app/features/leads/inbox/filter-schema.ts";
import type { InboxFilter } from "#app/features/leads/inbox/filter-schema.ts";
import { listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import { dayOf, startOfDay } from "#app/features/leads/inbox/lead-time.ts";
import type { InboxQuery, TaggedLead } from "#app/features/leads/inbox/inbox-data.server.ts";
import { activePurposes, combinedDetails, combinedTags } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";
import { asSent } from "#app/features/leads/rules.ts";
import type { ConsentPurpose, DetailName } from "#app/features/leads/rules.ts";
import { readPurpose } from "#app/features/leads/schema.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** A person, with the details and the consent of all their leads. */
export type ExportedLead = Person<TaggedLead> & Record<DetailName, string> & { purposes: ConsentPurpose[] };

type ExportRequest = { ownerId: string; query: URLSearchParams; now: number };

/** The people of an address of the inbox, or those that it names with `id`; as `listLeadPages` returns them. */
export async function* readLeadPages(db: Db, { ownerId, query, now }: ExportRequest): AsyncGenerator<ExportedLead[]> {
  const ids = query.has("id") ? readIds(query) : undefined;
  const filter = ids ? ofSelected(query) : readFilter(query);
  if (ids?.length === 0) return;
  const choice = await findPreferences(db, ownerId);
  const times = filterTimes(filter, (day, days) => startOfDay(day, choice, days));
  yield* listLeadPages(db, { ownerId, filter, ...times, today: dayOf(now, choice), ...(ids && { ids }) });
}

/**
 * All people that match, newest first; in pages, so that 100,000 are never in memory. Leads whose visitor withdrew are left out.
 */
export async function* listLeadPages(
  db: Db,
  query: Omit<InboxQuery, "before" | "limit">,
): AsyncGenerator<ExportedLead[]> {
  let before: Lead | undefined;
  for (;;) {
    const leads = await listInbox(db, { ...query, before, limit: pageSize });
    yield await toExported(
      db,
      leads.filter(({ withdrawnAt }) => withdrawnAt === null),
    );
    before = leads.at(-1);
    if (leads.length < pageSize) return;
  }
}

const pageSize = 500;

/** Selected leads are named by their ids alone: the form that they are selected in has a field for a new tag. */
function ofSelected(query: URLSearchParams): InboxFilter {
  return readFilter(new URLSearchParams({ view: query.get("view") ?? "" }));
}

async function toExported(db: Db, people: readonly Person<TaggedLead>[]): Promise<ExportedLead[]> {
  const ids = people.flatMap(({ id, merged }) => [id, ...merged.map((lead) => lead.id)]);
  const consents = await listConsentTimes(db, ids);
  return people.map((person) => {
    const details = combinedDetails(person);
    // Consent to news is for the address that the visitor sent, and not for one that the owner typed.
    const leads = [person, ...person.merged].map((lead) => ({
      email: asSent(lead).email,
      consents: consents.get(lead.id) ?? [],
    }));
    return { ...person, ...details, tags: combinedTags(person), purposes: activePurposes(details.email, leads) };
  });
}

type ConsentTimes = Pick<LeadConsent, "purpose" | "givenAt" | "withdrawnAt">;

async function listConsentTimes(db: Db, leadIds: readonly string[]): Promise<Map<string, ConsentTimes[]>> {
  const consents = new Map<string, ConsentTimes[]>();
  if (leadIds.length === 0) return consents;
  const rows = await db
    .selectFrom("lead_consent")
    .select(["lead_id", "purpose", "given_at", "withdrawn_at"])
    .where("lead_id", "in", leadIds)
    .execute();
  for (const { lead_id, purpose, given_at: givenAt, withdrawn_at: withdrawnAt } of rows)
    consents.set(lead_id, [...(consents.get(lead_id) ?? []), { purpose: readPurpose(purpose), givenAt, withdrawnAt }]);
  return consents;
}
