import { createHash } from "node:crypto";

import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { duplicateWindowMs, contactLimits } from "./rules.ts";
import type { ContactMessage } from "./schema.ts";

type SendOptions = {
  message: ContactMessage;
  mail: Mail;
  /** The form's stamp: the same text with the same stamp is the same message. */
  stamp: string;
  /** The sender's network address. */
  address: string;
};

/** "known": sent before, by a second click or a reload. `until`: when the limit of that name allows another message, in epoch milliseconds. */
type SendResult = { kind: "sent" | "known" } | { kind: "rate-limited"; until: number; limit: string };

/**
 * Stores the message as known, counts it against the limits and enqueues its email, in one transaction: concurrent submissions of one
 * form send one email, and "sent" means that the email is stored.
 */
export async function sendMessage(
  { db, jobs, rateLimits, sign, clock }: Pick<Services, "db" | "jobs" | "rateLimits" | "sign" | "clock">,
  { message, mail, stamp, address }: SendOptions,
): Promise<SendResult> {
  const digest = createHash("sha256")
    .update(JSON.stringify([stamp, message]))
    .digest("base64url");
  const key = sign("contact message", digest);
  const tries = [
    { limit: contactLimits.perNetwork, subject: networkOf(address) },
    { limit: contactLimits.perSender, subject: message.email.toLowerCase() },
    { limit: contactLimits.total, subject: "all" },
  ];
  return transact(db, async (trx): Promise<SendResult> => {
    const isNew = await trx
      .insertInto("attempt")
      .values({ key, count: 1, resets_at: clock() + duplicateWindowMs })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .returning("key")
      .executeTakeFirst();
    if (!isNew) return { kind: "known" };
    const refused = await rateLimits.consume(tries, { trx });
    if (refused) {
      await trx.deleteFrom("attempt").where("key", "=", key).execute();
      return { kind: "rate-limited", ...refused };
    }
    await jobs.enqueue(trx, "mail", mail);
    return { kind: "sent" };
  });
}
