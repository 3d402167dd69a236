import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import type { StoredPage } from "#app/services/pages/rendered-page-rows.server.ts";

import { createCachedPage, encodePage } from "./cached-page.ts";
import type { CachedPage } from "./cached-page.ts";
import { createPageCache } from "./page-cache.ts";
import { toPageResponse } from "./page-response.ts";

const html = (text: string) => new TextEncoder().encode(`<!doctype html><p>${text}</p>`);

function pageOf(ownerId: string, text = ownerId) {
  const facts = { ownerId, subject: `profile:${ownerId}`, now: 0 };
  return createCachedPage(html(text), new Headers({ "content-type": "text/html" }), facts);
}

type Find = (path: string) => Promise<StoredPage | "unavailable" | undefined>;
type CacheOptions = { maxBytes?: number; timeToLive?: number; find?: Find };

function cacheWith({ maxBytes = 1_000_000, timeToLive = 60_000, find }: CacheOptions = {}) {
  const clock = { now: 0 };
  const pages = createPageCache({
    maxBytes,
    timeToLive: () => timeToLive,
    clock: () => clock.now,
    stored: { find: find ?? (async () => undefined) },
    isStored: () => find !== undefined,
  });
  const put = (path: string, ownerId: string) => pages.end(pages.begin(), path, pageOf(ownerId, path));
  return { pages, put, clock };
}

describe("the page cache", () => {
  test("drops all pages of one owner and no others, and stores none whose render began before", () => {
    const { pages, put } = cacheWith();
    for (const path of ["/u/ada", "/card/1"]) put(path, "ada");
    put("/u/bob", "bob");
    const render = pages.begin();
    pages.drop("ada");
    pages.end(render, "/card/1", pageOf("ada", "before the save"));
    expect(["/u/ada", "/card/1", "/u/bob"].map((path) => pages.find(path) !== undefined)).toEqual([false, false, true]);
  });

  test("stays within its bytes and evicts the least recently used pages", () => {
    const { pages, put } = cacheWith({ maxBytes: 10_000 });
    for (let n = 0; n < 8; n++) {
      put(`/u/${n}`, `owner-${n}`);
      pages.find("/u/0");
    }
    expect(pages.size().bytes).toBeLessThanOrEqual(10_000);
    expect(pages.size().pages).toBeLessThan(8);
    expect(pages.find("/u/7")).toBeDefined();
    expect(pages.find("/u/0")).toBeDefined();
    expect(pages.find("/u/1")).toBeUndefined();
  });

  test("serves no page beyond its time to live, nor after the moment when its content changes", () => {
    const { pages, put, clock } = cacheWith({ timeToLive: 1_500 });
    const isFoundAt = (now: number) => {
      clock.now = now;
      return pages.find("/u/ada") !== undefined;
    };
    put("/u/ada", "ada");
    expect([isFoundAt(1_500), isFoundAt(1_501), pages.size().bytes]).toEqual([true, false, 0]);
    const facts = { ownerId: "ada", subject: "profile:ada", endsAt: 2_000, now: 1_501 };
    pages.end(pages.begin(), "/u/ada", createCachedPage(html("until then"), new Headers(), facts));
    expect([isFoundAt(1_999), isFoundAt(2_000), pages.size().bytes]).toEqual([true, false, 0]);
  });

  test("drops everything, running renders included, after the bus was down, and counts no bytes of dropped pages", () => {
    const { pages, put } = cacheWith();
    for (let n = 0; n < 50; n++) put("/u/ada", "ada");
    const render = pages.begin();
    pages.dropAll();
    pages.end(render, "/u/bob", pageOf("bob"));
    expect(pages.size()).toEqual({ pages: 0, bytes: 0 });
    for (let n = 0; n < 50; n++) put("/u/ada", "ada");
    pages.drop("ada");
    expect(pages.size()).toEqual({ pages: 0, bytes: 0 });
  });
});

