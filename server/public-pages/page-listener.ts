import type { IncomingMessage, ServerResponse } from "node:http";

import { hasSession } from "#app/services/auth/sessions/session-rows.server.ts";
import type { Counter } from "#app/services/http/context.ts";
import { hasToast } from "#app/services/http/toast.server.ts";

import { newRequestId } from "#server/log.ts";
import type { LogCacheHit } from "#server/log.ts";
import type { CachedPage } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";
import { findCachedPage, findStoredPage, countAndRespond } from "./page-response.ts";
import type { PageRequest } from "./page-response.ts";

type PageListenerDeps = {
  counter: Counter;
  logHit: LogCacheHit;
  /** The visitor's address: see createAddressReader. */
  addressOf: (socketAddress: string, forwardedFor: string | null) => string;
  /** A header that isn't believed: see createHeaderCheck. */
  madeUpHeader: (socketAddress: string) => string | undefined;
};

/**
 * Responds with finished pages straight from node:http, before Hono, to requests without cookies that may change the page. Calls `next` for
 * all others: they go through `servePublicPages`. `npm run bench -- cached-page stored-page` measures it.
 */
export function createPageListener(pages: PageCache, { counter, logHit, ...deps }: PageListenerDeps) {
  function respond(page: CachedPage, request: PageRequest, response: ServerResponse) {
    const { status, headers, body } = countAndRespond(page, request, counter);
    const id = newRequestId();
    response.writeHead(status, headers.concat("x-request-id", id));
    response.end(body);
    logHit({ id, path: request.path, status, traceparent: request.headers["traceparent"]?.toString() });
  }

  async function respondFromDatabase(incoming: IncomingMessage, request: PageRequest, response: ServerResponse) {
    const page = await findStoredPage(pages, request);
    if (page) respond(page, request, response);
    else pages.noteMiss(incoming);
    return page !== undefined;
  }

  return (incoming: IncomingMessage, response: ServerResponse, next: () => void) => {
    const { method, url = "", headers } = incoming;
    if (method !== "GET" || hasSession(headers.cookie) || hasToast(headers.cookie)) return next();
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const search = query < 0 ? "" : url.slice(query);
    const { remoteAddress = "" } = incoming.socket;
    const address = deps.addressOf(remoteAddress, headers["x-forwarded-for"]?.toString() ?? null);
    const madeUp = deps.madeUpHeader(remoteAddress);
    if (madeUp && headers[madeUp]) headers[madeUp] = "";
    const request = { method, path, search, headers, address };
    const cached = findCachedPage(pages, request);
    if (cached) return respond(cached, request, response);
    if (!pages.isStored(path)) return next();
    void respondFromDatabase(incoming, request, response).then((isDone) => isDone || next());
  };
}
