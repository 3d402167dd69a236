import { expect, test } from "vitest";

import { withdrawConsent } from "#app/features/leads/data.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openLeadStore } from "#tests/support/database/leads.ts";
import { createAuthTables } from "#app/services/auth/better-auth.server.ts";

import { storedLeadData } from "./stored-data.server.ts";

const dayMs = 86_400_000;

describeOnEachDatabase("the retention of leads", (makeDb, engine) => {
  async function open() {
    const store = await openLeadStore(await makeDb());
    await createAuthTables(store.db, engine);
    store.time.now = 0;
    const deps = { ...store, config: { baseUrl: "http://localhost:3000" } };
    const create = (id: string) => store.create({ id, source: "kiosk", consentSource: "kiosk" });
    const runAt = async (day: number) => {
      store.time.now = day * dayMs;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tasks use these services only
      for (const { deleteOld } of storedLeadData) await deleteOld?.(deps as unknown as Services);
      return (await store.db.selectFrom("lead").select("id").orderBy("id").execute()).map(({ id }) => id);
    };
    return { ...store, deps, create, runAt };
  }

  test("deletes a lead at its end, two weeks after its owner was told", async () => {
    const { db, create, runAt } = await open();
    await create("a");
    const noticed = async () => (await db.selectFrom("lead").select("expiry_noticed_at").execute())[0];
    expect(await runAt(705)).toEqual(["a"]);
    expect(await noticed()).toEqual({ expiry_noticed_at: null });
    expect(await runAt(706)).toEqual(["a"]);
    expect(await noticed()).toEqual({ expiry_noticed_at: 706 * dayMs });
    expect(await runAt(719)).toEqual(["a"]);
    expect(await runAt(720)).toEqual([]);
    expect(await db.selectFrom("lead_consent").selectAll().execute()).toEqual([]);
    // Two weeks also after an outage, and no more.
    await create("b");
    const end = 720 + 720;
    expect(await runAt(end + 5)).toEqual(["b"]);
    expect(await runAt(end + 13)).toEqual(["b"]);
    expect(await runAt(end + 14)).toEqual([]);
  });

  test("deletes proof and quarantine at their end, and hashes of erased leads once no device can send them", async () => {
    const { db, deps, create, runAt } = await open();
    await create("a");
    await create("b");
    const change = { quarantined_at: 1, expires_at: 30 * dayMs };
    await db.updateTable("lead").set(change).where("id", "=", "b").execute();
    await withdrawConsent(deps, { id: "a", purposes: ["answer"] });
    expect(await runAt(29)).toEqual(["a", "b"]);
    expect(await runAt(30)).toEqual(["a"]);
    expect(await db.selectFrom("erased_lead").selectAll().execute()).toHaveLength(1);
    await runAt(122);
    expect(await db.selectFrom("erased_lead").selectAll().execute()).toEqual([]);
    expect(await runAt(720)).toEqual([]);
  });
});
