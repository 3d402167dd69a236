import { data } from "react-router";

import { requestContext, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";

import { isLoopback } from "#app/features/account/rules.ts";

type Context = Parameters<typeof services>[0];

/** Whether emails are stored for the user of this machine instead of being sent. */
export function hasMailbox({ isLocal, smtpUrl }: Services["config"]): boolean {
  return isLocal && smtpUrl === undefined;
}

/**
 * The stored emails, for requests from this machine only, because their links sign in. Throws the 404 for all others: through a tunnel or a
 * proxy, and from a page whose host name resolves to this machine (DNS rebinding).
 */
export function openMailbox(context: Context, { request, url }: { request: Request; url: URL }): Services["mail"] {
  const { config, mail } = services(context);
  const isProxied = proxyHeaders.some((name) => request.headers.has(name));
  const isHere = isLoopback(context.get(requestContext).address) && !isProxied;
  const isAskedByName = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (!hasMailbox(config) || !isHere || !isAskedByName) throw data(null, { status: 404 });
  return mail;
}

/** Headers that proxies add. */
const proxyHeaders = ["forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
