import type { Hono, MiddlewareHandler } from "hono";

import { apiRoutes } from "#app/services/api/api-route.server.ts";
import type { Feature, RawRoute } from "#app/services/features/feature.ts";
import { functionRoutes } from "#app/services/features/function-route.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { limitBody } from "./http/request-guards.ts";

/** The raw routes of all features, and the one of their functions, by where they run in createApp. */
export type RawRoutes = {
  /** Before everything that belongs to pages: sessions, compression, the page cache. */
  resources: readonly RawRoute[];
  /** Before sessions and the origin check: the handler checks another proof. */
  exempt: readonly RawRoute[];
  /** After sessions and the origin check. */
  session: readonly RawRoute[];
};

/** Throws when a route could hide others: when two have the same path, or one begins with a parameter. */
export function listRawRoutes(features: readonly Feature[]): RawRoutes {
  const routes = [
    ...features.flatMap(({ rawRoutes }) => rawRoutes ?? []),
    ...functionRoutes(features),
    ...apiRoutes(features),
  ];
  const seen = new Set<string>();
  for (const { method, path } of routes) {
    const name = `${method} ${path}`;
    const isPage = path === "/" && ["PROPFIND", "OPTIONS"].includes(method);
    if (seen.has(name) || !(isPage || /^\/\.?[a-z]/.test(path)))
      throw new Error(`The raw route ${name} conflicts with another one.`);
    seen.add(name);
  }
  const isExempt = ({ authentication = "session" }: RawRoute) => authentication !== "session";
  const isResource = ({ headers }: RawRoute) => headers === "resource";
  return {
    resources: routes.filter((route) => isResource(route)),
    exempt: routes.filter((route) => isExempt(route) && !isResource(route)),
    session: routes.filter((route) => !isExempt(route) && !isResource(route)),
  };
}

/** Adds the routes to the app, each with its body limit. */
export function mountRawRoutes(app: Hono<AppEnv>, routes: readonly RawRoute[], services: Services) {
  for (const route of routes) app.on(route.method, [route.path], ...limitsOf(route), route.handler(services));
}

function limitsOf(route: RawRoute): MiddlewareHandler<AppEnv>[] {
  if (route.method === "GET" || route.maxBytes === "streamed") return [];
  return [limitBody(route.maxBytes ?? formBytes.usual)];
}

/** A function that decides whether the body of a request may arrive slowly. */
export function slowBodyMatcher({ resources, exempt, session }: RawRoutes): (method: string, url: string) => boolean {
  const slow = [...resources, ...exempt, ...session].flatMap((route) =>
    "isSlow" in route && route.isSlow ? { method: route.method, pattern: pathPattern(route.path) } : [],
  );
  return (method, url) => slow.some((route) => isMethod(route.method, method) && route.pattern.test(url));
}

function isMethod(declared: string, method: string): boolean {
  return declared === "ALL" || declared === method;
}

/** Matches the path as written, without decoding: "/uploads/../profile" isn't an upload. */
function pathPattern(path: string): RegExp {
  const source = path.replace(/:\w+|[^\w/:-]/g, (part) => {
    if (part === "*") return "(?:(?!\\.\\.|%2[eE])[^?])*";
    return part.startsWith(":") ? "[\\w:-]+" : `\\${part}`;
  });
  return new RegExp(`^${source}(?:\\?|$)`);
}
