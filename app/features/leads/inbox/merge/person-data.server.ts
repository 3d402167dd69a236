import type { TaggedLead } from "#app/features/leads/inbox/inbox-data.server.ts";
import { findInboxLead } from "#app/features/leads/inbox/lead-data.server.ts";
import { noteLabel, statusLabels } from "#app/features/leads/inbox/messages.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { detailNames } from "#app/features/leads/rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { findDuplicates } from "./duplicates-data.server.ts";
import { combinedDetails } from "./person-rules.ts";
import type { Person } from "./person-rules.ts";

type LoadOptions = {
  lead: Person<TaggedLead>;
  timeOf: (time: number) => string;
  originOf: (lead: Lead) => string;
};

/** What a lead's page shows of the person's other leads: those that are merged into it, its main lead, and possible duplicates. */
export async function loadPerson(db: Db, { lead, timeOf, originOf }: LoadOptions) {
  const { ownerId, id, mergedInto } = lead;
  const isUsable = lead.withdrawnAt === null && lead.quarantinedAt === null && mergedInto === null;
  const found = mergedInto === null ? undefined : await findInboxLead(db, { ownerId, id: mergedInto });
  const duplicates = isUsable ? await findDuplicates(db, { ownerId, id }) : [];
  const toShown = (one: Lead) => ({
    id: one.id,
    title: leadTitle(one),
    time: timeOf(one.createdAt),
    origin: originOf(one),
  });
  return {
    main: found && { id: found.lead.id, title: leadTitle(combinedDetails(found.lead)) },
    duplicates: duplicates.map(toShown),
    submissions: lead.merged.map((one) => ({
      ...toShown(one),
      details: differences(lead, one),
      tags: one.tags,
      ownerNote: one.ownerNote,
      status: one.status === "new" ? undefined : statusLabels[one.status],
    })),
  };
}

/** What was shared with a lead, without what is the same in its main lead. */
function differences(main: Lead, lead: Lead): { label: string; text: string }[] {
  const details = ([...detailNames, "note"] as const)
    .filter((name) => lead[name] !== "" && lead[name] !== main[name])
    .map((name) => ({ label: name === "note" ? noteLabel(lead.source) : leadMessages.labels[name], text: lead[name] }));
  const added = [...lead.otherEmails, ...lead.otherPhones].map((text) => ({ label: "Also", text }));
  return [
    ...details,
    ...added,
    ...lead.answers.map(({ question, answer }) => ({ label: question, text: answer || "No answer" })),
  ];
}

/** Of what is merged, the leads that the address says were merged just now. */
export function readMergedIds(query: URLSearchParams, merged: readonly Lead[]): string[] {
  const ids = query.getAll("merged");
  return merged.map(({ id }) => id).filter((id) => ids.includes(id));
}
