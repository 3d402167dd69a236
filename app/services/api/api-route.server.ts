import type { Context, Handler } from "hono";

import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { isDiskFull, isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";
import type { RawRoute } from "#app/services/features/feature.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";

import { containsKey, isWellFormedKey } from "./api-key.ts";
import { endCall, hashRequest, startCall } from "./call-data.server.ts";
import type { StoredResponse } from "./call-data.server.ts";
import { findKey, noteUse } from "./key-data.server.ts";
import type { FoundKey } from "./key-data.server.ts";
import { ApiProblem, problems, toDocument } from "./problem.ts";
import { readBody, readQuery, readVersion } from "./request.server.ts";
import type { Call, Operation, Resource, Result } from "./resource.ts";

export const apiPath = "/api/v1";
const dayMs = 86_400_000;

/** The routes of the API of all features. Throws when two operations have the same id, or the same method and path. */
export function apiRoutes(features: readonly { resources?: readonly Resource[] }[]): RawRoute[] {
  const operations = features.flatMap(({ resources = [] }) => resources).flatMap((resource) => resource.operations);
  const matchers = operations.map((operation) => ({ operation, pattern: pathPattern(operation.path) }));
  for (const key of [
    (one: Operation) => one.id,
    (one: Operation) => `${one.method} ${one.path.replaceAll(/{\w+}/g, "{}")}`,
  ])
    if (new Set(operations.map(key)).size < operations.length) throw new Error("Two operations of the API are alike.");

  const route = (path: string, isElsewhere: (c: Context<AppEnv>) => boolean): RawRoute => ({
    method: "ALL",
    path,
    authentication: "bearer",
    maxBytes: "streamed",
    handler: (services) => {
      const handle = createHandler(services, matchers);
      return (c, next) => (isElsewhere(c) ? next() : handle(c, next));
    },
  });
  // The specification's address of one operation; without a key it is a page of the site.
  const isForPage = ({ req }: Context<AppEnv>) =>
    req.method !== "OPTIONS" && (req.method !== "POST" || !req.header("authorization"));
  return [route(`${apiPath}/*`, () => false), route("/cards", isForPage)];
}

type Matcher = { operation: Operation; pattern: RegExp };

/** "/cards/{id}" -> /^\/cards\/(?<id>[^/]+)$/ */
function pathPattern(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replaceAll(/{(\w+)}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}

function createHandler(services: Services, matchers: readonly Matcher[]): Handler<AppEnv> {
  const limit = createRequestLimit(services.clock);
  return async (c) => {
    // Programs in any browser page may call the API: it ignores cookies, and a page can't read a key it doesn't have.
    const headers: Record<string, string> = { ...corsHeaders, "cache-control": "no-store" };
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { ...headers, ...preflight } });
    try {
      const { operation, params } = findOperation(matchers, c);
      const found = await authenticate(c, services);
      Object.assign(headers, limit(found.owner.keyId));
      if (!found.scopes.includes(operation.scope))
        throw new ApiProblem("missing_scope", `This call needs a key with the scope ${operation.scope}.`);
      await noteClient(services, found, c.req.header("user-agent"));
      const response = await respond(c, services, { operation, params, owner: found.owner });
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    } catch (error) {
      const problem = toProblem(error, services);
      const { id } = c.get("state");
      return Response.json(toDocument(problem, id), {
        status: problems[problem.code].status,
        headers: { ...headers, ...problem.headers, "content-type": "application/problem+json" },
      });
    }
  };
}

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After",
};
const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match",
  "access-control-max-age": "86400",
};

/** A key in a URL ends up in logs and histories; it isn't logged here, because no query is. */
function findOperation(matchers: readonly Matcher[], c: Context<AppEnv>) {
  const { pathname, search } = new URL(c.req.url);
  if (containsKey(decodeAll(pathname + search)))
    throw new ApiProblem(
      "key_in_url",
      "Send the key in the header Authorization, and revoke this one: URLs are stored in many places.",
    );
  const path = pathname.startsWith(apiPath) ? pathname.slice(apiPath.length) : pathname;
  const onPath = matchers.flatMap(({ operation, pattern }) => {
    const match = pattern.exec(path);
    return match ? [{ operation, params: decodeParams(match.groups ?? {}) }] : [];
  });
  // An id of ours; PostgreSQL refuses other text.
  const isId = (text: string) => /^[\w.:-]{1,100}$/.test(text);
  if (onPath.some(({ params }) => !Object.values(params).every(isId)))
    throw new ApiProblem("not_found", "There is nothing with this id.");
  if (onPath.length === 0)
    throw new ApiProblem("not_found", "The API has no such path. Its reference is at /docs/api.");
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const found = onPath.find(({ operation }) => operation.method === method);
  if (found) return found;
  const allow = onPath.map(({ operation }) => (operation.method === "GET" ? "GET, HEAD" : operation.method)).join(", ");
  throw new ApiProblem("method_not_allowed", `Use ${allow}.`, { headers: { allow } });
}

function decodeParams(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeAll(value)]));
}

