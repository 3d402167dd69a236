import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { contactLimits, repetitionLimit } from "./rules.ts";
import type { ContactMessage } from "./schema.ts";

type SendOptions = {
  message: ContactMessage;
  mail: Mail;
  /** The form's token: the same text with the same token is the same message. */
  formToken: string;
  /** The sender's network address. */
  address: string;
};

/** "known": sent before, by a second click or a reload. `until`: when the limit of that name allows another message, in epoch milliseconds. */
type SendResult = { kind: "sent" | "known" } | { kind: "rate-limited"; until: number; limit: string };

/**
 * Counts the message, which is sent once, and then its sender, and enqueues the email, in one transaction: concurrent submissions of
 * one form send one email, and "sent" means that the email is stored.
 */
export async function sendMessage(
  { db, jobs, rateLimits }: Pick<Services, "db" | "jobs" | "rateLimits">,
  { message, mail, formToken, address }: SendOptions,
): Promise<SendResult> {
  const repetition = [{ limit: repetitionLimit, subject: JSON.stringify([formToken, message]) }];
  const tries = [
    { limit: contactLimits.perNetwork, subject: networkOf(address) },
    { limit: contactLimits.perSender, subject: message.email.toLowerCase() },
    { limit: contactLimits.total, subject: "all" },
  ];
  return transact(db, async (trx): Promise<SendResult> => {
    if (await rateLimits.consume(repetition, { trx })) return { kind: "known" };
    const refused = await rateLimits.consume(tries, { trx });
    if (refused) {
      await rateLimits.reset(repetition, trx);
      return { kind: "rate-limited", ...refused };
    }
    await jobs.enqueue(trx, "mail", mail);
    return { kind: "sent" };
  });
}
