import { Hono } from "hono";
import { createRequestHandler, RouterContextProvider } from "react-router";

import { requestFacts, servicesContext } from "#app/services/context.ts";
import type { RequestFacts, Services } from "#app/services/context.ts";

import { builtAssets } from "./built-assets.ts";
import { cachedPages } from "./cached-pages.ts";
import { compressFresh } from "./compress-fresh.ts";
import { count } from "./count.ts";
import { health } from "./health.ts";
import { createPageCache } from "./page-cache.ts";
import type { PageCache } from "./page-cache.ts";
import { requestLog } from "./request-log.ts";
import { storedFiles } from "./stored-files.ts";
import { removeUpload, upload } from "./uploads.ts";
import {
  answerCrash,
  limitBody,
  originCheck,
  readFacts,
  readSession,
  refuseOtherMethods,
  secureHeaders,
} from "./request-guards.ts";

export type AppEnv = {
  Variables: {
    facts: RequestFacts;
    /** The answer is a page of the cache: its bytes go out as they are. */
    isKept?: boolean;
  };
  Bindings: { incoming?: { socket: { remoteAddress?: string } } };
};

type AppOptions = {
  pages?: PageCache;
  /** Folder of the built scripts, styles and fonts; in development Vite has them. */
  assets?: string | undefined;
  isCached?: boolean;
};

/** The whole product as one function from request to response. The order of the lines is the order of the work. */
export async function createApp(services: Services, { pages, assets, isCached = true }: AppOptions = {}) {
  const build = await import("virtual:react-router/server-build");
  // originCheck has seen where a write comes from. The router would compare Origin with the address as it arrives here, which
  // behind a proxy that ends TLS is another one (http), and refuse every form.
  const handle = createRequestHandler({ ...build, allowedActionOrigins: ["**"] }, import.meta.env.MODE);

  const app = new Hono<AppEnv>();
  app.onError(answerCrash(services));
  app.use(readFacts(services));
  app.use(requestLog(services));
  if (assets) app.use("/assets/*", builtAssets(assets));
  app.get("/files/*", storedFiles(services));
  app.use(compressFresh);
  if (isCached) app.use(cachedPages(pages ?? pagesOf(services), services));
  app.use(secureHeaders(services));
  app.get("/healthz", health(services));
  app.use(refuseOtherMethods);
  app.use(originCheck(services));
  app.post("/uploads/*", readSession(services));
  app.post("/uploads/:slot", upload(services));
  app.post("/uploads/:slot/remove", removeUpload(services));
  app.use(readSession(services));
  app.use(limitBody);
  app.post("/count", count(services));
  app.all("*", async (c) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(requestFacts, c.get("facts"));
    return handle(c.req.raw, context);
  });
  return app;
}

/** The page cache of one process, dropped through the bus whenever an owner saves, here or on another node. */
export function pagesOf({ bus, clock }: Services): PageCache {
  const pages = createPageCache({
    maxBytes: 128_000_000,
    timeToLive: () => (bus.isLive() ? 60_000 : 1_500),
    clock,
  });
  bus.subscribe((message) => {
    if (message.kind === "owner-changed") pages.drop(message.ownerId);
    else pages.dropAll();
  });
  return pages;
}
