import { expect, test } from "vitest";

import type { PremiumAccess } from "#app/services/config/setting-values.ts";

import {
  formatCardLimit,
  formatDollars,
  activePlan,
  isPlanId,
  outranks,
  planList,
  plans,
  readBillingPeriod,
  readChosenPlan,
  yearlyPrice,
  yearlySaving,
} from "./rules.ts";

const now = Date.UTC(2026, 10, 21);
const sold = { now, premium: "sold" } as const;

test("puts a user without a subscription or with an unknown plan on Free, and others until the moment it ends", () => {
  const planOf = (plan: string, ends_at: number | null) => activePlan({ plan, ends_at }, sold);
  expect(activePlan(undefined, sold)).toBe(plans.free);
  expect([planOf("premium", null), planOf("premium", now + 1)]).toEqual([plans.premium, plans.premium]);
  expect(planOf("premium", now)).toBe(plans.free);
  expect([planOf("business", null), planOf("__proto__", null)]).toEqual([plans.free, plans.free]);
});

test("ranks its plans from the cheapest to the most expensive, none above itself", () => {
  const prices = planList.map(({ monthlyPrice }) => monthlyPrice);
  expect(prices).toEqual(prices.toSorted((one, other) => one - other));
  expect([outranks("premium", "free"), outranks("free", "premium")]).toEqual([true, false]);
  for (const { id } of planList) expect(outranks(id, id)).toBe(false);
});

test("knows the ids of its plans and no other name", () => {
  expect(planList.map(({ id }) => id)).toEqual(Object.keys(plans));
  expect(planList.every(({ id }) => isPlanId(id))).toBe(true);
  for (const name of ["", "FREE", "gold", "__proto__", "constructor"]) expect(isPlanId(name)).toBe(false);
});

test("reads the chosen plan from `tier`, and ignores an unknown one", () => {
  const read = (query: string) => readChosenPlan(new URLSearchParams(query));
  expect(["tier=free", "tier=premium"].map(read)).toEqual(["free", "premium"]);
  expect(["", "tier=", "tier=gold", "tier=toString"].map(read)).toEqual([undefined, undefined, undefined, undefined]);
});

test("charges ten months for a year of Premium, $80 instead of $95.88", () => {
  expect(yearlyPrice(plans.premium)).toBe(80);
  expect(yearlySaving(plans.premium)).toBe(17);
  expect(yearlyPrice(plans.free)).toBe(0);
  expect(yearlySaving(plans.free)).toBe(0);
});

test("formats prices and the number of cards", () => {
  expect([0, 7.99, 80, 7.5].map(formatDollars)).toEqual(["$0", "$7.99", "$80", "$7.50"]);
  const limits = ["1 business card", "2 business cards", "Unlimited business cards"];
  expect([1, 2, Infinity].map(formatCardLimit)).toEqual(limits);
});

test("reads an unknown billing period as monthly", () => {
  const read = (query: string) => readBillingPeriod(new URLSearchParams(query));
  const queries = ["period=yearly", "period=monthly", "period=Yearly", "period=__proto__", ""];
  expect(queries.map(read)).toEqual(["yearly", "monthly", "monthly", "monthly", "monthly"]);
});

test("moving links is Premium's as soon as Premium can be bought, and open to everyone before", () => {
  const premium = { plan: "premium", ends_at: null };
  const canMove = (access: PremiumAccess) =>
    [undefined, premium].map((subscription) => activePlan(subscription, { now, premium: access }).canMoveLinks);
  expect(canMove("sold")).toEqual([false, true]);
  expect(canMove("granted")).toEqual([true, true]);
});

test("everyone has Premium where the operator wants that, whatever they had", () => {
  for (const subscription of [undefined, { plan: "premium", ends_at: now - 1 }, { plan: "free", ends_at: null }])
    expect(activePlan(subscription, { now, premium: "everyone" })).toBe(plans.premium);
});
