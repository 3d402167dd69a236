import type { Context } from "hono";

import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import { formatNumber, formatWait } from "#app/services/base/format.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { containsKey, isWellFormedKey } from "./api-key.ts";
import { findKey, noteUse } from "./key-data.server.ts";
import type { FoundKey } from "./key-data.server.ts";
import { ApiProblem, tooMany } from "./problem.ts";

const dayMs = 86_400_000;

/** For what leaves a row behind: in the security log for 180 days, and as a stored response for one. By account. */
export const dailyLimits = {
  toolCalls: { name: "MCP tool calls", max: 2_000, windowMs: dayMs, isExpected: true },
  storedResponses: { name: "calls with an Idempotency-Key", max: 5_000, windowMs: dayMs, isExpected: true },
} as const;

/** Counts against a daily limit; throws where it is reached. */
export async function countDaily(
  { rateLimits, clock }: Pick<Services, "rateLimits" | "clock">,
  limit: (typeof dailyLimits)[keyof typeof dailyLimits],
  ownerId: string,
): Promise<void> {
  const limited = await rateLimits.consume([{ limit, subject: ownerId }]);
  if (!limited) return;
  const wait = formatWait(limited.until, clock());
  const text = `An account may make ${formatNumber(limit.max)} ${limit.name} a day. Try again ${wait}.`;
  throw tooMany(text, { until: limited.until, now: clock() });
}

/** What a request is let in with: its key, and the headers that say how many requests are left. */
export type Entrance = (c: Context<AppEnv>) => Promise<{ found: FoundKey; headers: Record<string, string> }>;

/** Checks the key of a request and counts the request. Throws an `ApiProblem`. */
export function createEntrance(services: Services): Entrance {
  const limit = createRequestLimit(services.clock);
  return async (c: Context<AppEnv>) => {
    const found = await authenticate(c, services);
    const headers = limit(found.owner.keyId);
    await noteClient(services, found, c.req.header("user-agent"));
    return { found, headers };
  };
}

/** A key in a URL ends up in logs and histories; it isn't logged here, because no query is. */
export function refuseKeyInUrl(url: string) {
  if (containsKey(decodeAll(url)))
    throw new ApiProblem(
      "key_in_url",
      "Send the key in the header Authorization, and revoke this one: URLs are stored in many places.",
    );
}

/** Text that isn't well escaped stays as it is: it is the id of nothing. */
export function decodeAll(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The account that the key belongs to, which also is the one in the log. */
export async function authenticate(c: Context<AppEnv>, services: Services): Promise<FoundKey> {
  const refuse = (code: "missing_key" | "unknown_key" | "revoked_key" | "expired_key", detail: string) =>
    new ApiProblem(code, detail, {
      // RFC 6750 §3.1: no error code where nothing was sent.
      headers: { "www-authenticate": code === "missing_key" ? "Bearer" : `Bearer error="invalid_token"` },
    });
  const [, key] = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "") ?? [];
  if (key === undefined) throw refuse("missing_key", "Send a key in the header: Authorization: Bearer meishi_…");
  const found = isWellFormedKey(key) ? await findKey(services.db, key) : undefined;
  if (!found) throw refuse("unknown_key", "No account has this key. Keys are created under Account, API keys.");
  if (found.revokedAt !== null) throw refuse("revoked_key", "This key was revoked. Create another one.");
  if (found.expiresAt !== null && found.expiresAt <= services.clock())
    throw refuse("expired_key", "This key has expired. Create another one.");
  if (found.isBlocked)
    throw new ApiProblem("account_blocked", "The operator of this site has blocked the account of this key.");
  const { id, email, name, keyId } = found.owner;
  const session = { sessionId: `api-key ${keyId}`, tokenHash: "", verifiedAt: 0 };
  c.get("state").viewer = { id, email, name, isConfirmed: true, ...session };
  return found;
}

/** Remembers once a day and client that the key was used. */
async function noteClient(
  { db, clock, log }: Services,
  { owner, usedOn, usedBy }: FoundKey,
  userAgent: string | undefined,
) {
  const day = Math.floor(clock() / dayMs);
  const client = clientName(userAgent);
  if (day === usedOn && client === usedBy) return;
  // On a full disk, programs can still read.
  await noteUse(db, { keyId: owner.keyId, day, client }).catch((error: unknown) =>
    logFailure(log, error, "the use of an API key was not noted"),
  );
}

/** "curl/8.5.0" -> "curl"; browsers by name and system. */
function clientName(userAgent = ""): string {
  const [product = ""] = /^[\w.-]{1,40}/.exec(userAgent) ?? [];
  return product === "Mozilla" ? browserName(userAgent) : product || "Unknown client";
}

/** Requests of a key in a minute. Each process counts for itself, in memory: a write for each request would cost more than the request. */
export const requestsPerMinute = 600;
const windowMs = 60_000;
/** Keys whose windows have ended are forgotten at the latest when there are so many. */
const maxKeys = 10_000;

/**
 * Returns a function that counts a request of a key and returns the headers that say how many are left; it throws when there are none.
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
function createRequestLimit(clock: () => number): (keyId: string) => Record<string, string> {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (keyId) => {
    const now = clock();
    if (windows.size >= maxKeys) for (const [id, { endsAt }] of windows) if (endsAt <= now) windows.delete(id);
    let window = windows.get(keyId);
    if (!window || window.endsAt <= now) windows.set(keyId, (window = { count: 0, endsAt: now + windowMs }));
    window.count += 1;
    const seconds = String(Math.ceil((window.endsAt - now) / 1000));
    const left = Math.max(0, requestsPerMinute - window.count);
    const headers = {
      "ratelimit-policy": `"default";q=${requestsPerMinute};w=${windowMs / 1000}`,
      ratelimit: `"default";r=${left};t=${seconds}`,
    };
    if (window.count <= requestsPerMinute) return headers;
    const detail = `A key may send ${requestsPerMinute} requests a minute. Try again in ${seconds} seconds.`;
    throw new ApiProblem("rate_limited", detail, { headers: { ...headers, "retry-after": seconds } });
  };
}
