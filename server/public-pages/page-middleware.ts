import type { Context, MiddlewareHandler } from "hono";
import { compress } from "hono/compress";

import { countVisit } from "#app/features/analytics/counting/counter.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import type { FeaturePaths } from "#app/services/features/feature-paths.ts";

import { createCachedPage, toStoredPage } from "./cached-page.ts";
import type { CachedPage } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";
import {
  cacheKey,
  findCachedPage,
  findStoredPage,
  hasQueryVariant,
  countAndRespond,
  toPageResponse,
} from "./page-response.ts";
import type { PageRequest, PageResponse } from "./page-response.ts";

/**
 * Counts visits, responds to visitors with finished pages, from memory or the database, and stores the public pages that are rendered for them. A
 * signed-in user, and a visitor with a toast to see, get a page of their own. Runs after `readSession`: a cookie that names no session
 * makes no difference.
 */
export function servePublicPages(
  pages: PageCache,
  { counter, clock, renderedPages }: Services,
  writeHeaders: (c: Context<AppEnv>) => void,
): MiddlewareHandler<AppEnv> {
  async function findPage(c: Context<AppEnv>, request: PageRequest) {
    const cached = findCachedPage(pages, request);
    if (cached || !pages.isStored(request.path) || pages.isMiss(c.env?.incoming)) return cached;
    return findStoredPage(pages, request);
  }

  /** Counts the visit and returns the finished page of a response, which is replaced by one from the page. Undefined when others may not get the same. */
  async function finishPage(c: Context<AppEnv>, request: PageRequest): Promise<CachedPage | undefined> {
    const { publicPage, viewer, toast } = c.get("state");
    const isHtml = c.res.headers.get("content-type")?.startsWith("text/html") === true;
    const isPage = c.res.status === 200 && (isHtml || publicPage?.isFile === true);
    if (!publicPage || !isPage || request.method !== "GET") return undefined;
    countVisit(counter, publicPage, { ...request, viewerId: viewer?.id });
    const isShared = !viewer && !toast;
    if (!isShared || !isCanonicalPath(request.path) || hasQueryVariant(publicPage, request.search)) return undefined;
    writeHeaders(c);
    const html = new Uint8Array(await c.res.arrayBuffer());
    const page = createCachedPage(html, c.res.headers, { ...publicPage, now: clock() });
    // Hono would merge the headers of the previous response into the next one.
    c.res = undefined;
    c.res = toResponse(toPageResponse(page, request));
    c.set("isCached", true);
    return page;
  }

  function store(path: string, page: CachedPage) {
    const { pagesVersion } = page;
    if (pagesVersion !== undefined) renderedPages.add(path, () => toStoredPage({ ...page, pagesVersion }));
  }

  return async (c, next) => {
    const { method } = c.req;
    if (method !== "GET" && method !== "HEAD") return next();
    const { viewer, toast, theme, address } = c.get("state");
    const { pathname: path, search } = new URL(c.req.url);
    const request = { method, path, search, headers: c.req.header(), address };
    const cached = !viewer && !toast ? await findPage(c, request) : undefined;
    if (cached) {
      c.set("isCached", true);
      return toResponse(countAndRespond(cached, request, counter));
    }
    const render = pages.begin();
    let page: CachedPage | undefined;
    try {
      await next();
      page = await finishPage(c, request);
    } finally {
      pages.end(render, cacheKey(path, page?.variesByTheme ? theme : undefined), page);
    }
    if (page && pages.isStored(path)) store(path, page);
  };
}

const compressResponse = compress();

/** Compresses responses made for one request. Finished pages are compressed once. */
export const compressUncached: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!c.get("isCached")) await compressResponse(c, async () => undefined);
};

function toResponse({ status, headers: pairs, body }: PageResponse): Response {
  const headers = new Headers();
  for (let at = 0; at < pairs.length; at += 2) headers.append(pairs[at] ?? "", pairs[at + 1] ?? "");
  return new Response(body && new Uint8Array(body), { status, headers });
}

/**
 * A page can be reached by several spellings of its path ("/u/ada/", "/U/ada", "/u/%61da"). Only the one that our own links use is
 * cached, or anyone could fill the cache with copies.
 */
function isCanonicalPath(path: string): boolean {
  return path === "/" || /^\/[a-z]+(?:-[a-z]+)*(?:\/[\w-]+)*(?:\/[a-z]+\.[a-z]+)?$/.test(path);
}

/** Returns a function that tells whether the features declare a public page at a path, which is then stored in the database. */
export function createStoredPathMatcher(features: readonly FeaturePaths[]): (path: string) => boolean {
  const patterns = features.flatMap(({ publicPages }) => publicPages ?? []);
  const sources = patterns.map((pattern) => pattern.replaceAll(/:\w+/g, "[\\w-]+"));
  const expression = new RegExp(`^(?:${sources.join("|")})$`);
  return (path) => patterns.length > 0 && expression.test(path);
}
