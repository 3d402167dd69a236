import type { Context, Handler } from "hono";

import { tooManyCallbacksMessage } from "#app/features/account/messages.ts";
import { limits } from "#app/features/account/rules.ts";
import { errorMessage } from "#app/features/shell/messages.ts";
import { respondToCallback } from "#app/features/account/settings/social/callback-response.server.ts";
import { readCallbackParameters } from "#app/services/auth/oauth/oauth-callbacks.server.ts";
import { hasOAuthState } from "#app/services/auth/oauth/oauth-states.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

/**
 * `/api/auth/*`, where better-auth has all its endpoints. Only the callbacks of OAuth providers exist here: our own pages do the rest, with
 * our texts and limits. The OAuth state decides which callbacks are valid, so any origin is allowed.
 */
export function handleAuthApi(services: Services): Handler<AppEnv> {
  return async (c) => {
    const { pathname, searchParams } = new URL(c.req.url);
    // The path as written: no other spelling of an endpoint gets through.
    const provider = callbackPath.exec(pathname)?.[1];
    const { method } = c.req;
    if (provider === undefined || (method !== "GET" && method !== "POST")) return respondNotFound(c);
    const parameters = readCallbackParameters(method === "POST" ? await readForm(c.req.raw) : searchParams);
    // A browser sends no cookies with another site's form (Apple's `form_post`), but does when it follows this redirect.
    if (method === "POST") return redirect(`${pathname}?${parameters}`, 303);
    // Not counted: any page on the web can make a browser send it.
    if (!hasOAuthState(c.req.header("cookie"))) return redirect("/auth?error=state_mismatch", 302);
    const refusal = await refuseTooMany(c, services);
    if (refusal) return refusal;
    const { address } = c.get("state");
    return respondToCallback(services, { provider, parameters, address, headers: c.req.raw.headers });
  };
}

const callbackPath = /^\/api\/auth\/callback\/([a-z]{1,20}(?:_[a-z]{1,10})?)$/;

function respondNotFound(c: Context<AppEnv>): Response {
  const { title, text } = errorMessage(404, undefined);
  return c.text(`${title}. ${text}`, 404, { "cache-control": "no-store" });
}

/** Every callback costs a database lookup, whether its state exists or not. */
async function refuseTooMany(c: Context<AppEnv>, { rateLimits, clock }: Services): Promise<Response | undefined> {
  const { address } = c.get("state");
  const refused = await rateLimits.consume([{ limit: limits.callbacksFromNetwork, subject: networkOf(address) }]);
  if (!refused) return undefined;
  const { title, text } = tooManyCallbacksMessage(formatWait(refused.until, clock()));
  return c.text(`${title}. ${text}`, 429, { "cache-control": "no-store" });
}

/** A relative location: behind a proxy, the address of this request isn't the visitor's. */
function redirect(location: string, status: 302 | 303): Response {
  return new Response(null, { status, headers: { location, "cache-control": "no-store" } });
}
