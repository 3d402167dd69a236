import { findOwnLead } from "#app/features/leads/data.server.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { allowsServices } from "./consent-text.ts";

/**
 * Whether the owner passes new leads on to someone else at this moment: forwards them by email, or sends them to a chat or a webhook. Then
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
  return forward !== undefined || chat !== undefined || webhook !== undefined;
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

/**
 * The addresses that a lead was forwarded to by email, as far as that is known: they were confirmed when it came in, and a lead was sent there
 * since. They have to be told when it is withdrawn or erased (GDPR Article 19). No others, who would learn a name.
 */
export async function listForwardedTo(
  trx: Trx,
  { ownerId, receivedAt }: Lead,
  consents: readonly LeadConsent[],
): Promise<string[]> {
  if (!allowsServices(consents)) return [];
  const rows = await trx
    .selectFrom("lead_forward")
    .select("address")
    .where("owner_id", "=", ownerId)
    .where("confirmed_at", "<=", receivedAt)
    .where("sent_at", ">=", receivedAt)
    .orderBy("created_at")
    .execute();
  return rows.map(({ address }) => address);
}
