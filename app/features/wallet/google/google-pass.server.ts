import { createHash } from "node:crypto";

import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { GooglePass } from "#app/services/http/google-wallet/google-wallet.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { genericClass, genericObject } from "./pass-json.ts";

/** Where visitors add a card to Google Wallet; undefined where that isn't configured. */
export function googleWalletUrl({ googleWallet }: Pick<Services, "googleWallet">, { cardUrl }: { cardUrl: string }) {
  return googleWallet && `${cardUrl}/google-wallet`;
}

/** The pass as Google should have it, with a hash of all that was sent. */
export function googlePass(content: PassContent, issuerId: string): GooglePass & { hash: string } {
  const { cardUrl, images, colors } = content;
  // Google loads images from public addresses only.
  const imageBase = cardUrl.startsWith("https:") ? `${cardUrl}/google-wallet` : undefined;
  const object = genericObject(content, { issuerId, imageBase, imageVersion: hashOf([images, colors]).slice(0, 12) });
  return { class: genericClass(issuerId), object, hash: hashOf(object) };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
