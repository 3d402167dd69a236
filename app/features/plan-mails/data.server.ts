import { readPlanSources, saveEntitlement } from "#app/features/billing/data.server.ts";
import { isPlanId } from "#app/features/billing/rules.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { endsToLookAt, findDueMails, noNotice } from "./rules.ts";
import type { PlanFacts, PlanNotice } from "./rules.ts";

export const planMailJob = "plan-mail";

type ReviewDeps = Pick<Services, "jobs" | "clock" | "config">;

/**
 * Adds a job for each mail about the plan that an owner should get and hasn't got. What was mailed is stored in the same transaction, so that
 * each is sent once, whatever causes the review and however often.
 */
export async function reviewPlan(trx: Trx, { jobs, clock, config }: ReviewDeps, ownerId: string): Promise<void> {
  if (config.premium === "everyone") return;
  // Reviews of one owner wait for each other. An account that was deleted gets no mail.
  if (!(await lockUser(trx, ownerId))) return;
  const before = await findNotice(trx, ownerId);
  const { mails, notice } = findDueMails(await readPlanFacts(trx, ownerId), before, clock());
  for (const mail of mails) await jobs.enqueue(trx, planMailJob, { ownerId, ...mail });
  await saveNotice(trx, ownerId, notice);
}

/** Reviews the owners whose plan ends soon or has just ended, which no change reports. A lower plan that goes on takes its place. */
export async function reviewEnds(services: ReviewDeps & Pick<Services, "db" | "events">): Promise<void> {
  const { db, events, clock, config } = services;
  if (config.premium === "everyone") return;
  const now = clock();
  const { from, until } = endsToLookAt(now);
  const rows = await db
    .selectFrom("subscription")
    .leftJoin("plan_notice", "plan_notice.owner_id", "subscription.owner_id")
    .select("subscription.owner_id")
    .where("subscription.plan", "<>", "free")
    .where("ends_at", ">", from)
    .where("ends_at", "<=", until)
    .where((row) =>
      row.or([
        row("plan_notice.owner_id", "is", null),
        row.and([row("ends_at", ">", now), row("ending_at", "<>", row.ref("ends_at"))]),
        row.and([row("ends_at", "<=", now), row("ended_at", "<>", row.ref("ends_at"))]),
      ]),
    )
    .execute();
  for (const { owner_id } of rows)
    await transact(db, async (trx) => {
      if (await lockUser(trx, owner_id)) await saveEntitlement(trx, { events, now }, owner_id);
      await reviewPlan(trx, services, owner_id);
    });
}

/** For a transaction that ends a plan and mails the owner: no other mail says that it ended. */
export async function markEndAsMailed(trx: Trx, ownerId: string): Promise<void> {
  await trx.updateTable("plan_notice").set({ plan: "free" }).where("owner_id", "=", ownerId).execute();
}

export async function readPlanFacts(db: Db | Trx, ownerId: string): Promise<PlanFacts> {
  const subscription = await db
    .selectFrom("subscription")
    .select(["plan", "ends_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return { subscription, ...(await readPlanSources(db, ownerId)) };
}

async function findNotice(trx: Trx, ownerId: string): Promise<PlanNotice> {
  const row = await trx.selectFrom("plan_notice").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
  if (!row) return noNotice;
  return {
    plan: isPlanId(row.plan) ? row.plan : "free",
    welcomedUntil: row.welcomed_until,
    failedSince: row.failed_since,
    endingAt: row.ending_at,
    endedAt: row.ended_at,
  };
}

async function saveNotice(trx: Trx, ownerId: string, notice: PlanNotice): Promise<void> {
  const row = {
    plan: notice.plan,
    welcomed_until: notice.welcomedUntil,
    failed_since: notice.failedSince,
    ending_at: notice.endingAt,
    ended_at: notice.endedAt,
  };
  await trx
    .insertInto("plan_notice")
    .values({ owner_id: ownerId, ...row })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(row))
    .execute();
}
