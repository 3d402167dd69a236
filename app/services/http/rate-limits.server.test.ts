import { describe, expect, test } from "vitest";

import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { createRateLimits, nearbyNetworkOf, networkOf } from "./rate-limits.server.ts";
import type { RateLimit } from "./rate-limits.server.ts";

const limit: RateLimit = { name: "sign-in", max: 3, windowMs: 60_000 };

describeOnEachDatabase("limits", (makeDb) => {
  test("allow their number of attempts, and then say when to come back", async () => {
    const { limits } = await open(makeDb);
    const tries = [{ limit, subject: "ada@example.com" }];
    for (let n = 0; n < limit.max; n++) expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toEqual({ until: start + limit.windowMs, limit: limit.name });
  });

  test("hold for fifty concurrent attempts", async () => {
    const { limits } = await open(makeDb);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => limits.consume([{ limit, subject: "ada@example.com" }])),
    );
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(limit.max);
  });

  test("start a new window when the old one ends, however many attempts it refused", async () => {
    const { limits, time } = await open(makeDb);
    const tries = [{ limit, subject: "ada@example.com" }];
    for (let n = 0; n < 10; n++) {
      await limits.consume(tries);
      time.now += 1000;
    }
    time.now = start + limit.windowMs;
    expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toEqual({ until: time.now + limit.windowMs, limit: limit.name });
  });

  test("count each limit and each subject separately", async () => {
    const { limits } = await open(makeDb);
    for (let n = 0; n < 5; n++) await limits.consume([{ limit, subject: "ada@example.com" }]);
    expect(await limits.consume([{ limit, subject: "bob@example.com" }])).toBeUndefined();
    expect(await limits.consume([{ limit: { ...limit, name: "mail" }, subject: "ada@example.com" }])).toBeUndefined();
  });

  test("stop counting at the first exceeded limit", async () => {
    const { limits } = await open(makeDb);
    const network = { limit: { ...limit, name: "network" }, subject: "203.0.113.7" };
    const account = { limit, subject: "ada@example.com" };
    for (let n = 0; n < 3; n++) await limits.consume([network]);
    for (let n = 0; n < 5; n++) expect(await limits.consume([network, account])).toBeDefined();
    for (let n = 0; n < 3; n++) expect(await limits.consume([account])).toBeUndefined();
  });

  test("refund attempts, never below zero", async () => {
    const { limits } = await open(makeDb);
    const tries = [{ limit, subject: "ada@example.com" }];
    for (let n = 0; n < 20; n++) {
      expect(await limits.consume(tries)).toBeUndefined();
      await limits.refund(tries);
    }
    await limits.refund(tries);
    for (let n = 0; n < limit.max; n++) expect(await limits.consume(tries)).toBeUndefined();
    expect(await limits.consume(tries)).toBeDefined();
  });

  test("can be reset", async () => {
    const { limits } = await open(makeDb);
    const tries = [{ limit, subject: "ada@example.com" }];
    for (let n = 0; n < 5; n++) await limits.consume(tries);
    await limits.reset(tries);
    expect(await limits.consume(tries)).toBeUndefined();
  });

  test("store neither an email address nor a network, and nothing after their window", async () => {
    const { limits, time, db } = await open(makeDb);
    await limits.consume([{ limit, subject: "ada@example.com" }]);
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
  return { db, time, limits: createRateLimits({ db, secret: "s".repeat(32), clock: () => time.now }) };
}

describe("the network of a visitor", () => {
  test("is the address itself for IPv4", () => {
    expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  });

  test.each([
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0:0:ffff::", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ])("is the /64 network for IPv6: %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("is the text itself when it isn't an address", () => {
    expect(networkOf("unknown")).toBe("unknown");
  });
});

describe("the nearby networks of a visitor", () => {
  test.each([
    ["203.0.113.7", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8::1", "2001:db8:0::/48"],
    ["unknown", "unknown"],
  ])("are a /24 or a /48: %s", (address, network) => {
    expect(nearbyNetworkOf(address)).toBe(network);
  });
});
