import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";

/** Files whose names carry a hash of what is in them: kept for a year. What is not there goes on to the 404 page. */
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
    if (!isOneRange(c.req.header("range"))) forgetRange(c);
    const answer = await serve(c, next);
    // A part that is not there is nothing to keep.
    if (answer?.status === 416) answer.headers.delete("cache-control");
    return answer;
  };
}

/**
 * Whether this asks for one part of the file ("bytes=0-1", as iOS does before it plays a film). RFC 9110 §14.2: what is anything
 * else, several parts among it, may be answered as if it was not there, with the whole file.
 */
function isOneRange(range: string | undefined): boolean {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === "") return last !== "";
  return last === "" || Number(first) <= Number(last);
}

function forgetRange(c: Context) {
  if (c.req.header("range") === undefined) return;
  const headers = new Headers(c.req.raw.headers);
  headers.delete("range");
  c.req.raw = new Request(c.req.raw, { headers });
}
