import type { IncomingMessage, ServerResponse } from "node:http";

import type { MiddlewareHandler } from "hono";

import { isCounted } from "#app/features/analytics/rules.ts";
import { sourceOf } from "#app/features/sharing/source-marks.ts";
import { hasSession } from "#app/services/auth.server.ts";
import type { Counter, Services } from "#app/services/context.ts";

import type { AppEnv } from "./app.ts";
import type { LogHit } from "./log.ts";
import { answerFor, finishPage } from "./page-cache.ts";
import type { CachedPage, PageCache } from "./page-cache.ts";
import { newRequestId } from "./request-log.ts";

/**
 * Keeps what a visitor may see and answers from it. A request with a session is never answered from the cache:
 * the owner sees the page fresh, with what is theirs alone.
 */
export function cachedPages(pages: PageCache, { counter, clock }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const isGet = c.req.method === "GET";
    if (!isGet && c.req.method !== "HEAD") return next();
    const headers = c.req.header();
    const { pathname: path, search } = new URL(c.req.url);
    const hasOwnView = hasSession(headers["cookie"]);
    const cached = hasOwnView ? undefined : pages.find(path);
    if (cached) {
      if (isGet) countVisit(counter, { ...cached, search, headers });
      return toResponse(cached, headers);
    }
    const render = pages.begin();
    let page: CachedPage | undefined;
    try {
      await next();
      const { publicPage, viewer } = c.get("facts");
      const isPage = c.res.status === 200 && c.res.headers.get("content-type")?.startsWith("text/html");
      if (!publicPage || !isPage || !isGet) return;
      if (publicPage.ownerId !== viewer?.id) countVisit(counter, { ...publicPage, search, headers });
      if (hasOwnView || !isPlain(path)) return;
      page = finishPage(new Uint8Array(await c.res.arrayBuffer()), c.res.headers, { ...publicPage, now: clock() });
      // Hono merges the headers of the answer before into the next one, so that one goes first.
      c.res = undefined;
      c.res = toResponse(page, headers);
    } finally {
      pages.end(render, path, page);
    }
  };
}

/**
 * The short way for a page that is ready: straight from node:http, before any framework. Returns false when the
 * request is not for such a page. Measured in `npm run bench`; it must say the same as `cachedPages`.
 */
export function createPageListener(pages: PageCache, { counter, logHit }: { counter: Counter; logHit: LogHit }) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = "", headers } = request;
    if (method !== "GET" || hasSession(headers.cookie)) return false;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const page = pages.find(path);
    if (!page) return false;
    const id = newRequestId();
    const status = isKnown(page, headers["if-none-match"]) ? 304 : 200;
    const answer = answerFor(page, headers["accept-encoding"]?.toString());
    response.writeHead(status, (status === 200 ? answer.headers : page.headers).concat("x-request-id", id));
    response.end(status === 200 ? answer.body : undefined);
    countVisit(counter, { subject: page.subject, search: query < 0 ? "" : url.slice(query), headers });
    logHit({ id, path, status });
    return true;
  };
}

/**
 * One page may be asked for in many spellings ("/u/ada/", "/U/ada", "/u/%61da"): only the one that our own links have is kept,
 * or anybody could fill the cache with copies.
 */
function isPlain(path: string): boolean {
  return /^\/[a-z]+(?:\/[\w-]+)*$/.test(path);
}

function toResponse(page: CachedPage, asked: Record<string, string>): Response {
  const hasIt = isKnown(page, asked["if-none-match"]);
  const answer = answerFor(page, asked["accept-encoding"]);
  const headers = new Headers();
  const pairs = hasIt ? page.headers : answer.headers;
  for (let at = 0; at < pairs.length; at += 2) headers.append(pairs[at] ?? "", pairs[at + 1] ?? "");
  return hasIt ? new Response(null, { status: 304, headers }) : new Response(new Uint8Array(answer.body), { headers });
}

/** RFC 9110 §13.1.2: a list of tags, each perhaps weakened ("W/") by a proxy that compressed the page itself. */
function isKnown({ etag }: CachedPage, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.includes(etag) ?? false;
}

type Visit = { subject: string; search: string; headers: Record<string, string | string[] | undefined> };

function countVisit(counter: Counter, { subject, search, headers }: Visit) {
  if (!isCounted(headers)) return;
  counter.count({ subject, kind: "visit", source: sourceOf(search), target: "" });
}
