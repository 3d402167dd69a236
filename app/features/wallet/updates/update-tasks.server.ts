import { z } from "zod";

import { contentHash } from "#app/features/wallet/apple/pass-file.server.ts";
import { issuePass } from "#app/features/wallet/data.server.ts";
import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";

import { scheduleDevices } from "./device-tasks.server.ts";
import { pushToDevices } from "./push-tasks.server.ts";
import type { PushOutcome } from "./push-tasks.server.ts";
import { listPassesOnDevices, saveOutcome, updatedPasses } from "./update-data.server.ts";
import { giveUpAfterMs, pushProblemTexts, retryDelay } from "./update-rules.ts";

const payloadSchema = updatedPasses.extend({
  /** Tries so far that failed, and when the first did. */
  tries: z.number(),
  failingSince: z.number().optional(),
});

/**
 * Makes passes current and notifies their devices. A pass that shows the same as before is left alone. What Apple can't take is tried again
 * at the times of `retryDelay`: a job that throws waits longer and longer.
 */
export async function updatePasses(services: Services, payload: unknown, job: RunningJob): Promise<void> {
  const { tries, failingSince = services.clock(), ...which } = payloadSchema.parse(payload);
  const { db, clock, log, live, applePasses, applePush } = services;
  const passes = await listPassesOnDevices(db, which);
  for (const { cardId, ownerId } of passes) {
    const content = await loadIssuedContent(services, cardId);
    await issuePass(services, { cardId, ownerId, contentHash: contentHash(content) });
  }
  const cardIds = passes.map(({ cardId }) => cardId);
  if (cardIds.length === 0) return;
  const outcome: PushOutcome =
    applePush && findSigner(applePasses, clock())
      ? await pushToDevices({ ...services, applePush }, { cardIds })
      : { kind: "failed", accepted: 0, problem: "expired", retryAfterMs: undefined };
  const pushedAt = outcome.accepted > 0 ? clock() : undefined;
  await saveOutcome(db, {
    cardIds,
    pushedAt,
    error: outcome.kind === "failed" ? pushProblemTexts[outcome.problem] : "",
  });
  if (outcome.kind === "unfinished") await job.runAgain({ runAt: clock(), payload: { ...which, tries: 0 } });
  if (outcome.kind === "done" && outcome.busy) await scheduleDevices(services, { cardIds }, outcome.busy);
  if (outcome.kind === "failed" && clock() - failingSince > giveUpAfterMs)
    log.error({ cardIds, problem: outcome.problem }, "devices weren't notified of a changed pass");
  else if (outcome.kind === "failed") {
    const runAt = clock() + retryDelay({ tries: tries + 1, retryAfterMs: outcome.retryAfterMs });
    await job.runAgain({ runAt, payload: { ...which, tries: tries + 1, failingSince } });
  }
  for (const { cardId, ownerId } of passes) live.publish(ownerId, { kind: "pass.updated", data: { cardId } });
}
