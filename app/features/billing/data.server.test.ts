import { expect, test } from "vitest";

import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { makeFree, makePremium } from "#tests/support/app/profiles.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { checkSubscription, findPlan, revokeGrant, saveEntitlement } from "./data.server.ts";
import { plans } from "./rules.ts";

const now = Date.UTC(2026, 10, 21);
const dayMs = 86_400_000;
const at = (db: Db, premium: PremiumAccess = "sold") => ({ db, clock: () => now, config: { premium } });

describeOnEachDatabase("plans", (makeDb) => {
  test("gives each user the plan that was granted, and Free without one, or everyone Premium", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await makePremium(services, "ada");
    await makePremium(services, "bob", now - 1);
    await makePremium(services, "eve", now + dayMs);
    expect(await findPlan(at(db), "ada")).toBe(plans.premium);
    expect(await findPlan(at(db), "bob")).toBe(plans.free);
    expect(await findPlan(at(db), "eve")).toBe(plans.premium);
    expect(await findPlan(at(db), "nobody")).toBe(plans.free);
    expect(await checkSubscription(at(db), "eve")).toEqual({ plan: plans.premium, endsAt: now + dayMs });
    for (const id of ["bob", "nobody"]) {
      expect(await checkSubscription(at(db), id)).toEqual({ plan: plans.free, endsAt: null });
    }
    for (const id of ["bob", "eve", "nobody"])
      expect(await checkSubscription(at(db, "everyone"), id)).toEqual({ plan: plans.premium, endsAt: null });
  });

  test("replaces a grant with a later one, also when it ends earlier, and revokes it once", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await makePremium(services, "ada");
    await makePremium(services, "ada", now + 1);
    const before = { plan: "premium", endsAt: now + 1 };
    expect(await checkSubscription(at(db), "ada")).toEqual({ ...before, plan: plans.premium });
    const revoke = () => transact(db, (trx) => revokeGrant(trx, { events: services.events, now: Date.now() }, "ada"));
    expect(await revoke()).toEqual({ before, after: { plan: "free", endsAt: null } });
    expect(await findPlan(at(db), "ada")).toBe(plans.free);
    expect(await revoke()).toBe(undefined);
  });

  test("replaces a plan that this release doesn't know, so that it gives nothing once it is known", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await db.insertInto("subscription").values({ owner_id: "ada", plan: "team", ends_at: null }).execute();
    await transact(db, (trx) => saveEntitlement(trx, { events: services.events, now }, "ada"));
    const row = await db.selectFrom("subscription").select(["plan", "ends_at"]).executeTakeFirst();
    expect(row).toEqual({ plan: "free", ends_at: null });
  });

  test("reports what a change does, and records an event only if it does something", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await insertProfile(db);
    const version = async () =>
      (await db.selectFrom("profile").select("pages_version").executeTakeFirstOrThrow()).pages_version;
    const save = () => transact(db, (trx) => saveEntitlement(trx, { events: services.events, now: Date.now() }, "ada"));
    expect(await save()).toEqual({ before: { plan: "free", endsAt: null }, after: { plan: "free", endsAt: null } });
    expect(await version()).toBe("");
    await makePremium(services, "ada", now);
    const granted = await version();
    expect(granted).not.toBe("");
    await save();
    await makePremium(services, "ada", now);
    expect(await version()).toBe(granted);
    await makeFree(services, "ada");
    expect(await version()).not.toBe(granted);
  });

  test("ends in the state of the last change when several happen at once", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    const grant = (endsAt: number) => makePremium(services, "ada", endsAt);
    await Promise.all(
      Array.from({ length: 12 }, (_, day) => (day % 3 === 2 ? makeFree(services, "ada") : grant(now + day))),
    );
    const stored = await db.selectFrom("plan_grant").select(["plan", "ends_at"]).executeTakeFirst();
    expect(await db.selectFrom("subscription").select(["plan", "ends_at"]).executeTakeFirst()).toEqual(
      stored ?? { plan: "free", ends_at: null },
    );
  });
});
