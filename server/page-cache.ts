import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { LRUCache } from "lru-cache";

import type { PublicPageOptions } from "#app/services/http/context.ts";

type Encoding = "br" | "gzip" | "identity";

/** A response body and its headers: names and values in turn, as node:http takes them. */
export type EncodedPage = { headers: string[]; body: Buffer };

/** A rendered public page, and its response in each encoding that was requested so far. */
export type CachedPage = PublicPageOptions & {
  etag: string;
  html: Buffer;
  headers: string[];
  encoded: Partial<Record<Encoding, EncodedPage>>;
  storedAt: number;
};

export type PageCache = ReturnType<typeof createPageCache>;

/** A render in progress. Its page isn't stored when any owner's pages were dropped meanwhile: it may show old data. */
type Render = { isStale: boolean };

/**
 * Public pages as finished responses, by path. Bounded by bytes: the least recently used go first. `timeToLive` in milliseconds limits
 * how long a page is served when another node's drop doesn't reach this one.
 */
export function createPageCache(options: { maxBytes: number; timeToLive: () => number; clock: () => number }) {
  const pathsOfOwner = new Map<string, Set<string>>();
  const renders = new Set<Render>();
  const pages = new LRUCache<string, CachedPage>({
    maxSize: options.maxBytes,
    sizeCalculation: sizeOf,
    dispose({ ownerId }, path) {
      const paths = pathsOfOwner.get(ownerId);
      paths?.delete(path);
      if (paths?.size === 0) pathsOfOwner.delete(ownerId);
    },
  });

  return {
    find(path: string): CachedPage | undefined {
      const page = pages.get(path);
      if (page === undefined) return undefined;
      const now = options.clock();
      if (now - page.storedAt <= options.timeToLive() && (page.endsAt === undefined || now < page.endsAt)) return page;
      pages.delete(path);
      return undefined;
    },
    begin(): Render {
      const render = { isStale: false };
      renders.add(render);
      return render;
    },
    /** Ends a render, and stores its page if there is one and nothing was dropped meanwhile. */
    end(render: Render, path: string, page: CachedPage | undefined) {
      renders.delete(render);
      if (!page || render.isStale) return;
      pages.set(path, page);
      const paths = pathsOfOwner.get(page.ownerId) ?? new Set();
      pathsOfOwner.set(page.ownerId, paths.add(path));
    },
    drop(ownerId: string) {
      for (const render of renders) render.isStale = true;
      for (const path of Array.from(pathsOfOwner.get(ownerId) ?? [])) pages.delete(path);
    },
    dropAll() {
      for (const render of renders) render.isStale = true;
      pages.clear();
    },
    size: () => ({ pages: pages.size, bytes: pages.calculatedSize }),
  };
}

/** A page for the cache. `headers` are those of every response, whatever its encoding. */
export function createCachedPage(
  html: Uint8Array,
  headers: Headers,
  { now, ...facts }: PublicPageOptions & { now: number },
): CachedPage {
  const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  const common = new Headers(headers);
  common.delete("content-length");
  common.set("etag", etag);
  // Revalidated each time, so that a save shows at once. An unchanged page is a 304 without a body.
  common.set("cache-control", "no-cache");
  const page = { etag, html: Buffer.from(html), headers: [...common].flat() };
  return { ...facts, ...page, encoded: {}, storedAt: now };
}

/** The page in the smallest encoding that the browser accepts. Compressed once, at the first request. */
export function encodePage(page: CachedPage, acceptEncoding: string | undefined): EncodedPage {
  const encoding = bestEncoding(acceptEncoding);
  return (page.encoded[encoding] ??= encode(page, encoding));
}

function encode({ html, headers }: CachedPage, encoding: Encoding): EncodedPage {
  const body = encoders[encoding](html);
  const own = ["content-length", String(body.length)];
  if (encoding !== "identity") own.push("content-encoding", encoding);
  return { headers: [...headers, ...own], body };
}

const encoders: Record<Encoding, (html: Buffer) => Buffer> = {
  br: (html) =>
    brotliCompressSync(html, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: html.length,
        // 64 kB. For a larger window, this quality clears 16 MB of tables first, which takes 15 times as long for a page.
        [constants.BROTLI_PARAM_LGWIN]: 16,
      },
    }),
  gzip: (html) => gzipSync(html, { level: 9 }),
  identity: (html) => html,
};

/** RFC 9110 §12.5.3, as far as browsers use it: the best encoding that is named and has no weight of zero. */
function bestEncoding(header = ""): Encoding {
  const accepts = (encoding: Encoding) =>
    header.includes(encoding) &&
    !(header.includes("q=0") && new RegExp(`${encoding}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)`).test(header));
  if (accepts("br")) return "br";
  return accepts("gzip") ? "gzip" : "identity";
}

/** Counts both compressed encodings, which may be added later. */
function sizeOf({ html }: CachedPage): number {
  return html.length * 2 + 2_000;
}
