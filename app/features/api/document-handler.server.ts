import { createHash } from "node:crypto";

import type { Handler } from "hono";

import type { AppEnv, Services } from "#app/services/http/context.ts";

/** The OpenAPI document. It changes with the version of the software alone. */
export function serveDocument({ apiDocument }: Services): Handler<AppEnv> {
  const json = JSON.stringify(apiDocument);
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "cache-control": "public, max-age=300",
    // Public: tools in any page may read it.
    "access-control-allow-origin": "*",
    etag,
  };
  return (c) => {
    const isKnown = c.req.header("if-none-match")?.includes(etag) ?? false;
    return isKnown ? c.body(null, 304, headers) : c.body(json, 200, { ...headers, "content-type": "application/json" });
  };
}
