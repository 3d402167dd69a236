import { expect, test } from "vitest";

import { advanceClock, noCookies, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("the security events of an account", (makeDb, engine) => {
  async function open() {
    const opened = await openAccount(makeDb, engine);
    const { auth, db, userId: ownerId } = opened;
    const record = (address: string) =>
      auth.recordSecurityEvent(db, { ownerId, event: "signed-out", origin: { headers: noCookies, address } });
    return { ...opened, ownerId, record };
  }

  test("have no network address, but tell networks apart", async () => {
    const { auth, ownerId, record } = await open();
    for (const address of ["203.0.113.7", "203.0.113.7", "198.51.100.9"]) await record(address);
    const all = await auth.securityEvents.list({ ownerId, limit: 10 });
    const events = all.filter(({ event }) => event === "signed-out");
    expect(new Set(events.map(({ network }) => network)).size).toBe(2);
    expect(JSON.stringify(events)).not.toMatch(/203\.0|198\.51/);
  });

  test("count at most twenty refused sign-ins a day, also when they come at once", async () => {
    const { db, signIn } = await open();
    const refuse = () => signIn({ password: "a wrong word" });
    await Promise.all(Array.from({ length: 25 }, refuse));
    const count = async () => {
      const rows = await db.selectFrom("security_event").select("id").where("event", "=", "sign-in-refused").execute();
      return rows.length;
    };
    // Responses don't wait for them.
    await expect.poll(count).toBe(20);
    await refuse();
    expect(await count()).toBe(20);
  });

  test("are deleted after 180 days", async () => {
    const { auth, ownerId } = await open();
    advanceClock({ hours: 179 * 24 });
    await auth.sweep();
    expect(await auth.securityEvents.list({ ownerId, limit: 10 })).toHaveLength(1);
    advanceClock({ hours: 25 });
    await auth.sweep();
    expect(await auth.securityEvents.list({ ownerId, limit: 10 })).toEqual([]);
  });
});
