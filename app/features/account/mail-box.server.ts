import { data } from "react-router";

import { requestFacts, services } from "#app/services/context.ts";
import type { Services } from "#app/services/context.ts";

import { isLoopback } from "./rules.ts";

type Context = Parameters<typeof services>[0];

/** Whether mail is kept here for the person at this machine to look at, instead of being sent. */
export function hasMailBox({ isLocal, smtpUrl }: Services["config"]): boolean {
  return isLocal && smtpUrl === undefined;
}

/**
 * The kept mail, for whoever sits at this machine. Links in it sign in, so it is 404 for everybody else: through a tunnel or
 * a proxy, and for a page whose host name was pointed here (DNS rebinding).
 */
export function openMailBox(context: Context, { request, url }: { request: Request; url: URL }): Services["mail"] {
  const { config, mail } = services(context);
  const isProxied = proxyHeaders.some((name) => request.headers.has(name));
  const isHere = isLoopback(context.get(requestFacts).address) && !isProxied;
  const isAskedByName = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (!hasMailBox(config) || !isHere || !isAskedByName) throw data(null, { status: 404 });
  return mail;
}

/** What programs in between add to a request. */
const proxyHeaders = ["forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
