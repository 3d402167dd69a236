import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { GoogleWallet } from "#app/services/http/google-wallet/google-wallet.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

import { addGooglePass, scheduleGoogleUpdates } from "./google-pass-data.server.ts";
import { objectId } from "./pass-json.ts";
import { sendGooglePass } from "./update-tasks.server.ts";

/** Visitors of an event share a network, and Google already has the pass of most cards. */
const saveLimit: RateLimit = { name: "google-wallet", max: 120, windowMs: 10 * 60_000 };
/** Of requests to Google for one card, so that a card can't use up what Google allows the whole site. The job isn't limited. */
const cardLimit: RateLimit = { name: "google-wallet-card", max: 6, windowMs: 10 * 60_000, isExpected: true };
/** A visitor waits for it. */
const pageMs = 8_000;

type SaveLink = { kind: "link"; url: string } | { kind: "unavailable" | "too-many" };

/** Google's page that saves the pass of a public card, once Google has the pass. `address`: of the client. */
export async function prepareSaveLink(
  services: Services & { googleWallet: GoogleWallet },
  { cardId, ownerId, address }: { cardId: string; ownerId: string; address: string },
): Promise<SaveLink> {
  const { googleWallet, rateLimits, config } = services;
  if (await rateLimits.consume([{ limit: saveLimit, subject: networkOf(address) }])) return { kind: "too-many" };
  await addGooglePass(services, { cardId, ownerId });
  const result = await sendOnce(services, cardId);
  if (result.kind !== "saved") {
    await scheduleGoogleUpdates(services, services.db, { cardId });
    return { kind: "unavailable" };
  }
  const url = await googleWallet.saveLink(objectId(googleWallet.issuerId, cardId), config.baseUrl);
  return { kind: "link", url };
}

const sending = new WeakMap<GoogleWallet, Map<string, ReturnType<typeof sendGooglePass>>>();

/** Requests for one card at the same time wait for one. */
async function sendOnce(services: Services & { googleWallet: GoogleWallet }, cardId: string) {
  const { googleWallet, rateLimits } = services;
  const running = sending.get(googleWallet) ?? new Map<string, ReturnType<typeof sendGooglePass>>();
  sending.set(googleWallet, running);
  const found = running.get(cardId);
  if (found) return found;
  // Only the job sends what Google refused: it waits longer from try to try.
  const mayAsk = async (wasRefused: boolean) =>
    !wasRefused && !(await rateLimits.consume([{ limit: cardLimit, subject: cardId }]));
  const started = sendGooglePass(services, cardId, { timeoutMs: pageMs, mayAsk }).finally(() => running.delete(cardId));
  running.set(cardId, started);
  return started;
}

/** Whether the card's pass for Apple Wallet can be downloaded: other wallets on Android open it, too. */
export function isApplePassOffered({ applePasses, clock }: Pick<Services, "applePasses" | "clock">): boolean {
  return findSigner(applePasses, clock()) !== undefined;
}
