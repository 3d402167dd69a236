import { createHash, randomBytes, randomUUID } from "node:crypto";

import { sql } from "kysely";
import { z } from "zod";

import { timeValue } from "#app/services/auth/user-rows.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

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

export type OAuthStates = {
  /** Stores a request to a provider, for this browser. */
  begin(request: Pick<OAuthState, "provider" | "userId" | "returnTo"> & { headers: Headers }): Promise<BegunState>;
  /** Uses up a state; undefined if this browser didn't begin it, and for one that was used or has expired. */
  take(callback: { state: string; provider: string; headers: Headers }): Promise<OAuthState | undefined>;
};

type BegunState = Pick<OAuthState, "codeVerifier" | "nonce"> & { state: string; cookies: string[] };

const cookieName = "meishi.oauth_state";
const tokenPattern = /^[\w-]{43}$/;
const validSeconds = 10 * 60;

/** Whether a request has the cookie of a sign-in that its browser began. Cheap; `take` checks its value. */
export function hasOAuthState(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${cookieName}=`) ?? false;
}

/**
 * The requests to providers that wait for their callback, in better-auth's table of verifications. Each belongs to one provider, and to the
 * browser with the cookie of a random token: otherwise a stranger could sign a visitor in to the stranger's account.
 */
export function createOAuthStates({ db, engine, isSecure }: OAuthStatesDeps): OAuthStates {
  const name = hostCookieName(cookieName, isSecure);

  function readToken(headers: Headers): string | undefined {
    const cookies = (headers.get("cookie") ?? "").split(/; ?/);
    const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    return value !== undefined && tokenPattern.test(value) ? value : undefined;
  }

  return {
    begin: async ({ headers, ...request }) => {
      // Tabs of one browser share the token, so that each can finish what it began.
      const token = readToken(headers) ?? newToken();
      const [state, codeVerifier, nonce] = [newToken(), newToken(), newToken()];
      const value = JSON.stringify({ ...request, codeVerifier, nonce, browser: hashToken(token) } satisfies OAuthState);
      const time = (ms: number) => timeValue(engine, Date.now() + ms);
      await sql`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
        values (${randomUUID()}, ${keyOf(state)}, ${value}, ${time(validSeconds * 1000)}, ${time(0)}, ${time(0)})`.execute(
        db,
      );
      const cookie = `${name}=${token}; HttpOnly; ${hostCookieAttributes(validSeconds, isSecure)}`;
      return { state, codeVerifier, nonce, cookies: [cookie] };
    },
    take: async ({ state, provider, headers }) => {
      const token = readToken(headers);
      if (token === undefined || !tokenPattern.test(state)) return undefined;
      const { rows } = await sql<{ value: string; expiresAt: string | Date }>`delete from "verification"
        where "identifier" = ${keyOf(state)} returning "value", "expiresAt"`.execute(db);
      const [row] = rows;
      if (!row || new Date(row.expiresAt).getTime() < Date.now()) return undefined;
      const stored = oauthState.parse(JSON.parse(row.value));
      return stored.browser === hashToken(token) && stored.provider === provider ? stored : undefined;
    },
  };
}

type OAuthStatesDeps = { db: Db; engine: Engine; isSecure: boolean };

const keyOf = (state: string) => `oauth-state:${hashToken(state)}`;

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}
