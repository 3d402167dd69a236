import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { safeFileName } from "#app/services/http/file-name.ts";
import { rejectWrites } from "#app/services/http/file-route.server.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { findInboxLead } from "#app/features/leads/inbox/lead-data.server.ts";
import { combinedDetails } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";

import type { Route } from "./+types/vcard-route.ts";
import { vcardParts } from "./lead-files.server.ts";
import { readLeadPages } from "./lead-pages-data.server.ts";
import { toVCard } from "./lead-vcard.ts";
import { textFileResponse } from "./text-file.server.ts";

export { rejectWrites as action };

/** One lead as a contact file; without an id in the path, all leads of an address of the inbox in one file. */
export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const ownerId = requireUser(context).id;
  if (params.id !== undefined) {
    const found = await findInboxLead(db, { ownerId, id: params.id });
    if (!found || found.lead.withdrawnAt !== null) throwNotFound(context, url);
    const fileName = safeFileName(leadTitle(combinedDetails(found.lead)), { extension: "vcf", otherwise: "contact" });
    return textFileResponse({ request, type: "text/vcard", fileName, parts: contactOf(found.lead) });
  }
  const parts = vcardParts(readLeadPages(db, { ownerId, query: url.searchParams, now: clock() }));
  return textFileResponse({ request, type: "text/vcard", fileName: "leads.vcf", parts });
}

async function* contactOf(lead: Person) {
  yield toVCard(lead);
}
