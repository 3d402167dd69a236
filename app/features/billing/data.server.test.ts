import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { checkSubscription, findPlan, savePlan } from "./data.server.ts";
import { plans } from "./rules.ts";

const now = Date.UTC(2026, 10, 21);

describeOnEachDatabase("plans", (makeDb) => {
  test("gives each user the plan of their subscription, and Free without one", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    for (const [ownerId, endsAt] of [
      ["ada", null],
      ["bob", now - 1],
      ["eve", now + 86_400_000],
    ] as const)
      await savePlan(services, { ownerId, plan: "premium", endsAt });
    expect(await findPlan(db, "ada", now)).toBe(plans.premium);
    expect(await findPlan(db, "bob", now)).toBe(plans.free);
    expect(await findPlan(db, "eve", now)).toBe(plans.premium);
    expect(await findPlan(db, "nobody", now)).toBe(plans.free);
    expect(await checkSubscription(db, "eve", now)).toEqual({ plan: plans.premium, paidUntil: now + 86_400_000 });
    for (const id of ["bob", "nobody"]) {
      expect(await checkSubscription(db, id, now)).toEqual({ plan: plans.free, paidUntil: null });
    }
  });

  test("changes the plan of a user who has one", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await savePlan(services, { ownerId: "ada", plan: "premium", endsAt: null });
    await savePlan(services, { ownerId: "ada", plan: "premium", endsAt: now + 1 });
    expect(await checkSubscription(db, "ada", now)).toEqual({ plan: plans.premium, paidUntil: now + 1 });
    await savePlan(services, { ownerId: "ada", plan: "free", endsAt: null });
    expect(await findPlan(db, "ada", now)).toBe(plans.free);
  });
});
