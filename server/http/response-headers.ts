import type { Context, MiddlewareHandler } from "hono";

import { publicCss } from "#app/features/sharing/public-page/public-page-style.tsx";
import { passVisitorScript, visitorScript } from "#app/features/sharing/visitor-script.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { AppEnv } from "#app/services/http/context.ts";

import { contentSecurityPolicy, inlineHash, resourcePolicy, sitePolicy } from "#server/security.ts";

type WriteHeaders = (c: Context<AppEnv>) => void;

/** Runs `write` on every response that comes from the middleware below it. */
export function writeHeaders(write: WriteHeaders): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    write(c);
  };
}

/** Functions that add the security headers to a response. Calling one twice changes nothing. */
export function createHeaderWriter(config: Config): { forResource: WriteHeaders; forPage: WriteHeaders } {
  const common = commonHeaders(config);
  const inline = {
    style: inlineHash(publicCss),
    script: `${inlineHash(visitorScript)} ${inlineHash(passVisitorScript)}`,
  };

  function policyOf(c: Context<AppEnv>): string {
    const { nonce, isHydrated, scripts, inlineScript, inlineStyle, publicStyle } = c.get("state");
    if (scripts.length > 0) return sitePolicy(scripts.map(inlineHash));
    if (inlineScript)
      return contentSecurityPolicy({ ...inline, script: inlineHash(inlineScript) }, { hasFrames: true });
    const common = publicStyle === undefined ? inline.style : inlineHash(publicStyle);
    const style = inlineStyle ? `${common} ${inlineHash(inlineStyle)}` : common;
    return contentSecurityPolicy({ ...inline, style }, isHydrated ? { nonce } : {});
  }

  function write({ headers, status }: Response, policy: () => string) {
    if (status === 503 && !headers.has("retry-after")) headers.set("retry-after", "10");
    for (const [name, value] of common) headers.set(name, value);
    // A response that runs no code of ours sends a stricter policy of its own.
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", policy());
  }

  return {
    forResource: (c) => write(c.res, () => resourcePolicy),
    forPage(c) {
      const { headers } = c.res;
      write(c.res, () => policyOf(c));
      headers.set("vary", "accept-encoding, cookie");
      if (!headers.has("cache-control")) headers.set("cache-control", defaultCacheControl(c));
    },
  };
}

/** A user's own data, and what is sent along with a cookie, is not stored by any cache; pages are revalidated each time. */
function defaultCacheControl(c: Context<AppEnv>): string {
  const { headers } = c.res;
  const isOwn = c.get("state").viewer !== undefined || headers.has("set-cookie");
  if (headers.get("content-type")?.startsWith("text/html")) return isOwn ? "private, no-cache" : "no-cache";
  // A form's response is for one visitor, such as the redirect that signs in.
  return isOwn || c.req.method === "POST" ? "no-store" : "no-cache";
}

/** Headers that every response has. */
function commonHeaders({ baseUrl, hstsIncludesSubdomains }: Config): [string, string][] {
  const headers: [string, string][] = [
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "same-origin"],
    ["cross-origin-opener-policy", "same-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()"],
  ];
  if (baseUrl.startsWith("https:")) {
    const subdomains = hstsIncludesSubdomains ? "; includeSubDomains" : "";
    headers.push(["strict-transport-security", `max-age=31536000${subdomains}`]);
  }
  return headers;
}
