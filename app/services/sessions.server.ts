import { isAPIError } from "better-auth/api";

import type { BetterAuth } from "./better-auth.server.ts";
import type { Viewer } from "./context.ts";

export type Sessions = {
  /**
   * Who asks. `cookies` go with the answer: a session in its second day or later is made longer, one that is over or was
   * never ours is taken away.
   */
  findViewer(headers: Headers): Promise<{ viewer: Viewer | undefined; cookies: string[] }>;
  signIn(form: SignIn): Promise<SignInResult>;
  /** Ends the session for good, not only in this browser. */
  signOut(headers: Headers): Promise<{ cookies: string[] }>;
};

export type SignInResult =
  | { kind: "signed-in"; cookies: string[] }
  /**
   * Unknown address, wrong password, or not confirmed yet: not told apart, also not by the time it takes. Else somebody could sign an
   * address up, log in with the password they chose, and learn from the answer whether it had an account before.
   */
  | { kind: "refused" };

type SignIn = {
  email: string;
  password: string;
  /** Of the request: whose session was in this browser before is ended. */
  headers: Headers;
};

/** Whether a request has a session to look up. Cheap enough for every request; whether it is a good one, `findViewer` says. */
export function hasSession(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${COOKIE}=`) ?? false;
}

// On https the browser knows it with "__Secure-" before it.
const COOKIE = "meishi.session_token";

export function createSessions({ auth }: { auth: BetterAuth }): Sessions {
  async function findViewer(headers: Headers) {
    const cookie = headers.get("cookie") ?? undefined;
    if (!hasSession(cookie)) return { viewer: undefined, cookies: [] };
    const found = await findSession(cookieOnly(headers));
    if (!found?.response) return { viewer: undefined, cookies: [await clearingCookie()] };
    return { viewer: toViewer(found.response.user), cookies: sessionCookies(found.headers) };
  }

  async function findSession(headers: Headers) {
    try {
      return await auth.api.getSession({ headers, returnHeaders: true });
    } catch (error) {
      // The session was ended by another request while this one was about to make it longer.
      if (isAPIError(error) && error.statusCode === 401) return undefined;
      // Without room on the disk it can't be made longer, but it holds as long as it did.
      return auth.api.getSession({ headers, query: { disableRefresh: true }, returnHeaders: true });
    }
  }

  async function signIn({ email, password, headers }: SignIn): Promise<SignInResult> {
    try {
      const signedIn = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true });
      await signOut(headers);
      return { kind: "signed-in", cookies: sessionCookies(signedIn.headers) };
    } catch (error) {
      if (!isAPIError(error) || error.statusCode >= 500) throw error;
      return { kind: "refused" };
    }
  }

  async function signOut(headers: Headers) {
    if (!hasSession(headers.get("cookie") ?? undefined)) return { cookies: [] };
    const { headers: answer } = await auth.api.signOut({ headers: cookieOnly(headers), returnHeaders: true });
    return { cookies: sessionCookies(answer) };
  }

  async function clearingCookie() {
    const { name, attributes } = (await auth.$context).authCookies.sessionToken;
    return `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${attributes.secure ? "; Secure" : ""}`;
  }

  return { findViewer, signIn, signOut };
}

/** better-auth would store what else a browser says of itself. */
function cookieOnly(headers: Headers) {
  return new Headers({ cookie: headers.get("cookie") ?? "" });
}

/** It also clears cookies of features that are not on. */
function sessionCookies(headers: Headers | null | undefined): string[] {
  return headers?.getSetCookie().filter((cookie) => cookie.includes(`${COOKIE}=`)) ?? [];
}

function toViewer(user: { id: string; email: string; name: string; emailVerified: boolean }): Viewer {
  return { id: user.id, email: user.email, name: user.name, isConfirmed: user.emailVerified };
}
