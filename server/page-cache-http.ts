import type { IncomingMessage, ServerResponse } from "node:http";

import type { Context, MiddlewareHandler } from "hono";
import { compress } from "hono/compress";

import { countVisit } from "#app/features/analytics/counter.server.ts";
import { hasSession } from "#app/services/auth/sessions.server.ts";
import type { AppEnv, Counter, PublicPageOptions, Services } from "#app/services/http/context.ts";
import { readTheme } from "#app/services/http/cookies.ts";
import type { Theme } from "#app/services/http/cookies.ts";
import { hasToast } from "#app/services/http/toast.server.ts";

import { newRequestId } from "./log.ts";
import type { LogCacheHit } from "./log.ts";
import { createCachedPage, encodePage } from "./page-cache.ts";
import type { CachedPage, PageCache } from "./page-cache.ts";

/** The parts of a request that a cached page depends on. Header names are in lower case. */
type PageRequest = {
  method: string;
  path: string;
  search: string;
  headers: Record<string, string | string[] | undefined>;
};

type PageResponse = { status: 200 | 304; headers: string[]; body: Buffer | undefined };

/** Counts the visit and returns the response if the page is cached; undefined when it must be rendered. */
function respondFromCache(pages: PageCache, counter: Counter, request: PageRequest): PageResponse | undefined {
  const { path, search, headers } = request;
  const page = pages.find(path) ?? pages.find(cacheKey(path, readTheme(headers["cookie"]?.toString())));
  if (!page || hasQueryVariant(page, search)) return undefined;
  countVisit(counter, page, request);
  return pageResponse(page, headers);
}

function pageResponse(page: CachedPage, headers: PageRequest["headers"]): PageResponse {
  if (matchesEtag(page, headers["if-none-match"]?.toString())) {
    return { status: 304, headers: page.headers, body: undefined };
  }
  const encoded = encodePage(page, headers["accept-encoding"]?.toString());
  return { status: 200, headers: encoded.headers, body: encoded.body };
}

/**
 * Responds from the cache straight from node:http, before Hono, to requests without cookies that may change the page. Returns false
 * for all others: they go through `servePublicPages`. `npm run bench -- cached-page` measures it.
 */
export function createCachedPageListener(
  pages: PageCache,
  { counter, logHit }: { counter: Counter; logHit: LogCacheHit },
) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = "", headers } = request;
    if (method !== "GET" || hasSession(headers.cookie) || hasToast(headers.cookie)) return false;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const search = query < 0 ? "" : url.slice(query);
    const cached = respondFromCache(pages, counter, { method, path, search, headers });
    if (!cached) return false;
    const id = newRequestId();
    response.writeHead(cached.status, cached.headers.concat("x-request-id", id));
    response.end(cached.body);
    logHit({ id, path, status: cached.status });
    return true;
  };
}

/**
 * Responds to visitors from the cache and stores the public pages that are rendered for them. A signed-in user, and a visitor with a
 * toast to see, get a page of their own. Runs after `readSession`: a cookie that names no session makes no difference.
 */
export function servePublicPages(
  pages: PageCache,
  { counter, clock }: Services,
  writeHeaders: (c: Context<AppEnv>) => void,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method } = c.req;
    if (method !== "GET" && method !== "HEAD") return next();
    const { viewer, toast } = c.get("state");
    const { pathname: path, search } = new URL(c.req.url);
    const request = { method, path, search, headers: c.req.header() };
    const isShared = !viewer && !toast;
    const cached = isShared && respondFromCache(pages, counter, request);
    if (cached) {
      c.set("isCached", true);
      return toResponse(cached);
    }
    const render = pages.begin();
    let page: CachedPage | undefined;
    let key = path;
    try {
      await next();
      const { publicPage, theme } = c.get("state");
      const isPage = c.res.status === 200 && c.res.headers.get("content-type")?.startsWith("text/html");
      if (!publicPage || !isPage || method !== "GET") return;
      countVisit(counter, publicPage, { ...request, viewerId: viewer?.id });
      if (!isShared || !isCanonicalPath(path) || hasQueryVariant(publicPage, search)) return;
      writeHeaders(c);
      key = cacheKey(path, publicPage.variesByTheme ? theme : undefined);
      const html = new Uint8Array(await c.res.arrayBuffer());
      page = createCachedPage(html, c.res.headers, { ...publicPage, now: clock() });
      // Hono would merge the headers of the previous response into the next one.
      c.res = undefined;
      c.res = toResponse(pageResponse(page, request.headers));
      c.set("isCached", true);
    } finally {
      pages.end(render, key, page);
    }
  };
}

const compressResponse = compress();

/** Compresses responses made for one request. Cached pages are compressed once, by the cache. */
export const compressUncached: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!c.get("isCached")) await compressResponse(c, async () => undefined);
};

/**
 * A page can be reached by several spellings of its path ("/u/ada/", "/U/ada", "/u/%61da"). Only the one that our own links use is
 * cached, or anyone could fill the cache with copies.
 */
function isCanonicalPath(path: string): boolean {
  return path === "/" || /^\/[a-z]+(?:-[a-z]+)*(?:\/[\w-]+)*$/.test(path);
}

function cacheKey(path: string, theme: Theme | undefined): string {
  // A request path can't contain a space.
  return theme ? `${path} ${theme}` : path;
}

function hasQueryVariant({ queryParameters }: PublicPageOptions, search: string): boolean {
  if (!queryParameters || search === "") return false;
  const query = new URLSearchParams(search);
  return queryParameters.some((name) => query.has(name));
}

function toResponse({ status, headers: pairs, body }: PageResponse): Response {
  const headers = new Headers();
  for (let at = 0; at < pairs.length; at += 2) headers.append(pairs[at] ?? "", pairs[at + 1] ?? "");
  return new Response(body && new Uint8Array(body), { status, headers });
}

/** RFC 9110 §13.1.2: a list of tags, which a proxy that compressed the page may have weakened ("W/"). */
function matchesEtag({ etag }: CachedPage, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.includes(etag) ?? false;
}
