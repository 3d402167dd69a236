import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { PublicPageFacts } from "#app/services/context.ts";

type Encoding = "br" | "gzip" | "identity";

/** What is sent: the bytes, and the header names and values in turn, as node:http takes them. */
export type Answer = { headers: string[]; body: Buffer };

/** A finished public page: its text, and an answer for each encoding asked for so far. */
export type CachedPage = PublicPageFacts & {
  etag: string;
  html: Buffer;
  headers: string[];
  answers: Partial<Record<Encoding, Answer>>;
  storedAt: number;
  wasUsed: boolean;
};

export type PageCache = ReturnType<typeof createPageCache>;

/** A render under way. It is not kept when any owner's pages were dropped while it ran: it may show what was before. */
type Render = { isStale: boolean };

/**
 * Public pages as ready bytes, by path. Bounded by bytes; those that nobody asks for go first.
 * `timeToLive` is the safety net in milliseconds for when another node's drop does not reach us.
 */
export function createPageCache(options: { maxBytes: number; timeToLive: () => number; clock: () => number }) {
  const pages = new Map<string, CachedPage>();
  const pathsOfOwner = new Map<string, Set<string>>();
  const renders = new Set<Render>();
  let bytes = 0;

  function remove(path: string) {
    const page = pages.get(path);
    if (!page) return;
    pages.delete(path);
    bytes -= sizeOf(page);
    const paths = pathsOfOwner.get(page.ownerId);
    paths?.delete(path);
    if (paths?.size === 0) pathsOfOwner.delete(page.ownerId);
  }

  /** Second chance instead of a reordering at each hit: a hit marks the page, and a marked page is passed over once. */
  function makeRoom() {
    for (const [path, page] of pages) {
      if (bytes <= options.maxBytes) return;
      if (!page.wasUsed) {
        remove(path);
        continue;
      }
      page.wasUsed = false;
      pages.delete(path);
      pages.set(path, page);
    }
  }

  return {
    find(path: string): CachedPage | undefined {
      const page = pages.get(path);
      if (page === undefined) return undefined;
      const now = options.clock();
      if (now - page.storedAt > options.timeToLive() || (page.endsAt !== undefined && now >= page.endsAt)) {
        remove(path);
        return undefined;
      }
      page.wasUsed = true;
      return page;
    },
    begin(): Render {
      const render = { isStale: false };
      renders.add(render);
      return render;
    },
    /** Ends a render; keeps its page, when there is one and nothing changed meanwhile. */
    end(render: Render, path: string, page: CachedPage | undefined) {
      renders.delete(render);
      if (!page || render.isStale) return;
      remove(path);
      pages.set(path, page);
      bytes += sizeOf(page);
      const paths = pathsOfOwner.get(page.ownerId) ?? new Set();
      pathsOfOwner.set(page.ownerId, paths.add(path));
      makeRoom();
    },
    drop(ownerId: string) {
      for (const render of renders) render.isStale = true;
      for (const path of Array.from(pathsOfOwner.get(ownerId) ?? [])) remove(path);
    },
    dropAll() {
      for (const render of renders) render.isStale = true;
      pages.clear();
      pathsOfOwner.clear();
      bytes = 0;
    },
    size: () => ({ pages: pages.size, bytes }),
  };
}

/** Makes a page ready to be sent many times. `headers` are those that every answer carries, whatever its encoding. */
export function finishPage(
  html: Uint8Array,
  headers: Headers,
  { now, ...facts }: PublicPageFacts & { now: number },
): CachedPage {
  const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  const kept = new Headers(headers);
  kept.delete("content-length");
  kept.set("etag", etag);
  // To be asked for each time: a save shows at once. The answer to a page that did not change is 304, without a body.
  kept.set("cache-control", "no-cache");
  const page = { etag, html: Buffer.from(html), headers: [...kept].flat() };
  return { ...facts, ...page, answers: {}, storedAt: now, wasUsed: false };
}

/** The page in the smallest form that this visitor's browser takes; made once, at the first ask. */
export function answerFor(page: CachedPage, acceptEncoding: string | undefined): Answer {
  const encoding = bestEncoding(acceptEncoding);
  return (page.answers[encoding] ??= encode(page, encoding));
}

function encode({ html, headers }: CachedPage, encoding: Encoding): Answer {
  const body = encoders[encoding](html);
  const own = ["content-length", String(body.length)];
  if (encoding !== "identity") own.push("content-encoding", encoding);
  return { headers: [...headers, ...own], body };
}

const encoders: Record<Encoding, (html: Buffer) => Buffer> = {
  br: (html) =>
    brotliCompressSync(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: html.length },
    }),
  gzip: (html) => gzipSync(html, { level: 9 }),
  identity: (html) => html,
};

/** RFC 9110 §12.5.3, as far as browsers use it: the best that is named, and not with the weight zero. */
function bestEncoding(header = ""): Encoding {
  const accepts = (encoding: Encoding) =>
    header.includes(encoding) &&
    !(header.includes("q=0") && new RegExp(`${encoding}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)`).test(header));
  if (accepts("br")) return "br";
  return accepts("gzip") ? "gzip" : "identity";
}

/** Counted as if each encoding were there: they may come later. */
function sizeOf({ html }: CachedPage): number {
  return html.length * 2 + 2_000;
}
