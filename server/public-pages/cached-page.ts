import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, brotliDecompressSync, constants, gzipSync } from "node:zlib";
import type { BrotliOptions } from "node:zlib";

import type { PublicPageOptions } from "#app/services/http/context.ts";
import type { StoredPage } from "#app/services/pages/rendered-page-rows.server.ts";

type Encoding = "br" | "gzip" | "identity";

/** A response body and its headers: names and values in turn, as node:http takes them. */
export type EncodedPage = { headers: string[]; body: Buffer };

/** A finished public page, and its response in each encoding that was requested so far. */
export type CachedPage = PublicPageOptions & {
  etag: string;
  /** From its Last-Modified header, in epoch milliseconds. */
  modifiedAt?: number | undefined;
  /** Those of every response, whatever its encoding. */
  headers: string[];
  htmlBytes: number;
  /** Starts with "identity" for a page that was rendered here, and with "br" for one from the database. */
  encoded: Partial<Record<Encoding, EncodedPage>>;
  storedAt: number;
  /** It may be out of date: it is served because the database can't be read. */
  isStale?: boolean;
};

/** A rendered page for the cache. `headers` are those of every response, whatever its encoding. */
export function createCachedPage(
  html: Uint8Array,
  headers: Headers,
  { now, ...options }: PublicPageOptions & { now: number },
): CachedPage {
  const ownEtag = options.isFile ? headers.get("etag") : null;
  const etag = ownEtag ?? `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  const common = new Headers(headers);
  common.delete("content-length");
  common.set("etag", etag);
  // Revalidated each time, so that a save shows at once. An unchanged page is a 304 without a body.
  common.set("cache-control", "no-cache");
  const modifiedAt = Date.parse(headers.get("last-modified") ?? "") || undefined;
  const facts = { ...options, etag, modifiedAt, headers: [...common].flat(), htmlBytes: html.length };
  return { ...facts, encoded: { identity: withHeaders(facts, "identity", Buffer.from(html)) }, storedAt: now };
}

/** A page from the database. It is decompressed only for a browser that doesn't accept brotli. */
export function fromStoredPage({ body, ...facts }: StoredPage, now: number): CachedPage {
  return { ...facts, encoded: { br: withHeaders(facts, "br", body) }, storedAt: now };
}

/** A page for the database. When no visitor requested it in brotli, another thread compresses it. */
export async function toStoredPage(page: CachedPage & { pagesVersion: string }): Promise<StoredPage> {
  const { encoded, storedAt: _, ...facts } = page;
  const body = encoded.br?.body ?? (await compress(htmlOf(encoded), brotliOptions(facts.htmlBytes)));
  return { ...facts, body };
}

/** The page in the smallest encoding that the browser accepts. Compressed once, at the first request. */
export function encodePage(page: CachedPage, acceptEncoding: string | undefined): EncodedPage {
  // A pass is a ZIP archive already.
  const encoding = page.isFile ? "identity" : bestEncoding(acceptEncoding);
  return (page.encoded[encoding] ??= withHeaders(page, encoding, encoders[encoding](htmlOf(page.encoded))));
}

function withHeaders({ headers }: Pick<CachedPage, "headers">, encoding: Encoding, body: Buffer): EncodedPage {
  const own = ["content-length", String(body.length)];
  if (encoding !== "identity") own.push("content-encoding", encoding);
  return { headers: [...headers, ...own], body };
}

function htmlOf({ identity, br }: CachedPage["encoded"]): Buffer {
  if (identity) return identity.body;
  if (br) return brotliDecompressSync(br.body);
  throw new Error("A cached page has no body.");
}

const encoders: Record<Encoding, (html: Buffer) => Buffer> = {
  br: (html) => brotliCompressSync(html, brotliOptions(html.length)),
  gzip: (html) => gzipSync(html, { level: 9 }),
  identity: (html) => html,
};

const compress = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

function brotliOptions(htmlBytes: number): BrotliOptions {
  return {
    params: {
      // Quality 9 saves 0.2 % of a page's bytes and takes a quarter longer.
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_SIZE_HINT]: htmlBytes,
      // 64 kB, which is longer than nearly every page. At quality 9 a larger window takes 15 times as long.
      [constants.BROTLI_PARAM_LGWIN]: 16,
    },
  };
}

/** RFC 9110 §12.5.3, as far as browsers use it: the best encoding that is named and has no weight of zero. */
function bestEncoding(header = ""): Encoding {
  const accepts = (encoding: Encoding) =>
    header.includes(encoding) &&
    !(header.includes("q=0") && new RegExp(`${encoding}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)`).test(header));
  if (accepts("br")) return "br";
  return accepts("gzip") ? "gzip" : "identity";
}
