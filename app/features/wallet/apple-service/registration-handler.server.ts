import type { Context, Handler } from "hono";
import { z } from "zod";

import type { AppEnv, Services } from "#app/services/http/context.ts";

import { authorizePass, isDeviceId, isTooManyDevices, respond, tooMany } from "./device-request.server.ts";
import { findRegistration, registerDevice, unregisterDevice } from "./registration-data.server.ts";

const registration = z.object({ pushToken: z.string().regex(/^[\da-f]{32,400}$/i) });

/**
 * A device adds or removes a pass. developer.apple.com, Wallet Passes: "Register a Pass for Update Notifications" (201; 200 when the
 * device is registered already; 401) and "Unregister a Pass for Update Notifications" (200; 401).
 */
export function handleRegistration(services: Services): Handler<AppEnv> {
  return async (c) => {
    const { method } = c.req;
    if (method !== "POST" && method !== "DELETE") {
      c.header("allow", "POST, DELETE");
      return respond(c, 405);
    }
    const deviceId = c.req.param("deviceId") ?? "";
    if (!isDeviceId(deviceId)) return respond(c, 400);
    const pass = await authorizePass(services, c);
    if (pass instanceof Response) return pass;
    if (method === "DELETE") {
      await unregisterDevice(services.db, { deviceId, pass });
      return respond(c, 200);
    }
    const body = registration.safeParse(await readJson(c));
    if (!body.success) return respond(c, 400);
    const { pushToken } = body.data;
    const known = await findRegistration(services.db, { deviceId, pass });
    if (known?.pushToken === pushToken && services.clock() - known.updatedAt < repeatMs) return respond(c, 200);
    if (await isTooManyDevices(services, c, { cardId: pass.cardId, isNew: !known })) return tooMany(c);
    const result = await registerDevice(services, { deviceId, pass, pushToken });
    return result === "full" ? tooMany(c) : respond(c, result === "added" ? 201 : 200);
  };
}

/** A registration that repeats the last one writes nothing for so long. Later it proves that its token is still valid. */
const repeatMs = 60 * 60_000;

/** Undefined for malformed JSON. */
export async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const text = await c.req.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
