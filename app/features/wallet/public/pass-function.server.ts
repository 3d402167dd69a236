import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";
import type { FunctionResult, PublicFunctionCall } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";

import { loadApplePass } from "#app/features/wallet/apple/pass-file.server.ts";
import { passDefinition } from "#app/features/wallet/apple/pass-json.ts";
import { googleWalletUrl } from "#app/features/wallet/google/google-pass-data.server.ts";
import { walletMessages } from "#app/features/wallet/messages.ts";
import { loadPassContent } from "#app/features/wallet/pass-content.server.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";

/** The specification's limit for a pass. */
const maxMs = 30_000;

/**
 * `GET /functions/v1/generate-wallet-pass?cardId=` (document 2, section 7): makes the pass of a card and returns its address, which stays
 * the same. A card that visitors can't open is unknown to everyone.
 */
export async function generateWalletPass(
  services: Services,
  { user, query, address }: PublicFunctionCall,
): Promise<FunctionResult> {
  const loaded = await findFirstCard(services, { id: query.get("cardId") ?? "" });
  if (!loaded) return respond(404, { error: walletMessages.cardNotFound });
  const { ownerId, card } = loaded;
  const content = await loadPassContent(services, loaded);
  const androidUrl = googleWalletUrl(services, card) ?? null;
  if (!findSigner(services.applePasses, services.clock()))
    return androidUrl === null
      ? respondUnset(content, { isOwner: user?.id === ownerId })
      : respond(200, { success: true, androidUrl });
  try {
    const pass = await withTimeout(maxMs, makePass(services, { content, ownerId, requestedBy: address }));
    if (pass === "busy") return respond(503, { error: walletMessages.busy });
    return respond(200, { success: true, passUrl: `${card.cardUrl}/pass.pkpass`, androidUrl });
  } catch (error) {
    logFailure(services.log, error, "a wallet pass could not be made");
    const isTooLate = error instanceof Error && error.message.startsWith("no response within");
    return isTooLate
      ? respond(504, { error: walletMessages.timedOut })
      : respond(500, { error: walletMessages.failed });
  }
}

type PassRequest = Parameters<typeof loadApplePass>[1];

async function makePass(services: Services, request: PassRequest) {
  const pass = await loadApplePass(services, request);
  return pass?.read();
}

/** Where passes aren't configured: what the owner can make one of, and for others what is missing. */
function respondUnset(content: PassContent, { isOwner }: { isOwner: boolean }): FunctionResult {
  if (!isOwner)
    return respond(404, { error: walletMessages.templateRequired.title, instructions: walletMessages.setUp });
  return respond(200, {
    error: walletMessages.fallback.text,
    fallback: { passJson: passDefinition(content), instructions: walletMessages.setUp },
  });
}

type PassResult = {
  success: boolean;
  passUrl: string | null;
  /** Of Google Wallet; without one, Android gets the address above. */
  androidUrl: string | null;
  fallback: { passJson: object; instructions: string } | null;
  error: string | null;
  instructions: string | null;
};

/** All fields of the specification; those without a value are null. */
function respond(status: 200 | 404 | 500 | 503 | 504, result: Partial<PassResult>): FunctionResult {
  const none: PassResult = {
    success: false,
    passUrl: null,
    androidUrl: null,
    fallback: null,
    error: null,
    instructions: null,
  };
  return { status, body: { ...none, ...result } };
}
