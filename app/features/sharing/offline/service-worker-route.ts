import type { FeaturePaths, OfflinePaths } from "#app/services/features/feature-paths.ts";
import { services } from "#app/services/http/context.ts";

import type { Route } from "./+types/service-worker-route.ts";

/** Served at the root, because a worker controls only its folder and those below. Browsers fetch it again at least once a day. */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(serviceWorker(services(context).features), {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      // The policy applies to the worker's own requests.
      "content-security-policy": "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  });
}

/**
 * The service worker of signed-in users, as the text of /sw.js. It caches one self-contained page, /my-qr, and responds with it when a
 * page of the owner can't be reached; it doesn't touch other requests. While there is a network nothing comes from the cache. See
 * docs/decisions/0013-share-page-and-offline.md.
 */
function serviceWorker(features: readonly FeaturePaths[]): string {
  const listed = (kind: keyof OfflinePaths) => features.flatMap(({ offline }) => offline?.[kind] ?? []);
  const publicPages = features.flatMap(({ publicPages = [] }) => publicPages);
  const patterns: PathPatterns = {
    // A name with a dot is a file below a page.
    ownerPage: anyOf(listed("pages").map((path) => `${RegExp.escape(path).replace(/\\\*$/, "[^.]+")}$`)),
    publicPage: anyOf(publicPages.map((path) => RegExp.escape(path.replace(/:.*/, "")))),
    ignoredWrite: anyOf(listed("ignoredWrites").map((path) => `${RegExp.escape(path)}$`)),
    signIn: anyOf(listed("signIn").map((path) => RegExp.escape(path))),
    signInStep: anyOf(listed("signIn").map((path) => RegExp.escape(`${path}/`))),
    signOut: anyOf(listed("signOut").map((path) => RegExp.escape(path).replaceAll(/\\\*/g, "[^/]+"))),
  };
  return `(${runWorker.toString()})(${JSON.stringify(patterns)});\n`;
}

/** Sources of regular expressions for paths. */
type PathPatterns = Record<"ownerPage" | "publicPage" | "ignoredWrite" | "signIn" | "signInStep" | "signOut", string>;

/** Without patterns it matches nothing. */
function anyOf(patterns: readonly string[]): string {
  return `^(?:${[...patterns, "(?!)"].join("|")})`;
}

// Sent as source text: it can't use anything outside its body.
function runWorker(patterns: PathPatterns) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this code runs in a worker, but is type-checked as a page's
  const worker = globalThis as unknown as WorkerScope;
  const cacheName = "meishi-offline";
  const page = "/my-qr";
  const refreshAfterMs = 600_000;
  /** The lifetime of a session: after a longer absence the user is signed out. */
  const sessionMs = 604_800_000;
  let isChanged = false;
  /** Incremented by each refresh and clearing: a response requested before is not stored afterwards. */
  let generation = 0;

  const matches = (path: string, kind: keyof PathPatterns) => new RegExp(patterns[kind]).test(path);

  const clear = () => {
    generation++;
    return caches.delete(cacheName);
  };

  const retryLater = (error: unknown): never => {
    isChanged = true;
    throw error;
  };

  const refresh = async () => {
    isChanged = false;
    const current = ++generation;
    const response = await fetch(page, { redirect: "manual", cache: "no-store" }).catch(retryLater);
    if (current !== generation) return;
    // Signed out, or the account was deleted.
    if (response.status === 401 || response.type === "opaqueredirect") await clear();
    else if (!response.ok) retryLater(new Error(response.statusText));
    else await store(response, current);
  };

  const store = async (response: Response, current: number) => {
    await (await caches.open(cacheName)).put(page, response);
    if (current !== generation) await clear();
  };

  const ageOf = (cached: Response) => Date.now() - Date.parse(cached.headers.get("date") ?? "");

  const refreshIfDue = async () => {
    const cached = await caches.match(page, { cacheName });
    if (isChanged || !cached || !(ageOf(cached) < refreshAfterMs)) await refresh();
  };

  // Without a network, or when storage is denied, the cached page stays unchanged.
  const ignoreErrors = (done: Promise<unknown>) => done.then(Boolean, Boolean);

  /** The cached page for a path of the owner; undefined for other users' paths, and when nothing is cached. */
  const findCached = async (path: string) => {
    const cached = await caches.match(page, { cacheName });
    if (!cached) return undefined;
    const isExpired = ageOf(cached) > sessionMs;
    if (isExpired) await clear();
    const html = await cached.text();
    if (isExpired || (matches(path, "publicPage") && !html.includes(`"${path}"`))) return undefined;
    const date = new Date(Date.now() - ageOf(cached));
    const storedAt = date.toLocaleString("en", { dateStyle: "long", timeStyle: "short" });
    const dated = html.replace("<html", "<html data-offline").replace(/(<time[^>]*>)[^<]*/, (_, tag) => tag + storedAt);
    // Offline, the code with the contact comes first: the other phone may be offline too.
    const offlineHtml = dated.replaceAll(/ checked=""|(?<=value="contact")/g, (text) => (text ? "" : ' checked=""'));
    const names = ["content-type", "content-security-policy"];
    const headers = names.map((name): [string, string] => [name, cached.headers.get(name) ?? ""]);
    return new Response(offlineHtml, { headers });
  };

  worker.addEventListener("install", (event) => {
    // It contains no part of the site that could be outdated: a new worker takes over at once.
    event.waitUntil(worker.skipWaiting());
    event.waitUntil(ignoreErrors(refresh()));
  });

  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== location.origin) return;
    if (request.method === "POST") {
      // The user saved something, or signed in or out: the cached page is refreshed with the next page.
      if (!matches(pathname, "ignoredWrite")) isChanged = true;
      if (matches(pathname, "signOut")) event.waitUntil(ignoreErrors(clear()));
      return;
    }
    const isNavigation = request.mode === "navigate";
    if (request.method !== "GET" || (!isNavigation && !pathname.endsWith(".data"))) return;
    // Links in emails sign users in, and an expired session leads here.
    if (matches(pathname, "signIn")) isChanged = true;
    if (isNavigation && matches(pathname, "ownerPage")) {
      const response = fetch(request);
      // Without a cached page, or when storage is denied, the browser shows its own error page.
      const unreachable = () => Response.error();
      event.respondWith(
        response.catch(() => findCached(pathname).then((cached) => cached ?? unreachable(), unreachable)),
      );
      event.waitUntil(ignoreErrors(response.then(({ status }) => (status === 401 ? refresh() : refreshIfDue()))));
    } else if (isChanged && !matches(pathname, "signInStep")) {
      event.waitUntil(ignoreErrors(refresh()));
    }
  });
}

/** The parts of a service worker's global scope that this one uses; TypeScript provides either a page's scope or a worker's. */
type WorkerScope = {
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Waiting & Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};
type Waiting = { waitUntil(done: Promise<unknown>): void };
type Fetching = { request: Request; respondWith(response: Promise<Response>): void };
