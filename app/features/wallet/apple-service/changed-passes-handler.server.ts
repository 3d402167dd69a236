import type { Handler } from "hono";

import type { AppEnv, Services } from "#app/services/http/context.ts";

import { isDeviceId, isOwnPassType, isTooMany, limits, respond, tooMany } from "./device-request.server.ts";
import { listChangedPasses } from "./registration-data.server.ts";

/**
 * The serial numbers that changed since the tag of the last response. The tag is ours, so a device's clock doesn't matter.
 * developer.apple.com, Wallet Passes: "Get the List of Updatable Passes" (200; 204 without any). There is no token: the device's
 * identifier is the shared secret, says "Adding a Web Service to Update Passes".
 */
export function handleChangedPasses(services: Services): Handler<AppEnv> {
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
