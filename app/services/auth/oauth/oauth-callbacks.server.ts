import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import { endSession, readSessionToken } from "#app/services/auth/sessions/session-rows.server.ts";
import type { SignInMethod } from "#app/services/auth/sessions/session-rows.server.ts";
import type { SignInOutcome, SignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

export type OAuthCallbacks = {
  /**
   * Finishes a sign-in that a provider sends back to us, where its state names one that this browser began. Returns the path of our page
   * to open next and the cookies to set.
   */
  finishOAuth(callback: OAuthCallback): Promise<{ location: string; cookies: string[] }>;
};

type OAuthCallback = {
  /** "google", as in the path of the callback. */
  provider: string;
  /** See `readCallbackParameters`. */
  parameters: URLSearchParams;
} & RequestOrigin;

const failedPath = "/auth?error=sign_in_failed";
const stateCookieName = "oauth_state";

/** Whether a request has the cookie of a sign-in that its browser began. Cheap; `finishOAuth` checks its value. */
export function hasOAuthState(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${stateCookieName}=`) ?? false;
}

type OAuthCallbacksDeps = { auth: BetterAuth; db: Db; baseUrl: string; signIns: SignIns };

export function createOAuthCallbacks({ auth, db, baseUrl, signIns }: OAuthCallbacksDeps): OAuthCallbacks {
  async function finishOAuth({ provider, parameters, headers, ...rest }: OAuthCallback) {
    const url = new URL(`/api/auth/callback/${provider}?${parameters}`, baseUrl);
    const names = await cookieNames();
    const isOurs = (cookie: string) => names.some((name) => cookie.startsWith(`${name}=`));
    // Other headers are left out, because better-auth stores some of them.
    const cookie = (headers.get("cookie") ?? "").split(/; ?/).filter(isOurs).join("; ");
    const response = await auth.handler(new Request(url, { headers: cookie ? { cookie } : {} }));
    const location = ownPath(response);
    const [sessionName = ""] = names;
    const cookies = response.headers.getSetCookie().filter(isOurs);
    const others = cookies.filter((text) => !text.startsWith(`${sessionName}=`));
    const started = await readSessionToken(auth, new Headers({ cookie: cookies.map(nameAndValue).join("; ") }));
    if (started === undefined) return { location, cookies: others };
    const origin = { headers, ...rest };
    const outcome = await replaceSession(started, { method: toMethod(provider), origin });
    return { ...destinationOf(outcome, location), cookies: [...others, ...cookiesOf(outcome)] };
  }

  /** Ends the session that better-auth started, which asks for no second factor, and signs in as every other way does. */
  async function replaceSession(token: string, proof: { method: SignInMethod; origin: RequestOrigin }) {
    return transact(db, async (trx): Promise<SignInOutcome> => {
      const userId = await endSession(trx, token);
      if (userId === undefined || !(await lockUser(trx, userId))) return { kind: "blocked" };
      return signIns.completeSignIn(trx, { ...proof, userId });
    });
  }

  async function cookieNames(): Promise<string[]> {
    const { authCookies, createAuthCookie } = await auth.$context;
    return [authCookies.sessionToken.name, createAuthCookie("state").name];
  }

  /** Where better-auth redirects to, if that is a page of ours: an error of its own has no location. */
  function ownPath({ headers }: Response): string {
    const location = URL.parse(headers.get("location") ?? "", baseUrl);
    if (!headers.has("location") || location?.origin !== new URL(baseUrl).origin) return failedPath;
    // A browser reads "//host" as another site.
    return /^\/(?:api\/|\/)/.test(location.pathname) ? failedPath : `${location.pathname}${location.search}`;
  }

  return { finishOAuth };
}

/** The parameters that better-auth reads, each once. Others are left out, such as Apple's `id_token`, which belongs in no URL. */
export function readCallbackParameters(given: Iterable<readonly [string, unknown]>): URLSearchParams {
  const read = new URLSearchParams();
  for (const [name, value] of given)
    if (knownParameters.has(name) && !read.has(name) && typeof value === "string") read.set(name, value);
  return read;
}

const knownParameters = new Set(["code", "error", "error_description", "state", "iss", "user", "device_id"]);

function destinationOf({ kind }: SignInOutcome, location: string) {
  if (kind === "signed-in") return { location };
  if (kind === "blocked") return { location: "/auth?error=account_blocked" };
  return { location: `/auth/verify?returnTo=${encodeURIComponent(location)}` };
}

function cookiesOf(outcome: SignInOutcome): string[] {
  return "cookies" in outcome ? outcome.cookies : [];
}

function toMethod(provider: string): SignInMethod {
  return provider === "google" || provider === "apple" ? provider : "sso";
}

function nameAndValue(setCookie: string): string {
  return setCookie.split(";")[0] ?? "";
}
