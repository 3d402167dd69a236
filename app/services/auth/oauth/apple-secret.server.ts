import { importPKCS8, SignJWT } from "jose";

import type { ProviderSettings } from "#app/services/config/settings.ts";

const daySeconds = 24 * 60 * 60;
/** Apple accepts at most six months. */
const validSeconds = 30 * daySeconds;
const renewBeforeSeconds = daySeconds;

/**
 * Returns a function for Apple's client secret: a token that we sign with the operator's key. It is signed again a day before it expires.
 * https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export function createAppleSecret({
  clientId,
  teamId,
  keyId,
  privateKey,
}: Required<ProviderSettings>["apple"]): () => Promise<string> {
  let current: { secret: string; expiresAt: number } | undefined;
  return async () => {
    const now = Math.floor(Date.now() / 1000);
    if (current && current.expiresAt - renewBeforeSeconds > now) return current.secret;
    const expiresAt = now + validSeconds;
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: keyId })
      .setIssuer(teamId)
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .setAudience("https://appleid.apple.com")
      .setSubject(clientId)
      .sign(await importPKCS8(privateKey, "ES256"));
    current = { secret, expiresAt };
    return secret;
  };
}
