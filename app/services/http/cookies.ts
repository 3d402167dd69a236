/**
 * The name of a cookie of ours. Over HTTPS it starts with `__Host-`: browsers then accept it from this host alone, for every path, and only
 * with `Secure` (RFC 6265bis §4.1.3.2).
 */
export function hostCookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** The attributes of a cookie of ours for the whole site; `Secure` over HTTPS. */
export function hostCookieAttributes(maxAgeSeconds: number, isSecure: boolean): string {
  return `Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** A Set-Cookie for a cookie of ours that no script can read. */
export function httpOnlyCookie(
  name: string,
  value: string,
  { seconds, isSecure }: { seconds: number; isSecure: boolean },
): string {
  return `${hostCookieName(name, isSecure)}=${value}; HttpOnly; ${hostCookieAttributes(seconds, isSecure)}`;
}

/** The value of a cookie of ours. Names are compared exactly: a sibling domain can set "\u00a0__Host-…", which must not pass as ours. */
export function readHostCookie(headers: Headers, name: string, isSecure: boolean): string | undefined {
  const start = `${hostCookieName(name, isSecure)}=`;
  const cookies = (headers.get("cookie") ?? "").split(/; ?/);
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}

/** The color theme of the site: `system` follows the reader's device. */
export type Theme = "dark" | "light" | "system";

export const themes: readonly Theme[] = ["dark", "light", "system"];

const themeCookieName = "theme";
const yearSeconds = 365 * 24 * 60 * 60;

export function isTheme(value: unknown): value is Theme {
  return themes.some((theme) => theme === value);
}

/** The theme in a Cookie header, dark by default. The name without `__Host-` is what HTTP sets, and what HTTPS set before. */
export function readTheme(cookieHeader: string | undefined): Theme {
  const names = [hostCookieName(themeCookieName, true), themeCookieName];
  const values = names.map((name) => new RegExp(`(?:^|; ?)${name}=(\\w+)(?:;|$)`).exec(cookieHeader ?? "")?.[1]);
  return values.find(isTheme) ?? "dark";
}

/** A Set-Cookie, which the page's own script writes as well: it isn't a secret. */
export function themeCookie(theme: Theme, isSecure: boolean): string {
  return `${hostCookieName(themeCookieName, isSecure)}=${theme}; ${hostCookieAttributes(yearSeconds, isSecure)}`;
}

const storageSeconds = 100 * 24 * 60 * 60;

/** The name of the cookie of `rememberStorage`. */
export function storageCookieName(isSecure: boolean): string {
  return hostCookieName("meishi.kiosk", isSecure);
}

/** A Set-Cookie: this browser stores something that must outlive the session of a user who signs out in it. */
export function rememberStorage(baseUrl: string): string {
  const isSecure = baseUrl.startsWith("https:");
  return `${storageCookieName(isSecure)}=1; HttpOnly; ${hostCookieAttributes(storageSeconds, isSecure)}`;
}

/**
 * Makes the browser clear what a signed-out user left in it: the offline page (sharing/offline). Not where a kiosk stores contacts that
 * haven't been sent: there the service worker alone clears that page.
 */
export function clearStorage(headers: Headers, request: { headers: Headers }): void {
  const cookies = request.headers.get("cookie") ?? "";
  const isKiosk = [true, false].some((isSecure) => cookies.includes(`${storageCookieName(isSecure)}=1`));
  if (!isKiosk) headers.set("clear-site-data", '"storage"');
}
