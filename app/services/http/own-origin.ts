import type { Config } from "#app/services/config/config.server.ts";

/**
 * Whether a write comes from our own pages. Every browser sends Origin with a POST, and on our pages it has the host of the request, or
 * is "null" behind a proxy that sets `Referrer-Policy: no-referrer` (Fetch Standard, "append a request `Origin` header"). A client that
 * sends neither Origin nor Sec-Fetch-Site is refused too.
 */
export function isOwnOrigin(headers: Headers, config: Config): boolean {
  const origin = headers.get("origin");
  if (origin === null || origin === "null") return headers.get("sec-fetch-site") === "same-origin";
  if (origin === new URL(config.baseUrl).origin) return true;
  const { protocol } = new URL(config.baseUrl);
  return URL.canParse(origin) && new URL(origin).protocol === protocol && new URL(origin).host === headers.get("host");
}
