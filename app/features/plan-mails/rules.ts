import { graceMs } from "#app/features/billing/entitlement.ts";
import type { PaidSubscription } from "#app/features/billing/entitlement.ts";
import { activePlan, isPaid, isPlanId } from "#app/features/billing/rules.ts";
import type { PlanId, Subscription } from "#app/features/billing/rules.ts";

/** Times are epoch milliseconds. */
const dayMs = 24 * 60 * 60 * 1000;

/** What an owner was told about their plan. A time of 0: nothing yet. */
export type PlanNotice = {
  plan: PlanId;
  /** The start of the newest subscription that was welcomed. */
  welcomedUntil: number;
  failedSince: number;
  endingAt: number;
  endedAt: number;
};

export const noNotice: PlanNotice = { plan: "free", welcomedUntil: 0, failedSince: 0, endingAt: 0, endedAt: 0 };

/** What the mails depend on. */
export type PlanFacts = {
  subscription: Subscription | undefined;
  grant: { ends_at: number | null; created_at: number } | undefined;
  payments: readonly Payment[];
};

export type Payment = PaidSubscription & {
  started_at: number;
  period: string;
  current_period_end: number;
  ended_at: number | null;
};

/**
 * A mail, its plan, and its occasion: the start of the subscription, the failed payment, or the end of the plan (0: it ended before its time).
 * The same occasion has the same time, however often it is found.
 */
export type DueMail = { kind: "welcome" | "failed" | "ending" | "ended"; at: number; plan: PlanId };

/** The mails that an owner should get now, and what they were told when these are sent. */
export function findDueMails(
  facts: PlanFacts,
  notice: PlanNotice,
  now: number,
): { mails: DueMail[]; notice: PlanNotice } {
  const plan = paidPlanAt(facts, now);
  if (plan === undefined) return findEndedMail(facts, notice, now);
  const started = findStart(facts, notice);
  const failed = findFailure(facts);
  const ending = findEnding(facts, now);
  const mails: DueMail[] = [];
  if (started.isNew) mails.push({ kind: "welcome", at: started.at, plan });
  if (failed > notice.failedSince) mails.push({ kind: "failed", at: failed, plan });
  if (ending !== undefined && ending !== notice.endingAt) mails.push({ kind: "ending", at: ending, plan });
  return {
    mails,
    notice: {
      ...notice,
      plan,
      welcomedUntil: started.at,
      failedSince: Math.max(failed, notice.failedSince),
      endingAt: ending ?? notice.endingAt,
    },
  };
}

/** Whether a mail is still true when it is about to be sent. */
export function isStillTrue({ kind, at }: Pick<DueMail, "kind" | "at">, facts: PlanFacts, now: number): boolean {
  const isOver = paidPlanAt(facts, now) === undefined;
  if (kind === "ended" || isOver) return kind === "ended" && isOver;
  if (kind === "welcome") return facts.payments.some((one) => isCurrent(one) && one.started_at === at);
  return at === (kind === "failed" ? findFailure(facts) : findEnding(facts, now));
}

function paidPlanAt({ subscription }: PlanFacts, now: number): PlanId | undefined {
  const plan = activePlan(subscription, { now, premium: "sold" });
  return isPaid(plan) ? plan.id : undefined;
}

function isCurrent({ status }: Payment): boolean {
  return status === "active" || status === "trialing";
}

/** A second subscription beside one that was welcomed isn't new to its owner. */
function findStart({ payments }: PlanFacts, { welcomedUntil }: PlanNotice): { at: number; isNew: boolean } {
  const starts = payments.filter(isCurrent).map(({ started_at }) => started_at);
  return {
    at: Math.max(welcomedUntil, ...starts),
    isNew: starts.length > 0 && starts.every((start) => start > welcomedUntil),
  };
}

/** The first payment that failed, of a subscription that still gives a plan; 0 without one. */
function findFailure({ payments, subscription }: PlanFacts): number {
  const failures = payments.flatMap(({ status, past_due_since: since, cancel_at }) =>
    status === "past_due" &&
    since !== null &&
    subscription?.ends_at === Math.min(since + graceMs, cancel_at ?? Infinity)
      ? [since]
      : [],
  );
  return Math.max(0, ...failures);
}

/** Until the last day: after that, the mail about the end is enough. */
const lastDayMs = dayMs;
const canceledNoticeMs = 3 * dayMs;
/** The owner of a grant may have forgotten its end, and has to decide whether to pay. */
const grantNoticeMs = 7 * dayMs;

/** When the plan ends, if the owner should be told now. Not after a failed payment, whose mail says when it ends. */
function findEnding({ subscription, grant, payments }: PlanFacts, now: number): number | undefined {
  const end = subscription?.ends_at ?? null;
  if (end === null || end - now < lastDayMs) return undefined;
  const isCanceled = payments.some((one) => isCurrent(one) && one.cancel_at === end);
  if (isCanceled) return end - now <= canceledNoticeMs ? end : undefined;
  if (grant?.ends_at !== end) return undefined;
  // The mail about a grant names its end: one that is shorter than this needs no other.
  const isKnown = end - grant.created_at <= grantNoticeMs;
  return !isKnown && end - now <= grantNoticeMs ? end : undefined;
}

/** What ended longer ago isn't mailed any more, for example before the release that mails it. */
const lateMs = 7 * dayMs;

function findEndedMail({ subscription }: PlanFacts, notice: PlanNotice, now: number) {
  const plan = subscription && isPlanId(subscription.plan) ? subscription.plan : "free";
  const endedAt = plan === "free" ? null : (subscription?.ends_at ?? null);
  // After a mail about the end, an earlier end may appear: that of a grant, once Stripe has ended the subscription.
  const isEarlier = endedAt === null || endedAt <= notice.endedAt;
  const isMailed = (notice.plan === "free" && isEarlier) || notice.endedAt === endedAt;
  const isLate = endedAt !== null && endedAt < now - lateMs;
  const mails: DueMail[] =
    isMailed || isLate ? [] : [{ kind: "ended", at: endedAt ?? 0, plan: plan === "free" ? notice.plan : plan }];
  return { mails, notice: { ...notice, plan: "free" as const, endedAt: endedAt ?? notice.endedAt } };
}

/** The ends of plans that may need a mail at `now`. */
export function endsToLookAt(now: number): { from: number; until: number } {
  return { from: now - lateMs, until: now + grantNoticeMs };
}
