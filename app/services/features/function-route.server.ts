import type { Context, Handler } from "hono";
import { bodyLimit } from "hono/body-limit";

import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { isOwnOrigin } from "#app/services/http/own-origin.ts";

import type { Feature, RawRoute } from "./feature.ts";

import { functionError } from "./server-function.ts";
import type { FunctionResult, ServerFunction } from "./server-function.ts";

/** More than any function needs. */
const maxBytes = 20_000;

/** The route of all functions. Throws when two have the same name. */
export function functionRoutes(features: readonly Pick<Feature, "functions">[]): RawRoute[] {
  const byName = new Map<string, ServerFunction>();
  for (const one of features.flatMap(({ functions }) => functions ?? [])) {
    if (byName.has(one.name)) throw new Error(`There are two functions with the name ${one.name}.`);
    byName.set(one.name, one);
  }
  return [
    {
      method: "ALL",
      path: "/functions/v1/:name",
      authentication: "session-or-bearer",
      maxBytes: "streamed",
      handler: (services) => handleFunctions(services, byName),
    },
  ];
}

function handleFunctions(services: Services, functions: ReadonlyMap<string, ServerFunction>): Handler<AppEnv> {
  const limitBytes = bodyLimit({
    maxSize: maxBytes,
    onError: (c) => respond(c, functionError(413, "The body is too large.")),
  });
  const handle: Handler<AppEnv> = async (c) => {
    c.set("isJson", true);
    const called = functions.get(c.req.param("name") ?? "");
    if (!called) return respond(c, functionError(404, "There is no function with this name."));
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    if (method !== called.method) {
      c.header("allow", called.method === "GET" ? "GET, HEAD" : called.method);
      return respond(c, functionError(405, `This function is called with ${called.method}.`));
    }
    const caller = await findCaller(c, services);
    if (caller === "other origin")
      return respond(c, functionError(403, "This call didn't come from a page on this site."));
    // A token that isn't valid is refused, also where none is needed.
    const hasToken = c.req.header("authorization") !== undefined && !hasAnonymousKey(c.req.raw.headers);
    if (!caller && (!called.isPublic || hasToken)) return respondSignedOut(c, called);
    const state = c.get("state");
    state.viewer = caller;
    const tooLarge = await limitBytes(c, async () => undefined);
    if (tooLarge) return tooLarge;
    const input = await readInput(c);
    if ("problem" in input) return respond(c, input.problem);
    const query = new URL(c.req.url).searchParams;
    const call = { ...input, query, address: state.address };
    if (called.isPublic) return respond(c, await called.run(services, { ...call, user: caller }));
    return caller ? respond(c, await called.run(services, { ...call, user: caller })) : respondSignedOut(c, called);
  };
  return async (c, next) => {
    for (const [name, value] of Object.entries(corsHeaders)) c.header(name, value);
    return c.req.method === "OPTIONS" ? c.body(null, 204, preflightHeaders(c.req.header.bind(c.req))) : handle(c, next);
  };
}

function respondSignedOut(c: Context, called: ServerFunction): Response {
  c.header("www-authenticate", "Bearer");
  const message = called.isPublic ? undefined : called.signedOut;
  return respond(c, functionError(401, message ?? "Sign in, or send the token of a session."));
}

function respond(c: Context, { body, status = 200 }: FunctionResult): Response {
  return c.json(body, status, { "cache-control": "no-store" });
}

/**
 * The user who calls. A bearer token alone decides if there is one: a page of another site can't send it, so any origin may. The session
 * cookie counts only for our own pages, or another site could call with it.
 */
export async function findCaller(
  c: Context<AppEnv>,
  { auth, config }: Services,
): Promise<Viewer | "other origin" | undefined> {
  const { headers, method } = c.req.raw;
  const bearer = bearerToken(headers);
  if (bearer !== undefined) return auth.findBearer(bearer);
  if (method === "POST" && headers.has("cookie") && !isOwnOrigin(headers, config)) return "other origin";
  const { viewer, cookies } = await auth.findViewer(headers);
  for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
  return viewer;
}

/** The token of `Authorization: Bearer <token>`. */
export function bearerToken(headers: Headers): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** Clients of hosted backends send their public key twice while no one is signed in: as `apikey` and in place of a token. */
function hasAnonymousKey(headers: Headers): boolean {
  return headers.has("apikey") && headers.get("apikey") === bearerToken(headers);
}

async function readInput(
  c: Context<AppEnv>,
): Promise<{ input: Record<string, unknown> } | { problem: FunctionResult }> {
  const body = await c.req.text();
  if (body === "") return { input: {} };
  if (!/^application\/json *(?:;|$)/i.test(c.req.header("content-type") ?? ""))
    return { problem: functionError(415, "Send the body as application/json.") };
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: functionError(400, "The body isn't a JSON object.") };
  return { input: { ...value } };
}

/** Undefined for malformed JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pages of any site may call and read the response, because it depends on no cookie that they could send. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Content-Range, Content-Location, Location, Retry-After, X-Supabase-Api-Version",
};

/** The response to the question before a call of another site (Fetch standard, 3.2.2). */
export function preflightHeaders(header: (name: string) => string | undefined): Record<string, string> {
  return {
    ...corsHeaders,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    // Clients add headers of their own. "*" doesn't include Authorization (Fetch standard, 3.3.4).
    "access-control-allow-headers": header("access-control-request-headers") ?? "Authorization, apikey",
    "access-control-max-age": "86400",
  };
}
