import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";

import type { AppSession, AppSessionRefusal } from "#app/services/auth/apps/app-sessions.server.ts";
import { isEqualText } from "#app/services/base/signed-token.server.ts";
import { isDiskFull, isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";
import type { RawRoute } from "#app/services/features/feature.ts";
import { bearerToken, corsHeaders, preflightHeaders } from "#app/services/features/function-route.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";

/** What is wrong with a request, before each part of the API says it in its own form. */
export type ClientProblem =
  | "no-key"
  | `token-${AppSessionRefusal}`
  | "second-factor"
  | "too-large"
  | "outcome-unknown"
  | "unavailable"
  | "internal";

/** Thrown by a handler to end a request with this response. */
export class ClientRefusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(typeof body.message === "string" ? body.message : "refused");
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export type ClientCall = {
  services: Services;
  c: Context<AppEnv>;
  /** The path below that of the part, which begins with a slash. */
  path: string;
  method: string;
  query: URLSearchParams;
  /** The session whose access token was sent; undefined for an app without one. */
  session: AppSession | undefined;
  /** Without cookies: an app is not the browser that it runs in. */
  origin: { headers: Headers; address: string };
};

type BodyLimit = number | "streamed";

export type ClientPart = {
  /** "/rest/v1" */
  base: string;
  /** Of a body. "streamed": the handler reads it and limits it. */
  maxBytes: BodyLimit | ((path: string, method: string) => BodyLimit);
  isSlow?: boolean;
  /** Paths that a browser opens, which can't send the key. */
  isWithoutKey?: (path: string, method: string) => boolean;
  /** Paths that accept a session whose second factor wasn't checked yet. By default none. */
  acceptsIncompleteSession?: (path: string) => boolean;
  toRefusal: (problem: ClientProblem) => ClientRefusal;
  handle: (call: ClientCall) => Promise<Response>;
};

/** The route of one part of the API for apps: checks the key and the session, and answers for any origin, because it reads no cookies. */
export function clientRoute(part: ClientPart): RawRoute {
  return {
    method: "ALL",
    path: `${part.base}/*`,
    authentication: "bearer",
    maxBytes: "streamed",
    ...(part.isSlow && { isSlow: true }),
    handler: (services) => async (c, next) => {
      if (!services.config.dataApi) return next();
      c.set("isJson", true);
      if (c.req.method === "OPTIONS")
        return new Response(null, { status: 204, headers: preflightHeaders(c.req.header.bind(c.req)) });
      const response = await respond(services, c, part);
      for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value);
      // Without it the client looks for the code of an error in another field.
      const version = c.req.header(versionHeader);
      if (version !== undefined) response.headers.set(versionHeader, version.slice(0, 20));
      if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
      return response;
    },
  };
}

async function respond(services: Services, c: Context<AppEnv>, part: ClientPart): Promise<Response> {
  try {
    const { pathname, searchParams: query } = new URL(c.req.url);
    const path = pathname.slice(part.base.length);
    const method = c.req.method;
    const session = await enter(services, c, { ...part, path, query });
    const headers = new Headers(c.req.raw.headers);
    headers.delete("cookie");
    const call = { services, c, path, method, query, session, origin: { headers, address: c.get("state").address } };
    const maxSize = typeof part.maxBytes === "function" ? part.maxBytes(path, method) : part.maxBytes;
    if (maxSize === "streamed") return await part.handle(call);
    let response: Response | undefined;
    const limit = bodyLimit({
      maxSize,
      onError: () => {
        throw part.toRefusal("too-large");
      },
    });
    await limit(c, async () => {
      response = await part.handle(call);
    });
    return response ?? toResponse(part.toRefusal("internal"));
  } catch (error) {
    return toResponse(error instanceof ClientRefusal ? error : part.toRefusal(problemOf(services, error)));
  }
}

async function enter(
  services: Services,
  c: Context<AppEnv>,
  {
    path,
    query,
    isWithoutKey,
    acceptsIncompleteSession,
    toRefusal,
  }: ClientPart & { path: string; query: URLSearchParams },
): Promise<AppSession | undefined> {
  const key = c.req.header("apikey") ?? query.get("apikey");
  const hasKey = key !== null && isEqualText(key, clientKey(services));
  if (!hasKey && (key !== null || !isWithoutKey?.(path, c.req.method))) throw toRefusal("no-key");
  const token = bearerToken(c.req.raw.headers);
  // Clients send the key in place of a token while no one is signed in.
  if (token === undefined || token === key) return undefined;
  const session = await services.auth.findAppSession(token);
  if (typeof session === "string") throw toRefusal(`token-${session}`);
  if (!session.isFull && !acceptsIncompleteSession?.(path)) throw toRefusal("second-factor");
  c.get("state").viewer = session.viewer;
  return session;
}

function toResponse({ status, body, headers }: ClientRefusal): Response {
  return Response.json(body, { status, headers });
}

/** Errors that nothing expects are logged; their cause isn't sent. */
function problemOf({ log }: Services, error: unknown): ClientProblem {
  logFailure(log, error, "a call of an app failed");
  if (isOutcomeUnknown(error)) return "outcome-unknown";
  return isUnavailable(error) || isDiskFull(error) ? "unavailable" : "internal";
}

const versionHeader = "x-supabase-api-version";

/**
 * The public key that apps send with each request. It names this installation and allows nothing by itself. Clients of the specification
 * recognize it by its beginning, and then leave it out of `Authorization` where a session's token belongs.
 */
export function clientKey({ signForever }: Pick<Services, "signForever">): string {
  return `sb_publishable_${signForever("client key", "1").slice(0, 32)}`;
}
