import { z } from "zod";

import { contentHash } from "#app/features/wallet/apple/pass-file.server.ts";
import { issuePass } from "#app/features/wallet/data.server.ts";
import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { scheduleDevices } from "./device-tasks.server.ts";
import { pushToDevices } from "./push-tasks.server.ts";
import type { FailedPush, PushOutcome } from "./push-tasks.server.ts";
import { passUpdateJob } from "./schedule-data.server.ts";
import { postponeUpdate, saveOutcome, takePasses } from "./update-data.server.ts";
import { giveUpAfterMs, pushProblemTexts, retryDelay } from "./update-rules.ts";

const payloadSchema = z.object({
  cardIds: z.array(z.string()),
  /** Tries so far that failed, and when the first did. */
  tries: z.number().catch(0),
  failingSince: z.number().optional(),
});

type Payload = z.infer<typeof payloadSchema>;

/** Makes passes current and notifies their devices. A pass that shows the same as before is left alone. */
export async function updatePasses(services: Services, payload: unknown): Promise<void> {
  const update = payloadSchema.parse(payload);
  const { db, clock, applePasses } = services;
  const passes = await takePasses(db, update.cardIds);
  for (const { cardId, ownerId } of passes) {
    const content = await loadIssuedContent(services, cardId);
    await issuePass(services, { cardId, ownerId, contentHash: contentHash(content) });
  }
  const cardIds = passes.map(({ cardId }) => cardId);
  if (cardIds.length === 0) return;
  const { applePush } = services;
  const outcome: PushOutcome =
    applePush && findSigner(applePasses, clock())
      ? await pushToDevices({ ...services, applePush }, { cardIds })
      : { kind: "failed", accepted: 0, problem: "expired", retryAfterMs: undefined };
  await finish(services, { ...update, cardIds }, outcome);
  for (const { cardId, ownerId } of passes) services.live.publish(ownerId, { kind: "pass.updated", data: { cardId } });
}

async function finish(services: Services, update: Payload, outcome: PushOutcome) {
  const { db, clock } = services;
  const { cardIds } = update;
  const pushedAt = outcome.accepted > 0 ? clock() : undefined;
  const error = outcome.kind === "failed" ? pushProblemTexts[outcome.problem] : "";
  await saveOutcome(db, { cardIds, pushedAt, error });
  if (outcome.kind === "unfinished") await goOn(services, { ...update, tries: 0, failingSince: undefined }, clock());
  if (outcome.kind === "failed") await tryLater(services, update, outcome);
  if (outcome.kind === "done" && outcome.busy) await scheduleDevices(services, { cardIds }, outcome.busy);
}

async function tryLater(services: Services, update: Payload, outcome: FailedPush) {
  const { clock, log } = services;
  const { cardIds, tries, failingSince = clock() } = update;
  if (clock() - failingSince > giveUpAfterMs) {
    log.error({ cardIds, problem: outcome.problem }, "devices weren't notified of a changed pass");
    return;
  }
  const delay = retryDelay({ tries: tries + 1, retryAfterMs: outcome.retryAfterMs });
  await goOn(services, { ...update, tries: tries + 1, failingSince }, clock() + delay);
}

/** Continues in another job, because a job that fails is retried at longer and longer intervals. */
async function goOn({ db, jobs }: Services, update: Payload, runAt: number) {
  await transact(db, async (trx) => {
    const cardIds = await postponeUpdate(trx, { cardIds: update.cardIds, runAt });
    if (cardIds.length > 0) await jobs.schedule(trx, { kind: passUpdateJob, payload: { ...update, cardIds }, runAt });
  });
}
