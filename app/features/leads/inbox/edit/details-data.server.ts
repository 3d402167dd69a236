import { toLead } from "#app/features/leads/lead-row.server.ts";
import { saveSearchText } from "#app/features/leads/inbox/search-data.server.ts";
import { asSent, detailNames, emailKey, phoneKey } from "#app/features/leads/rules.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";

import { toOwnDetails } from "./details-rules.ts";
import type { OwnDetails } from "./details-rules.ts";

type DetailsChange = {
  ownerId: string;
  id: string;
  details: OwnDetails;
  /** What the form was opened with, as it says; without it, whatever is stored is replaced. */
  base?: unknown;
};

export type SaveDetailsResult =
  | { kind: "saved" }
  /** There is no such lead, or its visitor withdrew everything. */
  | { kind: "gone" }
  /** These were also changed elsewhere. Nothing was saved. */
  | { kind: "conflict"; names: string[]; stored: OwnDetails };

/** Saves the details of a lead as its owner corrected them. What was sent is stored apart, and never changes. */
export async function saveDetails(db: Db, { ownerId, id, details, base }: DetailsChange): Promise<SaveDetailsResult> {
  return transact(db, async (trx): Promise<SaveDetailsResult> => {
    // Locks the lead.
    const row = await trx
      .updateTable("lead")
      .set((lead) => ({ status: lead.ref("status") }))
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("withdrawn_at", "is", null)
      .where("deleted_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return { kind: "gone" };
    const lead = toLead(row);
    const stored = toOwnDetails(lead);
    const { values, conflicts } = mergeValues({ base: base ?? stored, mine: details, other: stored });
    if (conflicts.length > 0) return { kind: "conflict", names: conflicts.map(({ path }) => path), stored };
    const { emails, phones, ...texts } = values;
    const [email = "", ...otherEmails] = emails;
    const [phone = "", ...otherPhones] = phones;
    await trx
      .updateTable("lead")
      .set({
        ...texts,
        email,
        phone,
        email_key: emailKey(email),
        phone_key: phoneKey(phone),
        other_emails: JSON.stringify(otherEmails),
        other_phones: JSON.stringify(otherPhones),
        sent_details: JSON.stringify(mapFields(detailNames, (name) => asSent(lead)[name])),
      })
      .where("id", "=", id)
      .execute();
    await saveSearchText(trx, [id]);
    return { kind: "saved" };
  });
}
