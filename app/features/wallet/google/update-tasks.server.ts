import { z } from "zod";

import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { GoogleFailure } from "#app/services/http/google-wallet/google-request.server.ts";
import type { GoogleWallet } from "#app/services/http/google-wallet/google-wallet.server.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";
import { pageEventKinds } from "#app/services/events/event.ts";
import type { Subscriber } from "#app/services/features/feature.ts";

import {
  confirmSent,
  findSentHash,
  googlePass,
  refusedMark,
  retireGooglePasses,
  saveError,
  saveSent,
  scheduleGoogleUpdates,
} from "./google-pass-data.server.ts";

type SendServices = Services & { googleWallet: GoogleWallet };

/** `mayAsk`: whether Google may be asked now; `wasRefused` says that it refused the same content before. */
type SendOptions = { timeoutMs: number; mayAsk?: (wasRefused: boolean) => Promise<boolean> };

/**
 * Makes the pass at Google what the card shows now; does nothing when Google has that already. The row of the pass must exist: a change
 * of the card after this read it then starts another update.
 */
export async function sendGooglePass(
  services: SendServices,
  cardId: string,
  { timeoutMs, mayAsk }: SendOptions,
): Promise<{ kind: "saved" } | GoogleFailure> {
  const { db, clock, googleWallet } = services;
  const now = clock();
  const load = async () => googlePass(await loadIssuedContent(services, cardId), googleWallet.issuerId);
  const { hash, ...pass } = await load();
  const before = (await findSentHash(db, cardId)) ?? "";
  if (before === hash) return { kind: "saved" };
  const refused = refusedMark(hash);
  if (mayAsk && !(await mayAsk(before === refused))) return { kind: "unavailable", reason: "not asked" };
  const result = await googleWallet.save(pass, timeoutMs);
  if (result.kind !== "saved") {
    const sentHash = result.kind === "refused" ? refused : "";
    await saveError(db, [cardId], { error: googleProblemTexts[result.kind], sentHash });
    return result;
  }
  const isAlone = await saveSent(db, { cardId, hash, before, now });
  if (!isAlone || (await load()).hash !== hash) await scheduleGoogleUpdates(services, db, { cardId });
  return result;
}

const payloadSchema = z.object({
  cardId: z.string(),
  /** Tries so far that failed. */
  tries: z.number(),
});

/** The job's lease is two minutes. */
const passMs = 15_000;

/**
 * Sends a changed pass to Google. What fails is tried again, at last every hour, until Google has it. The same while Google Wallet isn't
 * configured.
 */
export async function updateGooglePass(services: Services, payload: unknown, job: RunningJob): Promise<void> {
  const { cardId, tries } = payloadSchema.parse(payload);
  const { db, clock, googleWallet } = services;
  if ((await findSentHash(db, cardId)) === undefined) return;
  const now = clock();
  if (!googleWallet) return job.runAgain({ runAt: now + longestMs, payload: { cardId, tries } });
  const result = await sendGooglePass({ ...services, googleWallet }, cardId, { timeoutMs: passMs });
  if (result.kind === "saved") return confirmSent(db, cardId, now);
  const runAt = clock() + retryDelay(tries + 1, result.retryAfterMs);
  return job.runAgain({ runAt, payload: { cardId, tries: tries + 1 } });
}

/** For the owner of a card. The operator finds the reason in the log. */
const googleProblemTexts = {
  unavailable: "Google Wallet can’t be reached. We keep trying.",
  unauthorized: "Google Wallet doesn’t accept this site. Its operator has to check the settings.",
  refused: "Google Wallet doesn’t accept this pass. The site’s operator finds the reason in the log.",
} as const;

/** How long to wait before the next try, in milliseconds: 15 s, 30 s … an hour, or as long as Google asks. `tries` counts from 1. */
function retryDelay(tries: number, retryAfterMs: number | undefined): number {
  const own = Math.min(leastMs * 2 ** Math.min(tries - 1, 20), longestMs);
  return Math.min(Math.max(own, retryAfterMs ?? 0), longestMs);
}

const leastMs = 15_000;
const longestMs = 60 * 60_000;

/** Sends a pass to Google again after everything that may change what it shows. */
export const googleSubscriber: Subscriber = {
  name: "passes in Google Wallet",
  kinds: pageEventKinds,
  once: async (services, event, trx) => {
    const which = "cardId" in event ? { cardId: event.cardId } : { ownerId: event.ownerId };
    await scheduleGoogleUpdates(services, trx, which);
    if (event.kind === "card.deleted" || event.kind === "account.deleted")
      await retireGooglePasses(trx, which, services.clock());
  },
};
