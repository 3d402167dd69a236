import { Hono } from "hono";
import type { Context } from "hono";
import { createRequestHandler, RouterContextProvider } from "react-router";
import type { ServerBuild } from "react-router";

import { isOperator } from "#app/services/auth/sessions/viewer.server.ts";
import { pageEventKinds } from "#app/services/events/event.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { requestContext, servicesContext } from "#app/services/http/context.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { builtAssets } from "./built-assets.ts";
import { features as allFeatures } from "./features.ts";
import { logRequests } from "./log.ts";
import { createPageCache } from "./public-pages/page-cache.ts";
import type { PageCache } from "./public-pages/page-cache.ts";
import { compressUncached, createStoredPathMatcher, servePublicPages } from "./public-pages/page-middleware.ts";
import { listRawRoutes, mountRawRoutes } from "./raw-routes.ts";
import type { RawRoutes } from "./raw-routes.ts";
import {
  checkOrigin,
  createRequestState,
  handleCrash,
  limitPageBody,
  readSession,
  refuseMalformedPaths,
  refuseUnknownMethods,
} from "./http/request-guards.ts";
import { createHeaderWriter, writeHeaders } from "./http/response-headers.ts";

type AppOptions = {
  features?: readonly Feature[];
  pages?: PageCache;
  /** Folder of the built scripts, styles and fonts; in development Vite serves them. */
  assets?: string | undefined;
  /** Without it no page is cached and no visit is counted. */
  isCached?: boolean;
};

/** The whole product as one function from request to response. Middleware runs in the order of these lines. */
export async function createApp(
  services: Services,
  { features = allFeatures, pages, assets, isCached = true }: AppOptions = {},
) {
  const build = await import("virtual:react-router/server-build");
  const handle = createPageHandler(build, features, services.config);
  const headers = createHeaderWriter(services.config);
  const rawRoutes = listRawRoutes(features);
  services.metrics.addRoutes(listPaths(build, rawRoutes));

  const respond = (c: Context<AppEnv>, request = c.req.raw) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(requestContext, c.get("state"));
    return handle(c, request, context);
  };

  const app = new Hono<AppEnv>();
  app.onError(handleCrash(services, respond));
  app.use(createRequestState(services));
  app.use(logRequests(services));
  app.use("/assets/*", writeHeaders(headers.forResource));
  if (assets) app.use("/assets/*", builtAssets(assets));
  for (const { path } of rawRoutes.resources) app.use(path, writeHeaders(headers.forResource));
  mountRawRoutes(app, rawRoutes.resources, services);
  app.use(compressUncached);
  app.use(writeHeaders(headers.forPage));
  mountRawRoutes(app, rawRoutes.exempt, services);
  app.use(readSession(services));
  if (isCached) app.use(servePublicPages(pages ?? openPageCache(services), services, headers.forPage));
  app.use(refuseUnknownMethods);
  app.use(refuseMalformedPaths);
  app.use(checkOrigin(services));
  mountRawRoutes(app, rawRoutes.session, services);
  app.use(limitPageBody(features.flatMap(({ bodyLimits }) => bodyLimits ?? [])));
  app.all("*", async (c) => {
    const response = await respond(c);
    const { failure } = c.get("state");
    if (failure) throw failure;
    return response;
  });
  return app;
}

/** The paths by which requests are counted. */
function listPaths({ routes }: ServerBuild, { resources, exempt, session }: RawRoutes): string[] {
  const pages = Object.values(routes).flatMap((route) => (route?.index ? "/" : (route?.path ?? [])));
  return ["/assets/*", ...pages, ...[...resources, ...exempt, ...session].map(({ path }) => path)];
}

/**
 * Responds with the router's pages and routes. A visitor's request for a public page is matched against the public pages only: with all
 * routes, matching takes 3 % of the page's CPU. A signed-in user's page may be their own, which is hydrated and needs all routes.
 */
function createPageHandler(build: ServerBuild, features: readonly Feature[], config: Services["config"]) {
  // checkOrigin has compared Origin already. The router would compare it with the URL as it arrives here, which is http behind a
  // proxy that ends TLS, and refuse every form.
  const options = { ...build, allowedActionOrigins: ["**"] };
  const publicPages = features.flatMap((feature) => feature.publicPages ?? []);
  const operatorPages = features.flatMap((feature) => feature.operatorPages ?? []);
  const isForOperators = (path: string) => operatorPages.some((page) => path === page || path.startsWith(`${page}/`));
  const createHandler = (isIncluded: (path: string) => boolean) => {
    const filter = <R extends { path?: string | undefined }>(routes: Record<string, R | undefined>) =>
      Object.fromEntries(Object.entries(routes).filter(([, route]) => !route?.path || isIncluded(`/${route.path}`)));
    // The router renders a hydrated page with the routes of the manifest, which therefore has to match.
    const assets = { ...build.assets, routes: filter(build.assets.routes) };
    return createRequestHandler({ ...options, assets, routes: filter(build.routes) }, import.meta.env.MODE);
  };
  const handlePublic = createHandler((path) => publicPages.includes(path));
  const handle = createHandler((path) => !isForOperators(path));
  const handleOperator = createHandler(() => true);
  const isPublicPage = createStoredPathMatcher(features);
  return (c: Context<AppEnv>, request: Request, context: RouterContextProvider) => {
    const { viewer } = c.get("state");
    if (isOperator(config, viewer)) return handleOperator(request, context);
    return (!viewer && isPublicPage(c.req.path) ? handlePublic : handle)(request, context);
  };
}

/** The page cache of one process. An event of an owner, on this or another node, drops the owner's pages. */
export function openPageCache({ bus, clock, events, features, renderedPages }: Services): PageCache {
  const pages = createPageCache({
    maxBytes: 128_000_000,
    timeToLive: () => (bus.isLive() ? 60_000 : 1_500),
    clock,
    stored: renderedPages,
    isStored: createStoredPathMatcher(features),
  });
  events.subscribe({
    name: "page-cache",
    kinds: pageEventKinds,
    everywhere: ({ ownerId }) => pages.drop(ownerId),
    missed: pages.dropAll,
  });
  return pages;
}
