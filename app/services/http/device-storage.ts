import { hostCookieAttributes, hostCookieName } from "./cookies.ts";

const name = "meishi.kiosk";
const maxAgeSeconds = 100 * 24 * 60 * 60;

/** The name of the cookie of `rememberStorage`. */
export function storageCookieName(isSecure: boolean): string {
  return hostCookieName(name, isSecure);
}

/** A Set-Cookie: this browser stores something that must outlive the session of a user who signs out in it. */
export function rememberStorage(baseUrl: string): string {
  const isSecure = baseUrl.startsWith("https:");
  return `${storageCookieName(isSecure)}=1; HttpOnly; ${hostCookieAttributes(maxAgeSeconds, isSecure)}`;
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
