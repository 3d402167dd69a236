import { timingSafeEqual } from "node:crypto";

import type { Context } from "hono";

import { hashToken } from "#app/features/wallet/data.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

import { findServedPass } from "./registration-data.server.ts";
import type { ServedPass } from "./registration-data.server.ts";

/** Phones behind one network, such as at a conference, share an address. */
export const limits = {
  wrongTokens: { name: "wallet-tokens", max: 300, windowMs: 10 * 60_000 },
  newDevices: { name: "wallet-devices", max: 3_000, windowMs: 60 * 60_000 },
  logs: { name: "wallet-logs", max: 100, windowMs: 60 * 60_000 },
} satisfies Record<string, RateLimit>;

/** The device library identifier: a random value in hexadecimal, with or without hyphens. */
export function isDeviceId(text: string): boolean {
  return /^[\da-f][\da-f-]{15,127}$/i.test(text);
}

/** Whether the path names our pass type. Never, where passes aren't configured. */
export function isOwnPassType({ applePasses }: Pick<Services, "applePasses">, text: string): boolean {
  return applePasses.state === "ready" && applePasses.signer.passTypeId === text;
}

/**
 * The pass that a request names, when its header is `Authorization: ApplePass <token>` with the pass's own token. Undefined alike for an
 * unknown pass, a wrong token and the token of another pass.
 */
export async function authorizePass(
  services: Pick<Services, "db" | "applePasses">,
  c: Context<AppEnv>,
): Promise<ServedPass | undefined> {
  const token = /^ApplePass +([\w-]{16,100})$/.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
  const serialNumber = c.req.param("serialNumber") ?? "";
  const pass = /^[\w-]{1,64}$/.test(serialNumber) ? await findServedPass(services.db, serialNumber) : undefined;
  const isRight = timingSafeEqual(digest(hashToken(token)), digest(pass?.tokenHash ?? hashToken("no pass")));
  if (!isRight || token === "" || !isOwnPassType(services, c.req.param("passTypeId") ?? "")) return undefined;
  return pass;
}

const digest = (hexadecimal: string) => Buffer.from(hexadecimal, "hex");

/** The response to a request that `authorizePass` refuses: 401, or 429 from a network that goes on guessing. */
export async function refuse({ rateLimits }: Services, c: Context<AppEnv>): Promise<Response> {
  if (await isTooMany({ rateLimits }, c, limits.wrongTokens)) return tooMany(c);
  c.header("www-authenticate", "ApplePass");
  return respond(c, 401);
}

export async function isTooMany(
  { rateLimits }: Pick<Services, "rateLimits">,
  c: Context<AppEnv>,
  limit: RateLimit,
): Promise<boolean> {
  const subject = networkOf(c.get("state").address);
  return (await rateLimits.consume([{ limit, subject }])) !== undefined;
}

export function tooMany(c: Context<AppEnv>): Response {
  c.header("retry-after", "600");
  return respond(c, 429);
}

/** A response without a body. */
export function respond(c: Context<AppEnv>, status: 200 | 201 | 204 | 400 | 401 | 404 | 405 | 429): Response {
  return c.body(null, status, { "cache-control": "no-store" });
}