/** Text that isn't well escaped stays as it is: it is the id of nothing. */
function decodeAll(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The account that the key belongs to, which also is the one in the log. */
export async function authenticate(c: Context<AppEnv>, services: Services): Promise<FoundKey> {
  const refuse = (code: "missing_key" | "unknown_key" | "revoked_key" | "expired_key", detail: string) =>
    new ApiProblem(code, detail, { headers: { "www-authenticate": `Bearer error="invalid_token"` } });
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
async function noteClient({ db, clock }: Services, { owner, usedOn, usedBy }: FoundKey, userAgent: string | undefined) {
  const day = Math.floor(clock() / dayMs);
  const client = clientName(userAgent);
  if (day !== usedOn || client !== usedBy) await noteUse(db, { keyId: owner.keyId, day, client });
}

/** "curl/8.5.0" -> "curl"; browsers by name and system. */
function clientName(userAgent = ""): string {
  const [product = ""] = /^[\w.-]{1,40}/.exec(userAgent) ?? [];
  return product === "Mozilla" ? browserName(userAgent) : product || "Unknown client";
}

type Found = Pick<Call, "params" | "owner"> & { operation: Operation };

async function respond(c: Context<AppEnv>, services: Services, found: Found): Promise<Response> {
  const { operation, owner } = found;
  const { raw: request } = c.req;
  const { pathname, searchParams } = new URL(request.url);
  const { raw, body } = await readBody(request, operation);
  const query = readQuery(searchParams, operation);
  const idempotencyKey = operation.method === "POST" ? request.headers.get("idempotency-key") : null;
  const requestHash = hashRequest(operation.method, pathname, raw);
  const { id: requestId, address } = c.get("state");
  const call: Call = {
    ...found,
    body,
    query,
    version: readVersion(request.headers),
    callId: idempotencyKey === null ? requestId : `${owner.keyId}\n${idempotencyKey}\n${requestHash}`,
    origin: { headers: request.headers, address },
  };
  const run = async () => toResponse(c, operation, await operation.run(services, call));
  if (idempotencyKey === null) return run();
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new ApiProblem("invalid_request", "An Idempotency-Key has 1 to 255 visible ASCII characters.");
  const stored = { keyId: owner.keyId, ownerId: owner.id, idempotencyKey, now: services.clock() };
  return runOnce(services, { ...stored, requestHash }, run);
}

/** Runs a call once per `Idempotency-Key`. What failed on our side may be sent again. */
async function runOnce(
  { db }: Services,
  call: Parameters<typeof startCall>[1],
  run: () => Promise<Response>,
): Promise<Response> {
  const before = await startCall(db, call);
  if (before === "running")
    throw new ApiProblem(
      "conflict",
      "The first request with this Idempotency-Key is still running. Send it again later.",
    );
  if (before === "other")
    throw new ApiProblem(
      "idempotency_mismatch",
      "Another request was sent with this Idempotency-Key in the last 24 hours.",
    );
  if (before !== "new") return new Response(before.body, { status: before.status, headers: before.headers });
  let done: StoredResponse | undefined;
  try {
    const response = await run();
    const body = await response.text();
    done = { status: response.status, headers: Object.fromEntries(response.headers), body };
    return new Response(body, done);
  } finally {
    await endCall(db, call, done);
  }
}

function toResponse(c: Context<AppEnv>, operation: Operation, result: Result): Response {
  const { body, version, nextCursor, location } = result;
  const status = result.status ?? operation.response.status;
  const headers = new Headers();
  if (version !== undefined) headers.set("etag", `"${version}"`);
  if (location !== undefined) headers.set("location", apiPath + location);
  if (typeof nextCursor === "string") {
    const next = new URL(c.req.url);
    next.searchParams.set("cursor", nextCursor);
    headers.set("link", `<${next.pathname}${next.search}>; rel="next"`);
  }
  if (version !== undefined && c.req.method === "GET" && c.req.header("if-none-match") === `"${version}"`)
    return new Response(null, { status: 304, headers });
  if (status === 204) return new Response(null, { status, headers });
  const { mediaType = "application/json" } = operation.response;
  headers.set("content-type", mediaType);
  const isText = mediaType !== "application/json" && typeof body === "string";
  const content = isText ? body : JSON.stringify(body);
  return new Response(c.req.method === "HEAD" ? null : content, { status, headers });
}

/** Errors that nothing expects are logged; their cause isn't sent. */
function toProblem(error: unknown, { log }: Services): ApiProblem {
  if (error instanceof ApiProblem) return error;
  logFailure(log, error, "API call failed");
  if (isOutcomeUnknown(error))
    return new ApiProblem(
      "outcome_unknown",
      "Read the resource before you send this again, or use an Idempotency-Key.",
    );
  if (isUnavailable(error))
    return new ApiProblem("unavailable", "Send the request again later.", { headers: { "retry-after": "5" } });
  if (isDiskFull(error)) return new ApiProblem("unavailable", "The server is out of disk space. Nothing was changed.");
  return new ApiProblem("internal", "The error was logged with the request id.");
}

/** Requests of a key in a minute. Each process counts for itself, in memory: a write for each request would cost more than the request. */
const requestsPerMinute = 600;
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
