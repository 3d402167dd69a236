import { listCardNames } from "#app/features/leads/inbox/inbox-data.server.ts";
import { sortableTime } from "#app/features/leads/inbox/lead-time.ts";
import { purposeLabels, sourceLabels, statusLabels } from "#app/features/leads/inbox/messages.ts";
import { otherDetails } from "#app/features/leads/inbox/merge/person-rules.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { detailNames } from "#app/features/leads/rules.ts";
import { formatCsv } from "#app/services/base/csv.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";

import type { ExportedLead } from "./lead-pages-data.server.ts";
import { toVCard } from "./lead-vcard.ts";

type LeadPages = AsyncGenerator<ExportedLead[]>;

/** Leads as one file of contacts, in parts. */
export async function* vcardParts(pages: LeadPages): AsyncGenerator<string> {
  for await (const leads of pages) yield leads.map(toVCard).join("");
}

/** Leads as a table, for spreadsheets and other programs, in parts. */
export async function* csvParts(db: Db, ownerId: string, pages: LeadPages): AsyncGenerator<string> {
  const choice = await findPreferences(db, ownerId);
  const cards = new Map((await listCardNames(db, ownerId)).map(({ id, name }) => [id, name]));
  yield formatCsv([[`Shared at (${choice.timeZone || "UTC"})`, ...columns]]);
  for await (const leads of pages) {
    const rows = leads.map((lead) => [
      sortableTime(lead.createdAt, choice),
      lead.name,
      lead.email,
      lead.phone,
      lead.company,
      lead.note,
      [lead, ...lead.merged]
        .flatMap(({ answers }) => answers.map(({ question, answer }) => `${question}: ${answer}`))
        .join("\n"),
      cards.get(lead.cardId) ?? "",
      sourceLabels[lead.source] ?? lead.source,
      lead.purposes.map((purpose) => purposeLabels[purpose]).join(", "),
      statusLabels[lead.status],
      lead.tags.join(", "),
      lead.followUp,
      [lead, ...lead.merged]
        .map(({ ownerNote }) => ownerNote)
        .filter(Boolean)
        .join("\n\n"),
      otherContacts(lead),
      lead.title,
      lead.website,
    ]);
    // Only the first part has a byte order mark.
    yield formatCsv(rows).slice(1);
  }
}

/** After the time, whose column names the owner's time zone. */
const columns = [
  "Name",
  "Email",
  "Phone",
  "Company",
  "Their note",
  "Answers",
  "Card",
  "Source",
  "Consent",
  "Status",
  "Tags",
  "Follow up on",
  "Your note",
  "Other details",
  "Title",
  "Website",
];

/** What a person shared differently another time: "Email: grace@example.org". */
function otherContacts(lead: ExportedLead): string {
  return detailNames
    .flatMap((name) => otherDetails(lead, name).map((value) => `${leadMessages.labels[name]}: ${value}`))
    .join("\n");
}
