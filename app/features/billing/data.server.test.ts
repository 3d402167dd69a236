import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { checkSubscription, findPlan } from "./data.server.ts";
import { plans } from "./rules.ts";

const now = Date.UTC(2026, 10, 21);

describeOnEachDatabase("plans", (makeDb) => {
  test("gives each user the plan of their subscription, and Free without one", async () => {
    const db = await makeDb();
    await db
      .insertInto("subscription")
      .values([
        { owner_id: "ada", plan: "premium", ends_at: null },
        { owner_id: "bob", plan: "premium", ends_at: now - 1 },
        { owner_id: "eve", plan: "premium", ends_at: now + 86_400_000 },
      ])
      .execute();
    expect(await findPlan(db, "ada", now)).toBe(plans.premium);
    expect(await findPlan(db, "bob", now)).toBe(plans.free);
    expect(await findPlan(db, "eve", now)).toBe(plans.premium);
    expect(await findPlan(db, "nobody", now)).toBe(plans.free);
    expect(await checkSubscription(db, "eve", now)).toEqual({ plan: plans.premium, paidUntil: now + 86_400_000 });
    for (const id of ["bob", "nobody"]) {
      expect(await checkSubscription(db, id, now)).toEqual({ plan: plans.free, paidUntil: null });
    }
  });
});
