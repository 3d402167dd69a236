import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";

/** Serves built files, whose names contain a hash of their content. A missing file leads to the 404 page. */
export function builtAssets(folder: string): MiddlewareHandler {
  const serve = serveStatic({
    root: folder,
    precompressed: true,
    onFound: (_path, c) => {
      c.header("accept-ranges", "bytes");
      c.header("cache-control", "public, max-age=31536000, immutable");
      c.header("x-content-type-options", "nosniff");
    },
  });
  return async (c, next) => {
    if (!isSingleRange(c.req.header("range"))) dropRangeHeader(c);
    const response = await serve(c, next);
    // No cache may store the error.
    if (response?.status === 416) response.headers.delete("cache-control");
    return response;
  };
}

/** Whether a Range header names one valid range ("bytes=0-1", as iOS sends before it plays a film). Others are ignored (RFC 9110 §14.2). */
function isSingleRange(range: string | undefined): boolean {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === "") return last !== "";
  return last === "" || Number(first) <= Number(last);
}

function dropRangeHeader(c: Context) {
  if (c.req.header("range") === undefined) return;
  const headers = new Headers(c.req.raw.headers);
  headers.delete("range");
  c.req.raw = new Request(c.req.raw, { headers });
}
