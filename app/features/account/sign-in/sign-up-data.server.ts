import type { Services } from "#app/services/http/context.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

type CookieDeps = Pick<Services, "config">;

const cookieName = "meishi.sign_up_sent";
const validSeconds = 10 * 60;

/** The Set-Cookie that names the sign-up of this browser, so that a reloaded page still says where the link went. `pending` is signed. */
export function signUpCookie({ config }: CookieDeps, pending: string): string {
  const isSecure = config.baseUrl.startsWith("https:");
  return `${nameOf({ config })}=${pending}; HttpOnly; ${hostCookieAttributes(validSeconds, isSecure)}`;
}

export function readSignUpCookie(deps: CookieDeps, cookieHeader: string | null): string | undefined {
  const start = `${nameOf(deps)}=`;
  const pair = cookieHeader?.split(/; ?/).find((part) => part.startsWith(start));
  return pair?.slice(start.length);
}

function nameOf({ config }: CookieDeps): string {
  return hostCookieName(cookieName, config.baseUrl.startsWith("https:"));
}
