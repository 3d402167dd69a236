import type { Context, Handler } from "hono";
import { z } from "zod";

import type { AppEnv, Services } from "#app/services/http/context.ts";

import { authorizePass, isDeviceId, isTooMany, limits, refuse, respond, tooMany } from "./device-request.server.ts";
import { isRegistered, registerDevice, unregisterDevice } from "./registration-data.server.ts";

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
    const pass = await authorizePass(services, c);
    if (!pass) return refuse(services, c);
    if (!isDeviceId(deviceId)) return respond(c, 400);
    if (method === "DELETE") {
      await unregisterDevice(services.db, { deviceId, pass });
      return respond(c, 200);
    }
    const body = registration.safeParse(await readJson(c));
    if (!body.success) return respond(c, 400);
    const isNew = !(await isRegistered(services.db, { deviceId, pass }));
    if (isNew && (await isTooMany(services, c, limits.newDevices))) return tooMany(c);
    const { pushToken } = body.data;
    return respond(c, (await registerDevice(services, { deviceId, pass, pushToken })) ? 201 : 200);
  };
}

/** Undefined for malformed JSON. */
export async function readJson(c: Context<AppEnv>): Promise<unknown> {
  const text = await c.req.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
