import { z } from "zod";

import { contentHash } from "#app/features/wallet/apple/pass-file.server.ts";
import { issuePass } from "#app/features/wallet/data.server.ts";
import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";

import { pushToDevices } from "./push-tasks.server.ts";
import type { PushOutcome } from "./push-tasks.server.ts";
import { listPassesOnDevices, saveOutcome, updatedPasses } from "./update-data.server.ts";
import { deviceRetryDelay, giveUpAfterMs, pushProblemTexts, retryDelay } from "./update-rules.ts";

/** Its job repeats an update for devices that Apple took no more pushes for. Later updates don't wait for it. */
export const deviceUpdateJob = "wallet-device-update";

const payloadSchema = updatedPasses.extend({
  /** Tries so far that failed, and when the first did. */
  tries: z.number(),
  failingSince: z.number().optional(),
  /** For such devices: a pass that has changed after this time is left to the update of that change. */
  changedUntil: z.number().optional(),
});

/**
 * Makes passes current and notifies their devices. A pass that shows the same as before is left alone. What Apple can't take is tried again
 * at the times of `retryDelay`: a job that throws waits longer and longer.
 */
export async function updatePasses(services: Services, payload: unknown, job: RunningJob): Promise<void> {
  const { tries, failingSince = services.clock(), ...update } = payloadSchema.parse(payload);
  const { db, clock, live, applePasses, applePush } = services;
  const passes = await listPassesOnDevices(db, update);
  for (const { cardId, ownerId } of update.changedUntil === undefined ? passes : []) {
    const content = await loadIssuedContent(services, cardId);
    await issuePass(services, { cardId, ownerId, contentHash: contentHash(content) });
  }
  const cardIds = passes.map(({ cardId }) => cardId);
  if (cardIds.length === 0) return;
  const outcome: PushOutcome =
    applePush && findSigner(applePasses, clock())
      ? await pushToDevices({ ...services, applePush }, { cardIds, changedUntil: update.changedUntil })
      : { kind: "failed", accepted: 0, problem: "expired", retryAfterMs: undefined };
  const pushedAt = outcome.accepted > 0 ? clock() : undefined;
  await saveOutcome(db, {
    cardIds,
    pushedAt,
    error: outcome.kind === "failed" ? pushProblemTexts[outcome.problem] : "",
  });
  if (outcome.kind === "unfinished") await job.runAgain({ runAt: clock(), payload: { ...update, tries: 0 } });
  else await tryLater(services, { ...update, tries: tries + 1, failingSince }, { outcome, job });
  for (const { cardId, ownerId } of passes) live.publish(ownerId, { kind: "pass.updated", data: { cardId } });
}

type Ended = { outcome: Exclude<PushOutcome, { kind: "unfinished" }>; job: RunningJob };

/** Schedules the next try for devices that weren't notified, if there are any. */
async function tryLater(
  { db, clock, jobs, log }: Services,
  next: z.infer<typeof payloadSchema> & { failingSince: number },
  { outcome, job }: Ended,
) {
  const now = clock();
  if (outcome.kind === "done" && outcome.busy.devices === 0) return;
  if (now - next.failingSince > giveUpAfterMs)
    return log.error({ account: next.ownerId, outcome }, "devices were not notified of a changed pass");
  if (outcome.kind === "failed") {
    const { retryAfterMs } = outcome;
    return job.runAgain({ runAt: now + retryDelay({ ...next, retryAfterMs }), payload: next });
  }
  const { retryAfterMs } = outcome.busy;
  if (next.changedUntil !== undefined)
    return job.runAgain({ runAt: now + deviceRetryDelay({ ...next, retryAfterMs }), payload: next });
  const runAt = now + deviceRetryDelay({ tries: 1, retryAfterMs });
  const payload = { ...next, tries: 1, failingSince: now, changedUntil: now };
  return jobs.schedule(db, { kind: deviceUpdateJob, payload, runAt });
}
