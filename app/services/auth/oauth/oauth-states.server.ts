import { z } from "zod";

import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { insertVerification, takeVerificationByKey } from "#app/services/auth/user-rows.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";

const oauthState = z.object({
  provider: z.string(),
  /** PKCE (RFC 7636). */
  codeVerifier: z.string(),
  nonce: z.string(),
  browser: z.string(),
  /** The account to connect the provider's account to. Without one, its user signs in. */
  userId: z.string().optional(),
  /** The path to open afterwards. */
  returnTo: z.string().optional(),
});

export type OAuthState = z.infer<typeof oauthState>;

type BegunState = Pick<OAuthState, "codeVerifier" | "nonce"> & { state: string; cookies: string[] };

const cookieName = "meishi.oauth_state";
const tokenPattern = /^[\w-]{43}$/;
const validSeconds = 10 * 60;

/** Whether a request has the cookie of a sign-in that its browser began. Cheap; `take` checks its value. */
export function hasOAuthState(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${cookieName}=`) ?? false;
}

type StateDeps = Pick<AuthDeps, "db" | "engine" | "isSecure">;

/**
 * Stores a request to a provider until its callback, in better-auth's table of verifications. It belongs to one provider, and to the browser
 * with the cookie of a random token: otherwise a stranger could sign a visitor in to the stranger's account.
 */
export async function beginState(
  { db, engine, isSecure }: StateDeps,
  { headers, ...request }: Pick<OAuthState, "provider" | "userId" | "returnTo"> & { headers: Headers },
): Promise<BegunState> {
  // Tabs of one browser share the token, so that each can finish what it began.
  const token = readToken(headers, isSecure) ?? newToken(32);
  const [state, codeVerifier, nonce] = [newToken(32), newToken(32), newToken(32)];
  const value = JSON.stringify({ ...request, codeVerifier, nonce, browser: hashToken(token) } satisfies OAuthState);
  await insertVerification(db, { identifier: keyOf(state), value, validMs: validSeconds * 1000, engine });
  return {
    state,
    codeVerifier,
    nonce,
    cookies: [httpOnlyCookie(cookieName, token, { seconds: validSeconds, isSecure })],
  };
}

/** Uses up a state; undefined if this browser didn't begin it, and for one that was used or has expired. */
export async function takeState(
  { db, isSecure }: StateDeps,
  { state, provider, headers }: { state: string; provider: string; headers: Headers },
): Promise<OAuthState | undefined> {
  const token = readToken(headers, isSecure);
  if (token === undefined || !tokenPattern.test(state)) return undefined;
  const row = await takeVerificationByKey(db, keyOf(state));
  if (!row || row.expiresAt < Date.now()) return undefined;
  const stored = oauthState.parse(JSON.parse(row.value));
  return stored.browser === hashToken(token) && stored.provider === provider ? stored : undefined;
}

function readToken(headers: Headers, isSecure: boolean): string | undefined {
  const value = readHostCookie(headers, cookieName, isSecure);
  return value !== undefined && tokenPattern.test(value) ? value : undefined;
}

const keyOf = (state: string) => `oauth-state:${hashToken(state)}`;
