import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";

/** Files whose names carry a hash of what is in them: kept for a year. What is not there goes on to the 404 page. */
export function builtAssets(folder: string): MiddlewareHandler {
  return serveStatic({
    root: folder,
    precompressed: true,
    onFound: (_path, c) => {
      c.header("cache-control", "public, max-age=31536000, immutable");
      c.header("x-content-type-options", "nosniff");
    },
  });
}
