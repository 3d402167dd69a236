import { createHash } from "node:crypto";

import type { Services } from "#app/services/context.ts";
import { transact } from "#app/services/database.server.ts";
import type { Mail } from "#app/services/mail.server.ts";
import { networkOf } from "#app/services/network.ts";

import type { ContactMessage } from "./form.ts";
import { knownFor, limits as limit } from "./rules.ts";

type Sending = {
  message: ContactMessage;
  mail: Mail;
  /** Of the form: sent again with the same words it is the same message. */
  stamp: string;
  /** The network address of who sends. */
  address: string;
};

/** "known": it was sent before, by a second click or a reloaded page. `until` is when more may be sent, epoch milliseconds. */
type SendResult = { kind: "sent" | "known" } | { kind: "too-often"; until: number };

/**
 * One write notes that this message is known, counts it against the limits and notes its mail as a job. So it is sent once, however
 * often and at once the form comes, and nothing is said to be sent that is not in safe keeping.
 */
export async function sendMessage(
  { db, jobs, limits, sign, clock }: Pick<Services, "db" | "jobs" | "limits" | "sign" | "clock">,
  { message, mail, stamp, address }: Sending,
): Promise<SendResult> {
  const words = createHash("sha256")
    .update(JSON.stringify([stamp, message]))
    .digest("base64url");
  const key = sign("contact message", words);
  const tries = [
    { limit: limit.fromNetwork, of: networkOf(address) },
    { limit: limit.ofSender, of: message.email.toLowerCase() },
    { limit: limit.inAll, of: "all" },
  ];
  return transact(db, async (trx): Promise<SendResult> => {
    const isNew = await trx
      .insertInto("attempt")
      .values({ key, count: 1, resets_at: clock() + knownFor })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .returning("key")
      .executeTakeFirst();
    if (!isNew) return { kind: "known" };
    const refused = await limits.take(tries, trx);
    if (refused) {
      await trx.deleteFrom("attempt").where("key", "=", key).execute();
      return { kind: "too-often", ...refused };
    }
    await jobs.enqueue(trx, "mail", mail);
    return { kind: "sent" };
  });
}
