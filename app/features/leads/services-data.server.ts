import { findOwnLead } from "#app/features/leads/data.server.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { allowsServices } from "./consent-text.ts";

/**
 * Whether the owner passes new leads on to someone else at this moment: forwards them by email, sends them to a chat or a webhook, or copies them to a service. Then
 * the texts that visitors agree to have to say so (GDPR Article 13(1)(e)). Each such way is named here, and sends only what
 * `findLeadForServices` allows.
 */
export async function hasServices(db: Db | Trx, ownerId: string): Promise<boolean> {
  const forward = await db
    .selectFrom("lead_forward")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  const chat = await db
    .selectFrom("lead_notice")
    .select("channel")
    .where("owner_id", "=", ownerId)
    .where("channel", "=", "chat")
    .executeTakeFirst();
  const webhook = await db
    .selectFrom("webhook_endpoint")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("is_on", "=", 1)
    .where("kinds", "like", '%"lead.created"%')
    .executeTakeFirst();
  const integration = await db
    .selectFrom("integration")
    .select("id")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return [forward, chat, webhook, integration].some((way) => way !== undefined);
}

/** "hidden": its owner deleted it, which can be undone for some seconds. */
export type LeadForServices =
  | { kind: "allowed"; lead: Lead; consents: LeadConsent[] }
  | { kind: "hidden" }
  | { kind: "refused" };

/**
 * A lead as it is now, to be sent to someone other than its owner. Refused is one that was withdrawn or erased, suspected spam, and one whose
 * visitor agreed that it stays with the owner.
 */
export async function findLeadForServices(db: Db | Trx, of: { ownerId: string; id: string }): Promise<LeadForServices> {
  const found = await findOwnLead(db, of);
  if (!found || found.lead.withdrawnAt !== null || found.lead.quarantinedAt !== null) return { kind: "refused" };
  const { lead, consents } = found;
  if (!allowsServices(consents)) return { kind: "refused" };
  return found.isDeleted ? { kind: "hidden" } : { kind: "allowed", lead, consents };
}

type Recipient = { ownerId: string; leadId: string; address: string; now: number };

/**
 * Remembers that a lead is forwarded to an address, before it is sent. "gone" when it may not be sent anymore: whoever withdraws or erases it
 * later finds the address, also while the mail is on its way. "known": it was sent before.
 */
export async function addRecipient(
  db: Db,
  { ownerId, leadId, address, now }: Recipient,
): Promise<"added" | "known" | "gone"> {
  return transact(db, async (trx) => {
    if (!(await lockLead(trx, leadId))) return "gone";
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("lead_recipient")
      .values({ lead_id: leadId, owner_id: ownerId, address, sent_at: now })
      .onConflict((conflict) => conflict.columns(["lead_id", "address"]).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? "added" : "known";
  });
}

/** After a mail that couldn't be sent. */
export async function removeRecipient(
  db: Db,
  { leadId, address }: Pick<Recipient, "leadId" | "address">,
): Promise<void> {
  await db.deleteFrom("lead_recipient").where("lead_id", "=", leadId).where("address", "=", address).execute();
}

/**
 * The addresses that a lead was forwarded to by email, also those that the owner has removed since. They have to be told when it is
 * withdrawn or erased (GDPR Article 19). No others, who would learn a name. Locks the lead, so that it isn't sent to one more.
 */
export async function listRecipients(trx: Trx, leadId: string): Promise<string[]> {
  await lockLead(trx, leadId);
  const rows = await trx
    .selectFrom("lead_recipient")
    .select("address")
    .where("lead_id", "=", leadId)
    .orderBy("sent_at")
    .orderBy("address")
    .execute();
  return rows.map(({ address }) => address);
}

/** Until the transaction ends. False when the lead is erased or withdrawn. SQLite has no "for update". */
async function lockLead(trx: Trx, leadId: string): Promise<boolean> {
  const row = await trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where("id", "=", leadId)
    .where("withdrawn_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
