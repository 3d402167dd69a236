import type { IncomingMessage, ServerResponse } from "node:http";

import type { MiddlewareHandler } from "hono";

import { isCounted } from "#app/features/analytics/rules.ts";
import { sourceOf } from "#app/features/sharing/source-marks.ts";
import { hasSession } from "#app/services/auth.server.ts";
import type { Counter, PublicPageFacts, Services } from "#app/services/context.ts";
import { readTheme } from "#app/services/theme-cookie.ts";
import type { Theme } from "#app/services/theme-cookie.ts";
import { hasToast } from "#app/services/toast.server.ts";

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
    const hasOwnView = isPersonal(headers["cookie"]);
    const cached = hasOwnView ? undefined : findPage(pages, { path, search, cookie: headers["cookie"] });
    if (cached) {
      if (isGet) countVisit(counter, { ...cached, search, headers });
      c.set("isKept", true);
      return toResponse(cached, headers);
    }
    const render = pages.begin();
    let page: CachedPage | undefined;
    let key = path;
    try {
      await next();
      const { publicPage, viewer, theme } = c.get("facts");
      const isPage = c.res.status === 200 && c.res.headers.get("content-type")?.startsWith("text/html");
      if (!publicPage || !isPage || !isGet) return;
      if (publicPage.ownerId !== viewer?.id) countVisit(counter, { ...publicPage, search, headers });
      if (hasOwnView || !isPlain(path) || asksFor(publicPage, search)) return;
      key = keyOf(path, publicPage.hasTheme ? theme : undefined);
      page = finishPage(new Uint8Array(await c.res.arrayBuffer()), c.res.headers, { ...publicPage, now: clock() });
      // Hono merges the headers of the answer before into the next one, so that one goes first.
      c.res = undefined;
      c.res = toResponse(page, headers);
      c.set("isKept", true);
    } finally {
      pages.end(render, key, page);
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
    if (method !== "GET" || isPersonal(headers.cookie)) return false;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const search = query < 0 ? "" : url.slice(query);
    const page = findPage(pages, { path, search, cookie: headers.cookie });
    if (!page) return false;
    const id = newRequestId();
    const status = isKnown(page, headers["if-none-match"]) ? 304 : 200;
    const answer = answerFor(page, headers["accept-encoding"]?.toString());
    response.writeHead(status, (status === 200 ? answer.headers : page.headers).concat("x-request-id", id));
    response.end(status === 200 ? answer.body : undefined);
    countVisit(counter, { subject: page.subject, search, headers });
    logHit({ id, path, status });
    return true;
  };
}

/**
 * One page may be asked for in many spellings ("/u/ada/", "/U/ada", "/u/%61da"): only the one that our own links have is kept,
 * or anybody could fill the cache with copies.
 */
function isPlain(path: string): boolean {
  return path === "/" || /^\/[a-z]+(?:-[a-z]+)*(?:\/[\w-]+)*$/.test(path);
}

/** An answer for one person alone: they have a session, or a message waits for them on the page where they arrive. */
function isPersonal(cookie: string | undefined): boolean {
  return hasSession(cookie) || hasToast(cookie);
}

type Asked = { path: string; search: string; cookie: string | undefined };

function findPage(pages: PageCache, { path, search, cookie }: Asked): CachedPage | undefined {
  const page = pages.find(path) ?? pages.find(keyOf(path, readTheme(cookie)));
  return page && asksFor(page, search) ? undefined : page;
}

function keyOf(path: string, theme: Theme | undefined): string {
  // With a space, which no request can have in its path.
  return theme ? `${path} ${theme}` : path;
}

function asksFor({ asks }: PublicPageFacts, search: string): boolean {
  if (!asks || search === "") return false;
  const query = new URLSearchParams(search);
  return asks.some((name) => query.has(name));
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

type Visit = { subject?: string | undefined; search: string; headers: Record<string, string | string[] | undefined> };

function countVisit(counter: Counter, { subject, search, headers }: Visit) {
  if (subject === undefined || !isCounted(headers)) return;
  counter.count({ subject, kind: "visit", source: sourceOf(search), target: "" });
}
