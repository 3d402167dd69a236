import { z } from "zod";

import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { pushToDevices } from "./push-tasks.server.ts";
import type { BusyDevices, PushOutcome } from "./push-tasks.server.ts";
import { saveOutcome } from "./update-data.server.ts";
import { deviceRetryDelay, giveUpAfterMs } from "./update-rules.ts";

export const deviceUpdateJob = "wallet-device-update";

const payloadSchema = z.object({
  cardIds: z.array(z.string()),
  deviceIds: z.array(z.string()),
  /** Tries so far that failed, and when the first did. */
  tries: z.number(),
  failingSince: z.number(),
});

/**
 * Notifies devices that Apple took no more pushes for. Other devices and later updates of these passes don't wait for it. A pass that
 * has changed since is left to the update of that change.
 */
export async function updateDevices(services: Services, payload: unknown): Promise<void> {
  const { cardIds, deviceIds, ...before } = payloadSchema.parse(payload);
  const { clock, applePush, applePasses } = services;
  const only = { deviceIds, changedUntil: before.failingSince };
  const outcome: PushOutcome =
    applePush && findSigner(applePasses, clock())
      ? await pushToDevices({ ...services, applePush }, { cardIds, only })
      : { kind: "unfinished", accepted: 0 };
  if (outcome.accepted > 0) await saveOutcome(services.db, { cardIds, pushedAt: clock(), error: undefined });
  if (outcome.kind === "done" && !outcome.busy) return;
  const retryAfterMs = outcome.kind === "failed" ? outcome.retryAfterMs : undefined;
  const left = (outcome.kind === "done" && outcome.busy) || { deviceIds, retryAfterMs };
  await scheduleDevices(services, { cardIds, ...before }, left);
}

type Try = { cardIds: readonly string[]; tries?: number; failingSince?: number };

/** Schedules another try for these devices only. */
export async function scheduleDevices(
  { db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">,
  { cardIds, tries = 0, failingSince = clock() }: Try,
  { deviceIds, retryAfterMs }: BusyDevices,
): Promise<void> {
  if (clock() - failingSince > giveUpAfterMs) return;
  const runAt = clock() + deviceRetryDelay({ tries: tries + 1, retryAfterMs });
  for (let at = 0; at < deviceIds.length; at += devicesPerJob) {
    const some = deviceIds.slice(at, at + devicesPerJob);
    const payload = { cardIds, deviceIds: some, tries: tries + 1, failingSince };
    await jobs.schedule(db, { kind: deviceUpdateJob, payload, runAt });
  }
}

const devicesPerJob = 500;
