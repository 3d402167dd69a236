import { SignJWT } from "jose";
import { z } from "zod";

import type { GoogleWalletAccount } from "#app/services/config/google-wallet-account.server.ts";

import { readResponse } from "./google-request.server.ts";
import type { GoogleFailure } from "./google-request.server.ts";

export type AccessTokens = {
  /** The current token, or a new one. Requests at the same time wait for one. */
  get: (signal: AbortSignal) => Promise<{ kind: "ok"; token: string } | GoogleFailure>;
  /** Forgets a token that Google refused. */
  drop: () => void;
};

const scope = "https://www.googleapis.com/auth/wallet_object.issuer";
const tokenAudience = "https://oauth2.googleapis.com/token";
/** Google allows at most an hour. */
const assertionSeconds = 3600;
/** A token isn't used in its last five minutes. */
const reserveMs = 5 * 60_000;

const responseSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/**
 * Exchanges a signed JWT of the service account for an access token.
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest (RFC 7523)
 */
export function createAccessTokens(account: GoogleWalletAccount, clock: () => number): AccessTokens {
  let current: { token: string; until: number } | undefined;
  let pending: ReturnType<AccessTokens["get"]> | undefined;
  const url = account.apiUrl === undefined ? tokenAudience : `${account.apiUrl}/token`;

  async function request(signal: AbortSignal): ReturnType<AccessTokens["get"]> {
    const assertion = await signAssertion(account, clock());
    const result = await readResponse(url, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }),
      signal,
    });
    if (result.kind !== "response") return result;
    const { data } = responseSchema.safeParse(result.body);
    if (result.status === 200 && data) {
      current = { token: data.access_token, until: clock() + data.expires_in * 1000 - reserveMs };
      return { kind: "ok", token: data.access_token };
    }
    return { kind: "unauthorized", reason: `no access token: ${result.status} ${result.reason}` };
  }

  return {
    async get(signal) {
      if (current && clock() < current.until) return { kind: "ok", token: current.token };
      pending ??= request(signal).finally(() => (pending = undefined));
      return pending;
    },
    drop: () => (current = undefined),
  };
}

async function signAssertion({ clientEmail, key, keyId }: GoogleWalletAccount, now: number): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenAudience)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + assertionSeconds)
    .sign(key);
}
