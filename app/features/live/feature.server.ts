import type { Context, Handler } from "hono";

import { refusalText } from "#app/services/events/live/live-connections.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { findCaller } from "#app/services/features/function-route.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { isOwnOrigin } from "#app/services/http/own-origin.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

export const feature: Feature = {
  rawRoutes: [{ method: "GET", path: "/events", authentication: "session-or-bearer", handler: handleEvents }],
};

/** `GET /events`: what happens in the caller's account, as server-sent events (WHATWG HTML, 9.2) until the session ends. */
function handleEvents(services: Services): Handler<AppEnv> {
  return async (c) => {
    c.set("isJson", true);
    if (isFromOtherSite(c, services)) return refuse(c, 403, "This request didn’t come from a page on this site.");
    const caller = await findCaller(c, services);
    if (!caller || caller === "other origin") {
      c.header("www-authenticate", "Bearer");
      return refuse(c, 401, "Sign in, or send the token of a session.");
    }
    const state = c.get("state");
    state.viewer = caller;
    // Hono calls this for HEAD as well, and would never read the stream.
    if (c.req.raw.method === "HEAD") return c.body(null, 200, streamHeaders);
    const socket = c.env?.incoming?.socket;
    const stream = services.live.connect({
      ownerId: caller.id,
      sessionId: caller.sessionId,
      tokenHash: caller.tokenHash,
      network: networkOf(state.address),
      lastEventId: c.req.header("last-event-id"),
      destroy: socket?.destroy && (() => void socket.destroy?.()),
    });
    if (typeof stream !== "string") return c.body(stream, 200, streamHeaders);
    c.header("retry-after", "60");
    return refuse(c, stream === "account" || stream === "network" ? 429 : 503, refusalText(stream));
  };
}

/** Another site can't read the stream, but could keep it open. Programs send neither header. */
function isFromOtherSite(c: Context<AppEnv>, { config }: Services): boolean {
  const { headers } = c.req.raw;
  const isBrowser = headers.has("origin") || headers.has("sec-fetch-site");
  return isBrowser && !headers.has("authorization") && !isOwnOrigin(headers, config);
}

function refuse(c: Context<AppEnv>, status: 401 | 403 | 429 | 503, error: string): Response {
  return c.json({ error }, status, { "cache-control": "no-store" });
}

const streamHeaders = {
  "content-type": "text/event-stream",
  // A proxy that compressed it would wait for more.
  "cache-control": "no-store, no-transform",
  // nginx: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
  "x-accel-buffering": "no",
};
