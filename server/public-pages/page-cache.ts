import { LRUCache } from "lru-cache";

import type { RenderedPages } from "#app/services/pages/rendered-pages.server.ts";

import { fromStoredPage } from "./cached-page.ts";
import type { CachedPage } from "./cached-page.ts";

export type PageCache = ReturnType<typeof createPageCache>;

/**
 * A page that is being rendered or read from the database. It isn't cached when any owner's pages were dropped in the meantime: it may show
 * old data.
 */
type Load = { isStale: boolean };

type PageCacheOptions = {
  maxBytes: number;
  /** Milliseconds that a page is served when another node's drop doesn't reach this one. */
  timeToLive: () => number;
  clock: () => number;
  stored: Pick<RenderedPages, "find">;
  /** Whether the page at a path is stored in the database. */
  isStored: (path: string) => boolean;
};

/**
 * Public pages as finished responses, by path: in memory, bounded by bytes (the least recently used go first), and behind it in the
 * database.
 */
export function createPageCache(options: PageCacheOptions) {
  const pathsOfOwner = new Map<string, Set<string>>();
  const loads = new Set<Load>();
  const misses = new WeakSet<object>();
  /** Served only while the database can't be read. */
  const expired = new WeakSet<CachedPage>();
  const lookups = new Map<string, Promise<CachedPage | undefined>>();
  const served = countServed();
  const pages = new LRUCache<string, CachedPage>({
    maxSize: options.maxBytes,
    sizeCalculation: sizeOf,
    dispose({ ownerId }, path) {
      const paths = pathsOfOwner.get(ownerId);
      paths?.delete(path);
      if (paths?.size === 0) pathsOfOwner.delete(ownerId);
    },
  });

  function begin(): Load {
    const load = { isStale: false };
    loads.add(load);
    return load;
  }

  function end(load: Load, path: string, page: CachedPage | undefined) {
    loads.delete(load);
    if (!page || load.isStale) return;
    pages.set(path, page);
    const paths = pathsOfOwner.get(page.ownerId) ?? new Set();
    pathsOfOwner.set(page.ownerId, paths.add(path));
  }

  /** A request that comes after a save must not get what was read before it. */
  function cancelLoads() {
    for (const load of loads) load.isStale = true;
    lookups.clear();
  }

  async function readStored(path: string): Promise<CachedPage | undefined> {
    const load = begin();
    const stored = await options.stored.find(path);
    const page = stored && stored !== "unavailable" ? fromStoredPage(stored, options.clock()) : undefined;
    end(load, path, page);
    if (!load.isStale) lookups.delete(path);
    if (stored === "unavailable") return staleOf(pages.get(path), options.clock());
    // It may have been deleted: it must not come back while the database can't be read.
    if (!page && !find(path)) pages.delete(path);
    return page;
  }

  function find(path: string): CachedPage | undefined {
    const page = pages.get(path);
    if (page === undefined) return undefined;
    const now = options.clock();
    if (now - page.storedAt <= options.timeToLive() && !isOver(page, now) && !expired.has(page)) return page;
    // Otherwise it is kept for the time when the database can't be read.
    if (!options.isStored(path) || isOver(page, now)) pages.delete(path);
    return undefined;
  }

  return {
    find: (path: string) => served.note("memory", find(path)),
    /**
     * The page from the database, which is then cached. While the database can't be read, the one in memory if it is at most an hour
     * old. Concurrent requests share one query.
     */
    async findStored(path: string): Promise<CachedPage | undefined> {
      const lookup = lookups.get(path) ?? readStored(path);
      lookups.set(path, lookup);
      return served.note("database", await lookup);
    },
    isStored: options.isStored,
    /** Notes that the page of this request isn't in the database, so that it isn't looked for twice. */
    noteMiss: (request: object) => void misses.add(request),
    isMiss: (request: object | undefined) => request !== undefined && misses.has(request),
    /** Begins a render. */
    begin,
    /** Ends a render, and caches its page if there is one and nothing was dropped in the meantime. */
    end: (load: Load, path: string, page: CachedPage | undefined) => end(load, path, served.note("rendered", page)),
    drop(ownerId: string) {
      cancelLoads();
      for (const path of Array.from(pathsOfOwner.get(ownerId) ?? [])) pages.delete(path);
    },
    /** Also what is out of date now may be served while the database can't be read. */
    dropAll() {
      cancelLoads();
      for (const [path, page] of Array.from(pages.entries())) {
        if (options.isStored(path)) expired.add(page);
        else pages.delete(path);
      }
    },
    /** How many pages came from memory, from the database, or were rendered, since the start. */
    served: () => served.counts,
    size: () => ({ pages: pages.size, bytes: pages.calculatedSize }),
  };
}

function countServed() {
  const counts = { memory: 0, database: 0, rendered: 0 };
  return {
    counts,
    note(source: keyof typeof counts, page: CachedPage | undefined) {
      if (page) counts[source]++;
      return page;
    },
  };
}

function isOver({ endsAt }: CachedPage, now: number) {
  return endsAt !== undefined && now >= endsAt;
}

/** The page as it is served while the database can't be read. */
function staleOf(page: CachedPage | undefined, now: number): CachedPage | undefined {
  if (!page || isOver(page, now) || now - page.storedAt > maxStaleMs) return undefined;
  return { ...page, isStale: true };
}

const maxStaleMs = 60 * 60_000;

/** Counts all encodings, which may be added later. A file has only one. */
function sizeOf({ htmlBytes, isFile }: CachedPage): number {
  return htmlBytes * (isFile ? 1 : 2) + 2_000;
}
