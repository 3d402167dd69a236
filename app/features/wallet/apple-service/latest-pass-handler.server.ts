import type { Handler } from "hono";

import { applePassType, loadApplePass } from "#app/features/wallet/apple/pass-file.server.ts";
import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import { busyResponse, plainTextResponse } from "#app/services/http/file-route.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { authorizePass } from "./device-request.server.ts";

/**
 * The current pass. developer.apple.com, Wallet Passes: "Send an Updated Pass" (200; 401), and the older "PassKit Web Service
 * Reference" (304 for If-Modified-Since).
 */
export function handleLatestPass(services: Services): Handler<AppEnv> {
  return async (c) => {
    const issued = await authorizePass(services, c);
    if (issued instanceof Response) return issued;
    const content = await loadIssuedContent(services, issued.cardId);
    const requestedBy = c.get("state").address;
    const pass = await loadApplePass(services, { content, ownerId: issued.ownerId, requestedBy });
    if (!pass) return expiredResponse();
    const headers = {
      etag: pass.etag,
      "last-modified": lastModified(pass.changedAt, services.clock()),
      "cache-control": "no-store",
    };
    const since = Date.parse(c.req.header("if-modified-since") ?? "");
    if (isUnchanged(since, pass.changedAt, services.clock())) return c.body(null, 304, headers);
    const body = await pass.read();
    if (body === "busy") return busyResponse();
    return c.body(body, 200, { ...headers, "content-type": applePassType });
  };
}

/** The certificate has expired. The device asks again later. */
function expiredResponse(): Response {
  const headers = { "retry-after": "3600", "cache-control": "no-store" };
  return plainTextResponse("This pass can't be made right now.", { status: 503, headers });
}

/** RFC 9110 §8.8.2.2: never of the current second, or a second change within it would be taken for the first one. */
function lastModified(changedAt: number, now: number): string {
  return new Date(Math.min(changedAt, now - 1000)).toUTCString();
}

/**
 * The header has whole seconds. RFC 2616 §14.25: a time in the future is invalid. One of ours never is, unless a clock was wrong, and the
 * device would then miss changes until that time.
 */
function isUnchanged(since: number, changedAt: number, now: number): boolean {
  return since <= now && Math.floor(changedAt / 1000) * 1000 <= since;
}
