import { createHmac } from "node:crypto";

import { sql } from "kysely";

import type { Db, Trx } from "./database.server.ts";

/** So many tries in so long a time; the time starts with the first of them. */
export type Limit = { name: string; max: number; windowMs: number };

/** One try against a limit: `of` says whose, an e-mail address or a network. */
export type Try = { limit: Limit; of: string };

export type Limits = {
  /**
   * Counts one try against each limit, until one of them is used up: then says when it starts anew. In a transaction (`trx`) it is
   * counted if, and only if, that commits.
   */
  take(tries: Try[], trx?: Trx): Promise<{ until: number } | undefined>;
  /** Uncounts what turned out not to be a guess. */
  giveBack(tries: Try[]): Promise<void>;
  /** Lets the count start anew. */
  forget(tries: Try[]): Promise<void>;
  /** Removes counts that are over; they are ignored anyway. */
  sweep(): Promise<void>;
};

type Parts = {
  db: Db;
  /** Keys are hashed with it: the table holds no address that could be found by trying all of them. */
  secret: string;
  clock: () => number;
};

/** Limits on guessing and on sending mail, kept in the database: they hold over restarts and over all processes. */
export function createLimits({ db, secret, clock }: Parts): Limits {
  const keyOf = ({ limit, of }: Try) =>
    createHmac("sha256", secret).update(`limit\n${limit.name}\n${of}`).digest("base64url");

  async function take(tries: Try[], trx?: Trx) {
    for (const attempt of tries) {
      const { limit } = attempt;
      const { count, resets_at } = await countOne(trx ?? db, keyOf(attempt), { limit, now: clock() });
      if (count > limit.max) return { until: resets_at };
    }
    return undefined;
  }

  async function giveBack(tries: Try[]) {
    for (const attempt of tries) {
      await db
        .updateTable("attempt")
        .set((row) => ({ count: row("count", "-", 1) }))
        .where("key", "=", keyOf(attempt))
        .where("count", ">", 0)
        .execute();
    }
  }

  async function forget(tries: Try[]) {
    await db.deleteFrom("attempt").where("key", "in", tries.map(keyOf)).execute();
  }

  async function sweep() {
    await db.deleteFrom("attempt").where("resets_at", "<=", clock()).execute();
  }

  return { take, giveBack, forget, sweep };
}

/** One statement, so that of fifty tries at once each gets a number of its own. It stops counting one above the limit. */
async function countOne(db: Db | Trx, key: string, { limit, now }: { limit: Limit; now: number }) {
  const isOver = sql<boolean>`attempt.resets_at <= ${now}`;
  return db
    .insertInto("attempt")
    .values({ key, count: 1, resets_at: now + limit.windowMs })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql<number>`case when ${isOver} then 1 when attempt.count > ${limit.max} then attempt.count else attempt.count + 1 end`,
        resets_at: sql<number>`case when ${isOver} then excluded.resets_at else attempt.resets_at end`,
      }),
    )
    .returning(["count", "resets_at"])
    .executeTakeFirstOrThrow();
}
