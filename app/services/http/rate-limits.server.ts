import { createHmac } from "node:crypto";
import { isIP } from "node:net";

import { sql } from "kysely";
import type { Logger } from "pino";

import type { Db, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";

import { currentRequest, logSecurityEvent } from "./request-log.server.ts";

/** At most `max` attempts in a window that starts with the first one. Reaching one that `isExpected` is not a security event. */
export type RateLimit = { name: string; max: number; windowMs: number; isExpected?: true };

/** One attempt against a limit. `subject` is who is limited: an email address or a network. */
export type Attempt = { limit: RateLimit; subject: string };

export type RateLimits = {
  /**
   * Counts one attempt against each limit. When one is exceeded, stops and returns its name and when its window ends (epoch milliseconds),
   * and logs that as a security event, unless the limit `isExpected` to be reached.
   */
  consume(attempts: Attempt[], options?: ConsumeOptions): Promise<{ until: number; limit: string } | undefined>;
  /** Takes attempts back that turned out to be legitimate. */
  refund(attempts: Attempt[]): Promise<void>;
  /** Starts new windows, in a transaction if one is given. */
  reset(attempts: Attempt[], trx?: Trx): Promise<void>;
  /** Deletes the counts of windows that have ended. */
  sweep(): Promise<number>;
};

type ConsumeOptions = {
  /** The attempt counts only if this transaction commits. */
  trx?: Trx;
  /** Finds the account to name in the log; by default the signed-in user's. */
  account?: () => Promise<string | undefined> | string | undefined;
};

type RateLimitsDeps = {
  db: Db;
  log: Logger;
  /** Hashes the subjects, so that the table reveals no address, not even to someone who tries all of them. */
  secret: string;
  clock: () => number;
};

/** Limits guessing and sending mail. The counts are in the database, so they survive restarts and apply to all processes. */
export function createRateLimits({ db, log, secret, clock }: RateLimitsDeps): RateLimits {
  const keyOf = ({ limit, subject }: Attempt) =>
    createHmac("sha256", secret).update(`limit\n${limit.name}\n${subject}`).digest("base64url");

  async function consume(attempts: Attempt[], { trx, account = viewerId }: ConsumeOptions = {}) {
    for (const attempt of attempts) {
      const { limit } = attempt;
      const { count, resets_at } = await countAttempt(trx ?? db, keyOf(attempt), { limit, now: clock() });
      if (count <= limit.max) continue;
      if (!limit.isExpected)
        logSecurityEvent(log, { event: "limit-reached", account: await account(), limit: limit.name });
      return { until: resets_at, limit: limit.name };
    }
    return undefined;
  }

  async function refund(attempts: Attempt[]) {
    for (const attempt of attempts) {
      await db
        .updateTable("attempt")
        .set((row) => ({ count: row("count", "-", 1) }))
        .where("key", "=", keyOf(attempt))
        .where("count", ">", 0)
        .execute();
    }
  }

  async function reset(attempts: Attempt[], trx?: Trx) {
    await (trx ?? db).deleteFrom("attempt").where("key", "in", attempts.map(keyOf)).execute();
  }

  async function sweep() {
    return deleteInParts(db, { from: "attempt", key: ["key"], where: sql`resets_at <= ${clock()}` });
  }

  return { consume, refund, reset, sweep };
}

function viewerId(): string | undefined {
  return currentRequest.getStore()?.viewer?.id;
}

/** One statement, so that fifty concurrent attempts get different counts. Stops counting at one above the limit. */
async function countAttempt(db: Db | Trx, key: string, { limit, now }: { limit: RateLimit; now: number }) {
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

/**
 * The part of an address that identifies one visitor, for rate limits: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * every home and server has a whole /64 network. "2001:db8::1" -> "2001:db8:0:0::/64".
 */
export function networkOf(address: string): string {
  const [bare = ""] = address.split("%");
  if (isIP(bare) !== 6) return address;
  // The URL parser normalizes every spelling of an address.
  const [before = "", after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split("::");
  const head = groups(before);
  const tail = groups(after ?? "");
  const zeros = after === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}

/** The network around it that one attacker may have whole: "203.0.113.0/24", or the first 48 bits of an IPv6 address. */
export function nearbyNetworkOf(address: string): string {
  const network = networkOf(address);
  if (network.endsWith("::/64")) return `${network.split(":").slice(0, 3).join(":")}::/48`;
  return isIP(address) === 4 ? `${address.split(".").slice(0, 3).join(".")}.0/24` : network;
}

function groups(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
