import pino from "pino";
import { expect, test } from "vitest";

import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { currentRequest } from "./request-log.server.ts";
import { createRateLimits, nearbyNetworkOf, networkOf } from "./rate-limits.server.ts";
import type { RateLimit } from "./rate-limits.server.ts";

const limit: RateLimit = { name: "sign-in", max: 3, windowMs: 60_000 };
const tries = [{ limit, subject: "ada@example.com" }];

describeOnEachDatabase("limits", (makeDb) => {
  test("allow their number of attempts, even concurrent ones, until the window ends, however many were refused", async () => {
    const { limits, time } = await open(makeDb);
    const results = await Promise.all(Array.from({ length: 50 }, () => limits.consume(tries)));
    expect(results.filter((result) => result === undefined)).toHaveLength(limit.max);
    time.now += 10_000;
    expect(await limits.consume(tries)).toEqual({ until: start + limit.windowMs, limit: limit.name });
    time.now = start + limit.windowMs;
    for (let n = 0; n < limit.max; n++) expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toEqual({ until: time.now + limit.windowMs, limit: limit.name });
  });

  test("count each limit and each subject separately, and stop counting at the first exceeded limit", async () => {
    const { limits } = await open(makeDb);
    for (let n = 0; n < 5; n++) await limits.consume(tries);
    expect(await limits.consume([{ limit, subject: "bob@example.com" }])).toBeUndefined();
    const mail = { limit: { ...limit, name: "mail" }, subject: "ada@example.com" };
    for (let n = 0; n < 5; n++) expect(await limits.consume([...tries, mail])).toBeDefined();
    for (let n = 0; n < limit.max; n++) expect(await limits.consume([mail])).toBeUndefined();
  });

  test("refund attempts, never below zero, and can be reset", async () => {
    const { limits } = await open(makeDb);
    for (let n = 0; n < 20; n++) {
      expect(await limits.consume(tries)).toBeUndefined();
      await limits.refund(tries);
    }
    await limits.refund(tries);
    for (let n = 0; n < limit.max; n++) expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toBeDefined();
    await limits.reset(tries);
    expect(await limits.consume(tries)).toBeUndefined();
  });

  test("log that they were reached, with the request and the account, unless that is expected", async () => {
    const { limits, lines } = await open(makeDb);
    const once = { name: "daily task", max: 0, windowMs: 1, isExpected: true } as const;
    await currentRequest.run({ id: "request-1", viewer: { id: "ada-1" } }, async () => {
      for (let n = 0; n < limit.max + 1; n++) await limits.consume(tries);
      await limits.consume(tries, { account: () => "bob-1" });
      expect(await limits.consume([{ limit: once, subject: "all" }])).toBeDefined();
    });
    const event = { security: "limit-reached", id: "request-1", limit: "sign-in" };
    expect(lines).toMatchObject([
      { ...event, account: "ada-1" },
      { ...event, account: "bob-1" },
    ]);
  });

  test("store neither an email address nor a network, and nothing after their window", async () => {
    const { limits, time, db } = await open(makeDb);
    await limits.consume(tries);
    time.now += 1;
    await limits.consume([{ limit, subject: "203.0.113.7" }]);
    const rows = await db.selectFrom("attempt").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/ada|example|203\.0/);
    time.now = start + limit.windowMs;
    await limits.sweep();
    expect(await db.selectFrom("attempt").selectAll().execute()).toHaveLength(1);
  });
});

const start = Date.UTC(2026, 10, 21);

async function open(makeDb: () => Promise<Db>) {
  const db = await makeDb();
  const time = { now: start };
  const lines: object[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { db, time, lines, limits: createRateLimits({ db, log, secret: "s".repeat(32), clock: () => time.now }) };
}

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["2001:DB8:0:0:ffff::", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["1::", "1:0:0:0::/64", "1:0:0::/48"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64", "64:ff9b:0::/48"],
  ["unknown", "unknown", "unknown"],
])("the network of %s is %s, and its nearby networks are %s", (address, network, nearby) => {
  expect([networkOf(address), nearbyNetworkOf(address)]).toEqual([network, nearby]);
});
