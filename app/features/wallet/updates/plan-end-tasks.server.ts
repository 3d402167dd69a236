import { z } from "zod";

import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { schedulePassUpdates } from "./update-data.server.ts";

export const planEndJob = "wallet-plan-end";

const hourMs = 60 * 60_000;
/** One of the processes does it. */
const sweep = { name: "ends of plans", max: 1, windowMs: 50 * 60_000, isExpected: true } as const;

/**
 * A plan that ends by itself makes no event, but its owner's passes change then. Schedules a job for each that ends before this runs again,
 * or that ended within the last day, because the site may have been down.
 */
export async function schedulePlanEnds({
  db,
  jobs,
  clock,
  rateLimits,
}: Pick<Services, "db" | "jobs" | "clock" | "rateLimits">): Promise<void> {
  if (await rateLimits.consume([{ limit: sweep, subject: "all" }])) return;
  const now = clock();
  const ends = await db
    .selectFrom("subscription")
    .select(["owner_id as ownerId", "ends_at as endsAt"])
    .where("ends_at", ">", now - 24 * hourMs)
    .where("ends_at", "<=", now + 1.5 * hourMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("wallet_pass")
          .innerJoin("wallet_registration", "wallet_registration.card_id", "wallet_pass.card_id")
          .select("wallet_pass.card_id")
          .whereRef("wallet_pass.owner_id", "=", "subscription.owner_id"),
      ),
    )
    .execute();
  for (const { ownerId, endsAt } of ends)
    await jobs.schedule(db, { kind: planEndJob, payload: { ownerId }, runAt: Math.max(now, endsAt ?? 0) });
}

const payloadSchema = z.object({ ownerId: z.string() });

export async function updatePassesOfEndedPlan(
  services: Pick<Services, "db" | "jobs" | "clock">,
  payload: unknown,
): Promise<void> {
  const { ownerId } = payloadSchema.parse(payload);
  await transact(services.db, (trx) => schedulePassUpdates(services, trx, { ownerId }));
}
