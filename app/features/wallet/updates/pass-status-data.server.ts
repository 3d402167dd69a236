import { sql } from "kysely";

import { googleUpdateJob } from "#app/features/wallet/google/google-pass-data.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** For the owner of a card: who has its pass, and whether they have the last change. Times are epoch milliseconds. */
export type PassStatus = {
  devices: number;
  /** Devices that don't know about the last change yet. */
  waiting: number;
  /** When something visible last changed on Apple's pass; undefined before it was first requested. */
  changedAt: number | undefined;
  /** When devices were last told about a change. */
  updatedAt: number | undefined;
  /** Why devices haven't been told, in plain language; "" without a problem. */
  problem: string;
  /** The pass at Google; undefined before it was first requested. */
  google: GooglePassStatus | undefined;
};

export type GooglePassStatus = {
  /** When Google was last known to have what the card shows; undefined before it got the pass. */
  sentAt: number | undefined;
  isWaiting: boolean;
  /** Why Google doesn't have the last change, in plain language; "" without a problem. */
  problem: string;
};

export async function findPassStatus(db: Db, cardId: string): Promise<PassStatus> {
  const row = await db
    .selectFrom("wallet_pass")
    .leftJoin("wallet_registration as registration", "registration.card_id", "wallet_pass.card_id")
    .select(["changed_at", "pushed_at", "push_error"])
    .select(({ fn, eb }) => [
      fn.count<number>("registration.device_id").as("devices"),
      fn
        .sum<number | string | null>(
          eb.case().when("registration.pushed_until", "<", eb.ref("changed_at")).then(1).else(0).end(),
        )
        .as("waiting"),
    ])
    .where("wallet_pass.card_id", "=", cardId)
    .groupBy(["wallet_pass.card_id", "changed_at", "pushed_at", "push_error"])
    .executeTakeFirst();
  return {
    devices: row?.devices ?? 0,
    waiting: Number(row?.waiting ?? 0),
    changedAt: row?.changed_at,
    updatedAt: row?.pushed_at ?? undefined,
    problem: row?.push_error ?? "",
    google: await findGoogleStatus(db, cardId),
  };
}

async function findGoogleStatus(db: Db, cardId: string): Promise<GooglePassStatus | undefined> {
  const isWaiting = sql`exists (select 1 from job where kind = ${googleUpdateJob} and key = ${cardId})`;
  const row = await db
    .selectFrom("google_pass")
    .select(["sent_at", "error", isWaiting.as("waiting")])
    .where("card_id", "=", cardId)
    .executeTakeFirst();
  return row && { sentAt: row.sent_at ?? undefined, isWaiting: Boolean(row.waiting), problem: row.error };
}
