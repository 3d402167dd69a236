import type { Handler } from "hono";
import { z } from "zod";

import { plainLine, shortened, withoutEmails } from "#app/services/base/plain-text.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { isTooMany, limits, respond } from "./device-request.server.ts";
import { readJson } from "./registration-handler.server.ts";

const entries = z.object({ logs: z.array(z.string()).transform((logs) => logs.slice(0, 10)) });

/**
 * A device says what went wrong with a pass, mostly with our responses. developer.apple.com, Wallet Passes: "Log a Message" (200). Anyone
 * can send this: it is logged without what could be a token or an address, and a network that sends many is ignored.
 */
export function handleDeviceLog(services: Services): Handler<AppEnv> {
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
