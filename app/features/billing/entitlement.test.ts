import fc from "fast-check";
import { expect, test } from "vitest";

import { entitlementOf, graceMs } from "./entitlement.ts";
import type { EntitlementSources, PaidSubscription } from "./entitlement.ts";
import { activePlan } from "./rules.ts";

const now = Date.UTC(2026, 10, 21);
const payment = (change: Partial<PaidSubscription>): PaidSubscription => ({
  plan: "premium",
  status: "active",
  cancel_at: null,
  past_due_since: null,
  ...change,
});
const paid = (change: Partial<PaidSubscription>) =>
  entitlementOf({ grant: undefined, payments: [payment(change)] }, now);
const granted = (plan: string, ends_at: number | null) =>
  entitlementOf({ grant: { plan, ends_at }, payments: [] }, now);

const free = { plan: "free", endsAt: null };

test("is Free without a source", () => {
  expect(entitlementOf({ grant: undefined, payments: [] }, now)).toEqual(free);
});

test("is what the operator granted, until its end", () => {
  expect(granted("premium", null)).toEqual({ plan: "premium", endsAt: null });
  expect(granted("premium", now)).toEqual({ plan: "premium", endsAt: now });
  for (const plan of ["free", "business", "__proto__"]) expect(granted(plan, now), plan).toEqual(free);
});

test.each(["active", "trialing"])("is Premium while a subscription is %s, until it is canceled", (status) => {
  expect(paid({ status })).toEqual({ plan: "premium", endsAt: null });
  expect(paid({ status, cancel_at: now })).toEqual({ plan: "premium", endsAt: now });
});

test("stays Premium for seven days after a failed payment, but not longer than the subscription", () => {
  expect(graceMs).toBe(7 * 86_400_000);
  const since = { status: "past_due", past_due_since: now };
  expect(paid(since)).toEqual({ plan: "premium", endsAt: now + graceMs });
  expect(paid({ ...since, cancel_at: now + 1 })).toEqual({ plan: "premium", endsAt: now + 1 });
  expect(paid({ ...since, cancel_at: now + 2 * graceMs })).toEqual({ plan: "premium", endsAt: now + graceMs });
});

test.each(["canceled", "unpaid", "incomplete", "incomplete_expired", "paused", "constructor", ""])(
  "is Free when a subscription is %j",
  (status) => {
    expect(paid({ status, past_due_since: now })).toEqual(free);
  },
);

const time = fc.integer({ min: now - 30 * 86_400_000, max: now + 30 * 86_400_000 });
const anySources: fc.Arbitrary<EntitlementSources> = fc.record({
  grant: fc.option(fc.record({ plan: fc.constantFrom("premium", "free", "gold"), ends_at: fc.option(time) }), {
    nil: undefined,
  }),
  payments: fc.array(
    fc.record({
      plan: fc.constantFrom("premium", "free", "gold"),
      status: fc.constantFrom("active", "trialing", "past_due", "canceled", "unpaid", "incomplete"),
      cancel_at: fc.option(time),
      past_due_since: fc.option(time),
    }),
    { maxLength: 4 },
  ),
});

test("of any mix is Premium exactly while one of its sources is", () => {
  fc.assert(
    fc.property(anySources, time, ({ grant, payments }, at) => {
      const planAt = (sources: EntitlementSources) => {
        const { plan, endsAt } = entitlementOf(sources, at);
        return activePlan({ plan, ends_at: endsAt }, { now: at, premium: "sold" }).id;
      };
      const alone = [
        planAt({ grant, payments: [] }),
        ...payments.map((one) => planAt({ grant: undefined, payments: [one] })),
      ];
      expect(planAt({ grant, payments })).toBe(alone.includes("premium") ? "premium" : "free");
      expect(planAt({ grant, payments: payments.toReversed() })).toBe(planAt({ grant, payments }));
    }),
    { numRuns: 2_000 },
  );
});

test("of any mix is Free when all have ended", () => {
  fc.assert(
    fc.property(anySources, ({ grant, payments }) => {
      const sources = {
        grant: grant && { ...grant, ends_at: grant.ends_at ?? now },
        payments: payments.map((one) => ({ ...one, cancel_at: one.cancel_at ?? now })),
      };
      const { plan, endsAt } = entitlementOf(sources, now);
      expect(activePlan({ plan, ends_at: endsAt }, { now: now + 30 * 86_400_000, premium: "sold" }).id).toBe("free");
    }),
  );
});
