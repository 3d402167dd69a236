import { describe, expect, test } from "vitest";

import { findDueMails, isStillTrue, noNotice } from "./rules.ts";
import type { Payment, PlanFacts, PlanNotice } from "./rules.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 10, 23);

const paid: Payment = {
  plan: "premium",
  status: "active",
  started_at: now - 10 * day,
  cancel_at: null,
  past_due_since: null,
  period: "monthly",
  current_period_end: now + 20 * day,
  ended_at: null,
};
const premium = (ends_at: number | null) => ({ plan: "premium", ends_at });
const paying = (change: Partial<Payment> = {}): PlanFacts => {
  const payment = { ...paid, ...change };
  const end = payment.past_due_since === null ? payment.cancel_at : payment.past_due_since + 7 * day;
  return { subscription: premium(end), grant: undefined, payments: [payment] };
};
const granted = (end: number, from: number): PlanFacts => ({
  subscription: premium(end),
  grant: { ends_at: end, created_at: from },
  payments: [],
});
const told: PlanNotice = { ...noNotice, plan: "premium", welcomedUntil: paid.started_at };
const kinds = (facts: PlanFacts, notice = told, at = now) =>
  findDueMails(facts, notice, at).mails.map(({ kind }) => kind);

describe("a mail about the plan", () => {
  test("welcomes a subscription, not one beside it, and not a grant", () => {
    expect(kinds(paying(), noNotice)).toEqual(["welcome"]);
    expect(kinds(paying())).toEqual([]);
    const second = { ...paid, started_at: now };
    expect(kinds({ ...paying(), payments: [paid, second] })).toEqual([]);
    expect(kinds({ ...paying(), payments: [second] })).toEqual(["welcome"]);
    expect(kinds(granted(now + 90 * day, now), noNotice)).toEqual([]);
  });

  test("reports a failed payment once, and the next one again", () => {
    const failed = paying({ status: "past_due", past_due_since: now - day });
    expect(kinds(failed)).toEqual(["failed"]);
    const { notice } = findDueMails(failed, told, now);
    expect(kinds(failed, notice)).toEqual([]);
    const later = now + 30 * day;
    expect(kinds(paying({ status: "past_due", past_due_since: later }), notice, later)).toEqual(["failed"]);
  });

  test("announces the end of a canceled subscription three days before, not on the last day", () => {
    const canceled = paying({ cancel_at: now });
    const before = (days: number) => kinds(canceled, told, now - days * day);
    expect([before(3.01), before(3), before(1), before(0.9)]).toEqual([[], ["ending"], ["ending"], []]);
    // The mail about a failed payment says when Premium ends.
    const failed = paying({ status: "past_due", past_due_since: now - 5 * day });
    expect(kinds(failed, { ...told, failedSince: now })).toEqual([]);
  });

  test("announces the end of a grant a week before, but not of one that is as short", () => {
    const before = (days: number, length: number) => kinds(granted(now, now - length * day), told, now - days * day);
    expect([before(7.01, 30), before(7, 30), before(1, 30), before(3, 7)]).toEqual([[], ["ending"], ["ending"], []]);
  });

  test("announces a new end again, and the same one once", () => {
    const first = findDueMails(paying({ cancel_at: now }), told, now - 3 * day);
    expect(kinds(paying({ cancel_at: now }), first.notice, now - 2 * day)).toEqual([]);
    expect(kinds(paying(), first.notice, now - 2 * day)).toEqual([]);
    expect(kinds(paying({ cancel_at: now + 30 * day }), first.notice, now + 28 * day)).toEqual(["ending"]);
  });

  test("says that Premium ended, whether the clock or Stripe ended it first", () => {
    const byClock = paying({ cancel_at: now });
    const byStripe: PlanFacts = {
      subscription: { plan: "free", ends_at: null },
      grant: undefined,
      payments: [{ ...paid, status: "canceled", cancel_at: now }],
    };
    for (const [first, second] of [
      [byClock, byStripe],
      [byStripe, byStripe],
      [byClock, byClock],
    ] as const) {
      const { mails, notice } = findDueMails(first, told, now);
      expect(mails.map(({ kind }) => kind)).toEqual(["ended"]);
      expect(kinds(second, notice, now + 1_000)).toEqual([]);
    }
  });

  test("doesn't say it again when a grant that ended earlier is the last source left", () => {
    const byClock = paying({ cancel_at: now });
    const { notice } = findDueMails(
      { ...byClock, grant: { ends_at: now - 3 * day, created_at: now - 90 * day } },
      told,
      now,
    );
    const left: PlanFacts = {
      ...granted(now - 3 * day, now - 90 * day),
      payments: [{ ...paid, status: "canceled", cancel_at: now }],
    };
    expect(kinds(left, notice, now + 1_000)).toEqual([]);
  });

  test("says nothing of what ended long ago, and nothing to who never had Premium", () => {
    expect(kinds(granted(now - 8 * day, now - 90 * day), noNotice)).toEqual([]);
    expect(kinds({ subscription: undefined, grant: undefined, payments: [] }, noNotice)).toEqual([]);
  });

  test("isn't true any more after a payment, a renewal or a new purchase", () => {
    const failed = paying({ status: "past_due", past_due_since: now - day });
    const canceled = paying({ cancel_at: now + 2 * day });
    expect(isStillTrue({ kind: "failed", at: now - day }, failed, now)).toBe(true);
    expect(isStillTrue({ kind: "failed", at: now - day }, paying(), now)).toBe(false);
    expect(isStillTrue({ kind: "failed", at: now - day }, failed, now + 7 * day)).toBe(false);
    expect(isStillTrue({ kind: "ending", at: now + 2 * day }, canceled, now)).toBe(true);
    expect(isStillTrue({ kind: "ending", at: now + 2 * day }, paying(), now)).toBe(false);
    expect(isStillTrue({ kind: "ended", at: now }, canceled, now + 2 * day)).toBe(true);
    expect(isStillTrue({ kind: "ended", at: now }, paying(), now)).toBe(false);
    expect(isStillTrue({ kind: "welcome", at: paid.started_at }, paying(), now)).toBe(true);
    expect(isStillTrue({ kind: "welcome", at: paid.started_at }, paying({ started_at: now }), now)).toBe(false);
  });
});