function cacheWithDatabase() {
  const reads: { path: string; end: (page: StoredPage | undefined) => void }[] = [];
  const find = (path: string) => new Promise<StoredPage | undefined>((end) => reads.push({ path, end }));
  return { ...cacheWith({ find }), reads };
}
const stored = (text: string): StoredPage => {
  const body = brotliCompressSync(text);
  return { ownerId: "ada", pagesVersion: "", etag: '"a"', headers: [], htmlBytes: text.length, body };
};
const textOf = (page: CachedPage | undefined) => page && encodePage(page, "identity").body.toString();

test("a page in the database is read once for concurrent requests, and then cached", async () => {
  const { pages, reads } = cacheWithDatabase();
  const requests = [pages.findStored("/u/ada"), pages.findStored("/u/ada"), pages.findStored("/card/1")];
  expect(reads.map(({ path }) => path)).toEqual(["/u/ada", "/card/1"]);
  for (const { path, end } of reads) end(stored(path));
  expect((await Promise.all(requests)).map(textOf)).toEqual(["/u/ada", "/u/ada", "/card/1"]);
  expect(textOf(pages.find("/u/ada"))).toBe("/u/ada");
});

test("a page is served up to an hour longer while the database can't be read, until it ends, and not once it is gone there", async () => {
  let answer: "unavailable" | undefined = "unavailable";
  const { pages, put, clock } = cacheWith({ find: async () => answer });
  const staleAt = async (now: number) => {
    clock.now = now;
    const page = await pages.findStored("/u/ada");
    const request = { method: "GET", path: "", search: "", headers: {}, address: "" };
    return page && toPageResponse(page, request).headers.includes("max-age=10");
  };
  put("/u/ada", "ada");
  expect([await staleAt(60_001), await staleAt(3_600_000), await staleAt(3_600_001)]).toEqual([true, true, undefined]);
  const ending = { ownerId: "ada", subject: "profile:ada", endsAt: 3_700_000, now: 3_600_001 };
  pages.end(pages.begin(), "/u/ada", createCachedPage(html("until then"), new Headers(), ending));
  expect([await staleAt(3_699_999), await staleAt(3_700_000)]).toEqual([true, undefined]);
  clock.now = 0;
  put("/u/ada", "ada");
  // Notifications arrive again.
  pages.dropAll();
  expect([pages.find("/u/ada"), await staleAt(0)]).toEqual([undefined, true]);
  answer = undefined;
  await pages.findStored("/u/ada");
  answer = "unavailable";
  expect(await pages.findStored("/u/ada")).toBeUndefined();
});

test("a page in the database is read again by a request after a save, and the earlier one is not cached", async () => {
  const { pages, reads } = cacheWithDatabase();
  const before = pages.findStored("/u/ada");
  pages.drop("ada");
  const after = pages.findStored("/u/ada");
  expect(reads).toHaveLength(2);
  reads[0]?.end(stored("before the save"));
  await before;
  expect(pages.find("/u/ada")).toBeUndefined();
  void pages.findStored("/u/ada");
  expect(reads).toHaveLength(2);
  reads[1]?.end(undefined);
  expect(await after).toBeUndefined();
});

test("a cached page has the same text in each encoding, its length, and an ETag of its text", () => {
  const text = "Grüße".repeat(100);
  const page = pageOf("ada", text);
  const decoded = (accepted: string | undefined) => {
    const { headers, body } = encodePage(page, accepted);
    const valueOf = (name: string) => headers[headers.indexOf(name) + 1];
    const encoding = headers.includes("content-encoding") ? valueOf("content-encoding") : undefined;
    expect(valueOf("content-length")).toBe(String(body.length));
    const plain = encoding === "gzip" ? gunzipSync(body) : encoding === "br" ? brotliDecompressSync(body) : body;
    expect(Buffer.from(plain).equals(Buffer.from(html(text)))).toBe(true);
    return encoding;
  };
  const accepted = ["gzip, deflate", "gzip, br", undefined, "br;q=0, gzip", "gzip;q=0, br;q=0"];
  expect(accepted.map(decoded)).toEqual(["gzip", "br", undefined, "gzip", undefined]);
  expect(page.etag).not.toBe(pageOf("ada", "something else").etag);
});
