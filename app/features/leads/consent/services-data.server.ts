import type { Db, Trx } from "#app/services/database/database.server.ts";

/**
 * Whether the owner passes new leads on to someone else at this moment: forwards them by email, or sends them to a chat or a webhook. Then the texts that visitors agree to have
 * to say so (GDPR Article 13(1)(e)). Each such way is named here, and sends only leads whose visitors agreed to it (`allowsServices`).
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
