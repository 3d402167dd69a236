import { isAPIError } from "better-auth/api";
import { makeSignature } from "better-auth/crypto";

import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { sessionCookieName } from "#app/services/auth/better-auth.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import { endSession, findPasswordHash, lockUser } from "#app/services/auth/user-rows.server.ts";

/** The user who is signed in. */
export type Viewer = { id: string; email: string; name: string; isConfirmed: boolean };

export type Sessions = {
  /**
   * Finds the signed-in user. The response must set `cookies`: they extend a session that is older than a day, and delete the cookie of
   * an expired or unknown session.
   */
  findViewer(headers: Headers): Promise<{ viewer: Viewer | undefined; cookies: string[] }>;
  /** The token of the browser's session, to keep or replace it when the account's others end. */
  findSessionToken(headers: Headers): Promise<string | undefined>;
  signIn(form: SignInForm): Promise<SignInResult>;
  /** Ends the session on the server, not only in this browser. */
  signOut(headers: Headers): Promise<{ cookies: string[] }>;
};

export type SignInResult =
  | { kind: "signed-in"; cookies: string[] }
  /**
   * Unknown address, wrong password, or not confirmed yet. The three are indistinguishable, even by response time: otherwise an attacker could sign
   * up with someone's address, sign in with that password, and learn from the response whether the address had an account before.
   */
  | { kind: "refused" };

type SignInForm = {
  email: string;
  password: string;
  /** The request's headers: a session that this browser had before is ended. */
  headers: Headers;
};

type NewSession = { userId: string; hash: string; email: string; token: string };

/** Whether a request has a session cookie. Cheap enough for every request; `findViewer` checks whether the session is valid. */
export function hasSession(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${sessionCookieName}=`) ?? false;
}

export function createSessions({ auth, db }: { auth: BetterAuth; db: Db }): Sessions {
  async function findViewer(headers: Headers) {
    const cookie = headers.get("cookie") ?? undefined;
    if (!hasSession(cookie)) return { viewer: undefined, cookies: [] };
    const found = await findSession(await sessionCookieOnly(headers));
    if (!found?.response) return { viewer: undefined, cookies: [await clearingCookie()] };
    return { viewer: toViewer(found.response.user), cookies: sessionCookies(found.headers) };
  }

  async function findSessionToken(headers: Headers) {
    const found = await auth.api.getSession({
      headers: await sessionCookieOnly(headers),
      query: { disableRefresh: true },
    });
    return found?.session.token;
  }

  async function findSession(headers: Headers) {
    try {
      return await auth.api.getSession({ headers, returnHeaders: true });
    } catch (error) {
      // Another request ended the session while this one was about to extend it.
      if (isAPIError(error) && error.statusCode === 401) return undefined;
      // On a full disk the session can't be extended, but it stays valid until it expires.
      return auth.api.getSession({ headers, query: { disableRefresh: true }, returnHeaders: true });
    }
  }

  async function signIn({ email, password, headers }: SignInForm): Promise<SignInResult> {
    const before = await findPasswordHash(db, email);
    try {
      const signedIn = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true });
      const { token } = signedIn.response;
      if (!before || (await endIfChanged({ ...before, email, token }))) return { kind: "refused" };
      await signOut(headers);
      return { kind: "signed-in", cookies: sessionCookies(signedIn.headers) };
    } catch (error) {
      if (!isAPIError(error) || error.statusCode >= 500) throw error;
      return { kind: "refused" };
    }
  }

  /**
   * Ends the new session if the password was changed since it was checked: the change ended the sessions that it saw. Waits for a change that
   * is being made. Returns whether it did.
   */
  async function endIfChanged({ userId, hash, email, token }: NewSession): Promise<boolean> {
    return transact(db, async (trx) => {
      await lockUser(trx, userId);
      const now = await findPasswordHash(trx, email);
      if (now?.hash === hash) return false;
      await endSession(trx, token);
      return true;
    });
  }

  async function signOut(headers: Headers) {
    if (!hasSession(headers.get("cookie") ?? undefined)) return { cookies: [] };
    const cookie = await sessionCookieOnly(headers);
    const { headers: response } = await auth.api.signOut({ headers: cookie, returnHeaders: true });
    // better-auth only logs when it couldn't delete the session, for example because the connection to the database was lost.
    const isLeft = await auth.api.getSession({ headers: cookie, query: { disableRefresh: true } });
    if (isLeft) await auth.api.signOut({ headers: cookie });
    return { cookies: sessionCookies(response) };
  }

  /**
   * Leaves out the other headers, because better-auth stores some of them, and other cookies: it trims their names, so "\u00a0__Host-…", which
   * a sibling domain can set, would pass as ours.
   */
  async function sessionCookieOnly(headers: Headers) {
    const { name } = (await auth.$context).authCookies.sessionToken;
    const cookies = (headers.get("cookie") ?? "").split(/; ?/).filter((cookie) => cookie.startsWith(`${name}=`));
    return new Headers({ cookie: cookies.join("; ") });
  }

  async function clearingCookie() {
    const { name, attributes } = (await auth.$context).authCookies.sessionToken;
    return `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${attributes.secure ? "; Secure" : ""}`;
  }

  return { findViewer, findSessionToken, signIn, signOut };
}

/** The cookie of a session that better-auth didn't start itself. It lasts as long as a session after a sign-in. */
export async function createSessionCookie(auth: BetterAuth, token: string): Promise<string> {
  const { authCookies, secret, sessionConfig } = await auth.$context;
  const { name, attributes } = authCookies.sessionToken;
  const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`);
  const secure = attributes.secure ? "; Secure" : "";
  return `${name}=${value}; Max-Age=${sessionConfig.expiresIn}; Path=/; HttpOnly${secure}; SameSite=Lax`;
}

/** Leaves out the cookies of features that we don't use. */
function sessionCookies(headers: Headers | null | undefined): string[] {
  return headers?.getSetCookie().filter((cookie) => cookie.includes(`${sessionCookieName}=`)) ?? [];
}

function toViewer(user: { id: string; email: string; name: string; emailVerified: boolean }): Viewer {
  return { id: user.id, email: user.email, name: user.name, isConfirmed: user.emailVerified };
}
