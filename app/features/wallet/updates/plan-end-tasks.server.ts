import { z } from "zod";

import { scheduleGoogleUpdates } from "#app/features/wallet/google/google-pass-data.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { schedulePassUpdates } from "./update-data.server.ts";

export const planEndJob = "wallet-plan-end";

type Deps = Pick<Services, "jobs" | "clock">;

/** Schedules the job of the time at which the owner's plan ends by itself, which makes no event but changes their passes. */
export async function schedulePlanEnd({ jobs }: Deps, trx: Trx, ownerId: string): Promise<void> {
  const job = { kind: planEndJob, key: ownerId };
  // The end may have changed. Of two changes at the same time, the second sees the job of the first.
  await lockUser(trx, ownerId);
  await jobs.cancel(trx, job);
  const plan = await trx
    .selectFrom("subscription")
    .select("ends_at")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (plan?.ends_at) await jobs.schedule(trx, { ...job, payload: { ownerId }, runAt: plan.ends_at });
}

const payloadSchema = z.object({ ownerId: z.string() });

export async function updatePassesOfEndedPlan(services: Deps & Pick<Services, "db">, payload: unknown): Promise<void> {
  const which = payloadSchema.parse(payload);
  await transact(services.db, async (trx) => {
    await schedulePassUpdates(services, trx, which);
    await scheduleGoogleUpdates(services, trx, which);
  });
}
