import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";

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
  headers: Headers;
};

const failedPath = "/auth?error=sign_in_failed";
const stateCookieName = "oauth_state";

/** Whether a request has the cookie of a sign-in that its browser began. Cheap; `finishOAuth` checks its value. */
export function hasOAuthState(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${stateCookieName}=`) ?? false;
}

export function createOAuthCallbacks({ auth, baseUrl }: { auth: BetterAuth; baseUrl: string }): OAuthCallbacks {
  async function finishOAuth({ provider, parameters, headers }: OAuthCallback) {
    const url = new URL(`/api/auth/callback/${provider}?${parameters}`, baseUrl);
    const names = await cookieNames();
    const isOurs = (cookie: string) => names.some((name) => cookie.startsWith(`${name}=`));
    // Other headers are left out, because better-auth stores some of them.
    const cookie = (headers.get("cookie") ?? "").split(/; ?/).filter(isOurs).join("; ");
    const response = await auth.handler(new Request(url, { headers: cookie ? { cookie } : {} }));
    return { location: ownPath(response), cookies: response.headers.getSetCookie().filter(isOurs) };
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
