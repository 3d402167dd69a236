import { expect, test } from "vitest";

import { inCards, inDollars, planOf, plans, readPeriod, yearlyPrice, yearlySaving } from "./rules.ts";

const now = Date.UTC(2026, 10, 21);

test("whoever never subscribed is on Free", () => {
  expect(planOf(undefined, now)).toBe(plans.free);
});

test("a Premium subscription counts until the moment it ends", () => {
  expect(planOf({ plan: "premium", ends_at: null }, now)).toBe(plans.premium);
  expect(planOf({ plan: "premium", ends_at: now + 1 }, now)).toBe(plans.premium);
  expect(planOf({ plan: "premium", ends_at: now }, now)).toBe(plans.free);
});

test("a plan that we don't know gives nothing away", () => {
  expect(planOf({ plan: "business", ends_at: null }, now)).toBe(plans.free);
  expect(planOf({ plan: "__proto__", ends_at: null }, now)).toBe(plans.free);
});

test("Free holds one card, Premium any number", () => {
  expect(plans.free.maxCards).toBe(1);
  expect(plans.premium.maxCards).toBe(Infinity);
});

test("a year of Premium costs ten months, $80 instead of $95.88", () => {
  expect(yearlyPrice(plans.premium)).toBe(80);
  expect(yearlySaving(plans.premium)).toBe(17);
  expect(yearlyPrice(plans.free)).toBe(0);
  expect(yearlySaving(plans.free)).toBe(0);
});

test("prices are written as people write them", () => {
  expect([0, 7.99, 80, 7.5].map(inDollars)).toEqual(["$0", "$7.99", "$80", "$7.50"]);
});

test("numbers of cards too", () => {
  expect([1, 2, Infinity].map(inCards)).toEqual(["1 business card", "2 business cards", "Unlimited business cards"]);
});

test("a period that is none of ours is monthly", () => {
  for (const [asked, period] of [
    ["period=yearly", "yearly"],
    ["period=monthly", "monthly"],
    ["period=Yearly", "monthly"],
    ["period=__proto__", "monthly"],
    ["", "monthly"],
  ] as const) {
    expect(readPeriod(new URLSearchParams(asked))).toBe(period);
  }
});
