import { countVisit } from "#app/features/analytics/counting/counter.server.ts";
import type { Counter, PublicPageOptions } from "#app/services/http/context.ts";
import { readTheme } from "#app/services/http/cookies.ts";
import type { Theme } from "#app/services/http/cookies.ts";

import { encodePage } from "./cached-page.ts";
import type { CachedPage } from "./cached-page.ts";
import type { PageCache } from "./page-cache.ts";

/** The parts of a request that a finished page depends on. Header names are in lower case. */
export type PageRequest = {
  method: string;
  path: string;
  search: string;
  headers: Record<string, string | string[] | undefined>;
  /** The visitor's network address. */
  address: string;
};

export type PageResponse = { status: 200 | 304; headers: string[]; body: Buffer | undefined };

/** The page in memory; undefined when it must be read from the database or rendered. */
export function findCachedPage(pages: PageCache, { path, search, headers }: PageRequest): CachedPage | undefined {
  const page = pages.find(path) ?? pages.find(cacheKey(path, readTheme(headers["cookie"]?.toString())));
  return page && !hasQueryVariant(page, search) ? page : undefined;
}

/** The page in the database; undefined when it must be rendered. */
export async function findStoredPage(pages: PageCache, { path, search }: PageRequest): Promise<CachedPage | undefined> {
  const page = await pages.findStored(path);
  return page && !hasQueryVariant(page, search) ? page : undefined;
}

/** Counts the visit of a finished page, or a file that is sent, and returns the response. */
export function countAndRespond(page: CachedPage, request: PageRequest, counter: Counter): PageResponse {
  const response = toPageResponse(page, request);
  if (response.status === 200 || !page.isFile) countVisit(counter, page, request);
  return response;
}

export function toPageResponse(page: CachedPage, { headers }: PageRequest): PageResponse {
  if (isUnchanged(page, headers)) {
    return { status: 304, headers: headersOf(page, page.headers), body: undefined };
  }
  const encoded = encodePage(page, headers["accept-encoding"]?.toString());
  return { status: 200, headers: headersOf(page, encoded.headers), body: encoded.body };
}

/** While the database can't be read, browsers don't have to ask each time. */
function headersOf({ isStale }: CachedPage, headers: string[]): string[] {
  return isStale ? headers.with(headers.indexOf("cache-control") + 1, "max-age=10") : headers;
}

export function cacheKey(path: string, theme: Theme | undefined): string {
  // A request path can't contain a space.
  return theme ? `${path} ${theme}` : path;
}

/** Whether the request has a query parameter that changes the page. */
export function hasQueryVariant({ queryParameters }: PublicPageOptions, search: string): boolean {
  if (!queryParameters || search === "") return false;
  const query = new URLSearchParams(search);
  return queryParameters.some((name) => query.has(name));
}

/** RFC 9110 §13.2.2: If-Modified-Since counts only without If-None-Match. */
function isUnchanged(page: CachedPage, headers: PageRequest["headers"]): boolean {
  const tags = headers["if-none-match"]?.toString();
  if (tags !== undefined || page.modifiedAt === undefined) return matchesEtag(page, tags);
  return page.modifiedAt <= Date.parse(headers["if-modified-since"]?.toString() ?? "");
}

/** RFC 9110 §13.1.2: a list of tags, which a proxy that compressed the page may have weakened ("W/"). */
function matchesEtag({ etag }: CachedPage, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.includes(etag) ?? false;
}
