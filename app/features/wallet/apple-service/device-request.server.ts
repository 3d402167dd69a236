import { timingSafeEqual } from "node:crypto";

import type { Context } from "hono";

import { hashToken } from "#app/features/wallet/data.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { nearbyNetworkOf, networkOf } from "#app/services/http/rate-limits.server.ts";
import type { Attempt, RateLimit } from "#app/services/http/rate-limits.server.ts";

import { findServedPass } from "./registration-data.server.ts";
import type { ServedPass } from "./registration-data.server.ts";

/** Phones behind one network, such as at a conference or of a mobile carrier, share an address. */
export const limits = {
  /** All requests of devices about passes. A change of a pass on many phones brings two from each. */
  requests: { name: "wallet-requests", max: 6_000, windowMs: 10 * 60_000 },
  wrongTokens: { name: "wallet-tokens", max: 300, windowMs: 10 * 60_000 },
  newDevices: { name: "wallet-devices", max: 3_000, windowMs: 60 * 60_000 },
  newDevicesNearby: { name: "wallet-devices-nearby", max: 6_000, windowMs: 60 * 60_000 },
  /** The token of a public card is in its file, so anyone can invent devices. */
  newDevicesOfPass: { name: "wallet-devices-of-pass", max: 1_000, windowMs: 60 * 60_000 },
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
 * The pass that a request names, when its header is `Authorization: ApplePass <token>` with the pass's own token. Otherwise the response
 * that refuses it: 401 alike for an unknown pass, a wrong token and the token of another pass, or 429 for a network that sends too much.
 */
export async function authorizePass(services: Services, c: Context<AppEnv>): Promise<ServedPass | Response> {
  const token = /^ApplePass +([\w-]{16,100})$/.exec(c.req.header("authorization") ?? "")?.[1];
  const serialNumber = c.req.param("serialNumber") ?? "";
  const isWellFormed = token !== undefined && /^[\w-]{1,64}$/.test(serialNumber);
  if (!isWellFormed || !isOwnPassType(services, c.req.param("passTypeId") ?? "")) return refuse(services, c);
  if (await isTooMany(services, c, limits.requests)) return tooMany(c);
  const pass = await findServedPass(services.db, serialNumber);
  const isRight = timingSafeEqual(digest(hashToken(token)), digest(pass?.tokenHash ?? hashToken("no pass")));
  return pass && isRight ? pass : refuse(services, c);
}

const digest = (hexadecimal: string) => Buffer.from(hexadecimal, "hex");

async function refuse({ rateLimits }: Services, c: Context<AppEnv>): Promise<Response> {
  if (await isTooMany({ rateLimits }, c, limits.wrongTokens)) return tooMany(c);
  c.header("www-authenticate", "ApplePass");
  return respond(c, 401);
}

/** Counts a registration against the limits of its networks and, for a device that is new to the pass, of the pass. */
export async function isTooManyDevices(
  { rateLimits }: Pick<Services, "rateLimits">,
  c: Context<AppEnv>,
  { cardId, isNew }: { cardId: string; isNew: boolean },
): Promise<boolean> {
  const { address } = c.get("state");
  const attempts: Attempt[] = [
    { limit: limits.newDevices, subject: networkOf(address) },
    { limit: limits.newDevicesNearby, subject: nearbyNetworkOf(address) },
  ];
  if (isNew) attempts.push({ limit: limits.newDevicesOfPass, subject: cardId });
  return (await rateLimits.consume(attempts)) !== undefined;
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
