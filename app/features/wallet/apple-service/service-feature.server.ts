import type { Handler } from "hono";
import { z } from "zod";

import { applePassType, loadApplePass } from "#app/features/wallet/apple/pass-file.server.ts";
import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import { plainLine, shortened, withoutEmails } from "#app/services/base/plain-text.ts";
import type { RawRoute } from "#app/services/features/feature.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { busyResponse, plainTextResponse } from "#app/services/http/file-route.server.ts";

import {
  isDeviceId,
  isOwnPassType,
  isTooMany,
  limits,
  respond,
  tooMany,
  authorizePass,
} from "./device-request.server.ts";
import { listChangedPasses } from "./registration-data.server.ts";
import { handleRegistration, readJson } from "./registration-handler.server.ts";

/** Below the `webServiceURL` of each pass. developer.apple.com: "Adding a Web Service to Update Passes". */
export const passServiceRoutes: readonly RawRoute[] = [
  {
    method: "ALL",
    path: "/passkit/v1/devices/:deviceId/registrations/:passTypeId/:serialNumber",
    authentication: "bearer",
    maxBytes: 2_000,
    handler: handleRegistration,
  },
  {
    method: "GET",
    path: "/passkit/v1/devices/:deviceId/registrations/:passTypeId",
    authentication: "bearer",
    handler: handleChangedPasses,
  },
  {
    method: "GET",
    path: "/passkit/v1/passes/:passTypeId/:serialNumber",
    authentication: "bearer",
    handler: handleLatestPass,
  },
  {
    method: "POST",
    path: "/passkit/v1/log",
    authentication: "none: changes nothing",
    maxBytes: 20_000,
    handler: handleDeviceLog,
  },
];

/**
 * The serial numbers that changed since the tag of the last response. The tag is ours, so a device's clock doesn't matter.
 * developer.apple.com, Wallet Passes: "Get the List of Updatable Passes" (200; 204 without any). There is no token: the device's
 * identifier is the shared secret, says "Adding a Web Service to Update Passes".
 */
function handleChangedPasses(services: Services): Handler<AppEnv> {
  return async (c) => {
    const deviceId = c.req.param("deviceId") ?? "";
    if (!isDeviceId(deviceId) || !isOwnPassType(services, c.req.param("passTypeId") ?? "")) return respond(c, 204);
    if (await isTooMany(services, c, limits.requests)) return tooMany(c);
    const changed = await listChangedPasses(services.db, {
      deviceId,
      since: readTag(c.req.query("passesUpdatedSince")),
    });
    if (!changed) return respond(c, 204);
    const body = { serialNumbers: changed.cardIds, lastUpdated: String(changed.changedAt) };
    return c.json(body, 200, { "cache-control": "no-store" });
  };
}

/** A tag that isn't ours lists everything. */
function readTag(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

const entries = z.object({ logs: z.array(z.string()).transform((logs) => logs.slice(0, 10)) });

/**
 * A device says what went wrong with a pass, mostly with our responses. developer.apple.com, Wallet Passes: "Log a Message" (200). Anyone
 * can send this: it is logged without what could be a token or an address, and a network that sends many is ignored.
 */
function handleDeviceLog(services: Services): Handler<AppEnv> {
  return async (c) => {
    if (await isTooMany(services, c, limits.logs)) return respond(c, 200);
    const body = entries.safeParse(await readJson(c));
    if (!body.success) return respond(c, 400);
    services.log.warn({ messages: body.data.logs.map(cleaned) }, "a device reported a problem with a pass");
    return respond(c, 200);
  };
}

/** "token 0123456789abcdef0123 of ada@example.com" -> "token … of …" */
function cleaned(message: string): string {
  return shortened(withoutEmails(plainLine(message.slice(0, 2_000))).replace(/[\w+/=-]{20,}/g, "…"), 200);
}

/**
 * The current pass. developer.apple.com, Wallet Passes: "Send an Updated Pass" (200; 401), and the older "PassKit Web Service
 * Reference" (304 for If-Modified-Since).
 */
function handleLatestPass(services: Services): Handler<AppEnv> {
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
  return plainTextResponse("This pass can’t be made right now.", { status: 503, headers });
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
