import type { Context, Handler } from "hono";

import { isDiskFull, isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";
import type { RawRoute } from "#app/services/features/feature.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";

import { endCall, hashRequest, startCall } from "./call-data.server.ts";
import type { StoredResponse } from "./call-data.server.ts";
import { createMcpHandler } from "./mcp-route.server.ts";
import {
  authenticate,
  countDaily,
  createEntrance,
  dailyLimits,
  decodeAll,
  refuseKeyInUrl,
} from "./key-checks.server.ts";
import type { Entrance } from "./key-checks.server.ts";
import { ApiProblem, problems, toDocument } from "./problem.ts";
import { readBody, readQuery, readVersion } from "./request.server.ts";
import type { Call, Operation, Resource, Result } from "./resource.ts";

export const apiPath = "/api/v1";

/** The routes of the API of all features. Throws when two operations have the same id, or the same method and path. */
export function apiRoutes(features: readonly { resources?: readonly Resource[] }[]): RawRoute[] {
  const operations = features.flatMap(({ resources = [] }) => resources).flatMap((resource) => resource.operations);
  const matchers = operations.map((operation) => ({ operation, pattern: pathPattern(operation.path) }));
  for (const key of [
    (one: Operation) => one.id,
    (one: Operation) => `${one.method} ${one.path.replaceAll(/{\w+}/g, "{}")}`,
  ])
    if (new Set(operations.map(key)).size < operations.length) throw new Error("Two operations of the API are alike.");

  let shared: Entrance | undefined;
  const entranceOf = (services: Services) => (shared ??= createEntrance(services));
  const route = (path: string, open: (services: Services) => Handler<AppEnv>): RawRoute => ({
    method: "ALL",
    path,
    authentication: "bearer",
    maxBytes: "streamed",
    handler: (services) => withProblems(services, open(services)),
  });
  const api = (services: Services) => createHandler(services, { matchers, enter: entranceOf(services) });
  // The specification's address of one operation; without a key it is a page of the site.
  const isForPage = ({ req }: Context<AppEnv>) =>
    req.method !== "OPTIONS" && (req.method !== "POST" || !req.header("authorization"));
  // The specific paths first: the next one has them all.
  const slow = operations.flatMap(({ file, path }) => (file ? [apiPath + path.replaceAll(/{(\w+)}/g, ":$1")] : []));
  return [
    ...slow.map((path) => ({ ...route(path, api), isSlow: true })),
    route(`${apiPath}/*`, api),
    {
      ...route("/cards", api),
      handler: (services) => {
        const handle = withProblems(services, api(services));
        return (c, next) => (isForPage(c) ? next() : handle(c, next));
      },
    },
    route("/mcp", (services) => createMcpHandler({ services, operations, enter: entranceOf(services) })),
  ];
}

/** Responds with a problem document to whatever a handler throws. */
function withProblems(services: Services, handle: Handler<AppEnv>): Handler<AppEnv> {
  return async (c, next) => {
    try {
      refuseKeyInUrl(c.req.url);
      return await handle(c, next);
    } catch (error) {
      const problem = toProblem(error, services);
      return Response.json(toDocument(problem, c.get("state").id), {
        status: problems[problem.code].status,
        headers: { ...baseHeaders, ...problem.headers, "content-type": "application/problem+json" },
      });
    }
  };
}

type Matcher = { operation: Operation; pattern: RegExp };

/** "/cards/{id}" -> /^\/cards\/(?<id>[^/]+)$/ */
function pathPattern(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replaceAll(/{(\w+)}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}

type HandlerDeps = { matchers: readonly Matcher[]; enter: Entrance };

function createHandler(services: Services, { matchers, enter }: HandlerDeps): Handler<AppEnv> {
  return async (c) => {
    if (c.req.method === "OPTIONS")
      return new Response(null, { status: 204, headers: { ...baseHeaders, ...preflight } });
    const { operation, params } = findOperation(matchers, c);
    const { found, headers } = await enter(c);
    try {
      if (!found.scopes.includes(operation.scope))
        throw new ApiProblem("missing_scope", `This call needs a key with the scope ${operation.scope}.`);
      const response = await respond(c, services, { operation, params, owner: found.owner });
      for (const [name, value] of Object.entries({ ...baseHeaders, ...headers })) response.headers.set(name, value);
      return response;
    } catch (error) {
      const { code, message, errors, headers: own } = toProblem(error, services);
      throw new ApiProblem(code, message, { errors, headers: { ...headers, ...own } });
    }
  };
}

/** Programs in any browser page may call the API: it ignores cookies, and a page can't read a key it doesn't have. */
const baseHeaders = {
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After",
};
const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match",
  "access-control-max-age": "86400",
};

function findOperation(matchers: readonly Matcher[], c: Context<AppEnv>) {
  const { pathname } = new URL(c.req.url);
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

type Found = Pick<Call, "params" | "owner"> & { operation: Operation };

async function respond(c: Context<AppEnv>, services: Services, found: Found): Promise<Response> {
  const { operation, owner } = found;
  const { raw: request } = c.req;
  const { pathname, searchParams } = new URL(request.url);
  const { files } = services;
  const { raw, body } = await readBody(request, operation, { files, authenticate: () => authenticate(c, services) });
  // The key may have been revoked while the body arrived.
  if (raw.length > 0) await authenticate(c, services);
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
  await countDaily(services, dailyLimits.storedResponses, owner.id);
  const stored = { keyId: owner.keyId, ownerId: owner.id, idempotencyKey, now: services.clock() };
  return runOnce(services, { ...stored, requestHash }, run);
}

/**
 * Runs a call once per `Idempotency-Key`. What failed on our side may be sent again. Stored bodies are encrypted: some contain a secret that
 * is stored nowhere else in the clear.
 */
async function runOnce(
  { db, secretBox }: Services,
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
  const box = secretBox("api calls");
  if (before !== "new")
    return new Response(box.decrypt(before.body, call.ownerId), { status: before.status, headers: before.headers });
  let done: StoredResponse | undefined;
  try {
    const response = await run();
    const body = await response.text();
    done = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: box.encrypt(body, call.ownerId),
    };
    return new Response(body, { status: done.status, headers: done.headers });
  } finally {
    await endCall(db, call, done);
  }
}

async function toResponse(c: Context<AppEnv>, operation: Operation, result: Result): Promise<Response> {
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
  if (
    version !== undefined &&
    !operation.isLive &&
    c.req.method === "GET" &&
    c.req.header("if-none-match")?.replace("W/", "") === `"${version}"`
  )
    return new Response(null, { status: 304, headers });
  if (status === 204) return new Response(null, { status, headers });
  const { mediaType = "application/json" } = operation.response;
  headers.set("content-type", mediaType.startsWith("text/") ? `${mediaType}; charset=utf-8` : mediaType);
  const isFile = body instanceof ReadableStream;
  if (isFile && c.req.method === "HEAD") await body.cancel();
  const content = isFile ? body : JSON.stringify(body);
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
