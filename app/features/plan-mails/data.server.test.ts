import { expect, test } from "vitest";

import { grantPremium } from "#app/features/billing/data.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertUser } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { planMailJob, reviewEnds, reviewPlan } from "./data.server.ts";

const day = 86_400_000;
const start = Date.UTC(2026, 10, 23);

describeOnEachDatabase("mails about the plan", (makeDb, engine) => {
  async function withGrant(endsAt: number | null) {
    const db = await makeDb();
    let time = start;
    const clock = () => time;
    const { jobs, events } = await makeWriteServices(db, clock);
    const ownerId = "ada";
    await insertUser(db, engine, ownerId);
    await transact(db, (trx) => grantPremium(trx, events, { ownerId, endsAt, reason: "", grantedBy: "", now: start }));
    const services = { db, jobs, events, clock, config: { premium: "sold" } as Config };
    const listMails = async () =>
      (
        await db.selectFrom("job").select("payload").where("kind", "=", planMailJob).orderBy("created_at").execute()
      ).map(({ payload }) => JSON.parse(payload));
    return { db, ownerId, services, listMails, setTime: (ms: number) => void (time = ms) };
  }

  test("are added once when several processes find the same end at once, also of a grant that no review saw", async () => {
    const { ownerId, services, listMails, setTime } = await withGrant(start + 30 * day);
    const reviewAtOnce = () => Promise.all(Array.from({ length: 5 }, () => reviewEnds(services)));
    await reviewAtOnce();
    expect(await listMails()).toEqual([]);
    setTime(start + 23 * day);
    await reviewAtOnce();
    setTime(start + 30 * day);
    await reviewAtOnce();
    const at = start + 30 * day;
    expect(await listMails()).toEqual([
      { ownerId, kind: "ending", at, plan: "premium" },
      { ownerId, kind: "ended", at, plan: "premium" },
    ]);
  });

  test("aren't added when another source of a plan goes on, which takes the place of the one that ended", async () => {
    const { db, ownerId, services, listMails, setTime } = await withGrant(start + 30 * day);
    await db
      .updateTable("subscription")
      .set({ ends_at: start + day })
      .execute();
    setTime(start + 2 * day);
    await reviewEnds(services);
    const row = db.selectFrom("subscription").selectAll().executeTakeFirst();
    expect(await row).toEqual({ owner_id: ownerId, plan: "premium", ends_at: start + 30 * day });
    expect(await listMails()).toEqual([]);
  });

  test("aren't added when the transaction fails, and then once", async () => {
    const { db, ownerId, services, listMails, setTime } = await withGrant(start + 30 * day);
    setTime(start + 30 * day);
    const killed = transact(db, async (trx) => {
      await reviewPlan(trx, services, ownerId);
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect(await listMails()).toEqual([]);
    await transact(db, (trx) => reviewPlan(trx, services, ownerId));
    await transact(db, (trx) => reviewPlan(trx, services, ownerId));
    expect(await listMails()).toMatchObject([{ kind: "ended" }]);
  });

  test("leave nothing of an account that was deleted", async () => {
    const { db, services, listMails } = await withGrant(start + 30 * day);
    await transact(db, (trx) => reviewPlan(trx, services, "deleted"));
    expect(await listMails()).toEqual([]);
    expect(await db.selectFrom("plan_notice").selectAll().execute()).toEqual([]);
  });
});
