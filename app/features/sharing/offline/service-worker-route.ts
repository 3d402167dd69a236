/** Served at the root, because a worker controls only its folder and those below. Browsers fetch it again at least once a day. */
export function loader() {
  return new Response(serviceWorker, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      // The policy applies to the worker's own requests.
      "content-security-policy": "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  });
}

/**
 * The service worker of signed-in users, as the text of /sw.js. It caches one self-contained page, /offline, and responds with it when a
 * page of the owner can't be reached; it doesn't touch other requests. While there is a network nothing comes from the cache. See
 * docs/decisions/0013-share-page-and-offline.md.
 */
const serviceWorker = `(${runWorker.toString()})();\n`;

// Sent as source text: it can't use anything outside its body.
function runWorker() {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this code runs in a worker, but is type-checked as a page's
  const worker = globalThis as unknown as WorkerScope;
  const cacheName = "meishi-offline";
  const page = "/offline";
  const refreshAfterMs = 600_000;
  /** The lifetime of a session: after a longer absence the user is signed out. */
  const sessionMs = 604_800_000;
  let isChanged = false;
  /** Incremented by each refresh and clearing: a response requested before is not stored afterwards. */
  let generation = 0;

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
    // Redirected to the login page: the user is signed out.
    if (response.type === "opaqueredirect") await clear();
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
    if (isExpired || (/^\/(?:u|card)\//.test(path) && !html.includes(`"${path}"`))) return undefined;
    const date = new Date(Date.now() - ageOf(cached));
    const storedAt = date.toLocaleString("en", { dateStyle: "long", timeStyle: "short" });
    const marked = html.replace("<html", "<html data-offline");
    const offlineHtml = marked.replace(/(<time[^>]*>)[^<]*/, (_, tag) => tag + storedAt);
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
      if (pathname !== "/count") isChanged = true;
      if (pathname.startsWith("/auth/sign-out")) event.waitUntil(ignoreErrors(clear()));
      return;
    }
    const isNavigation = request.mode === "navigate";
    if (request.method !== "GET" || (!isNavigation && !pathname.endsWith(".data"))) return;
    // Links in mails sign users in, and an expired session leads here.
    if (pathname.startsWith("/auth")) isChanged = true;
    const isOwnerPage = /^\/(?:$|(?:profile|offline)$|(?:cards|share|u|card)\/[^.]+$)/.test(pathname);
    if (isNavigation && isOwnerPage) {
      const response = fetch(request);
      // Without a cached page, or when storage is denied, the browser shows its own error page.
      const unreachable = () => Response.error();
      event.respondWith(
        response.catch(() => findCached(pathname).then((cached) => cached ?? unreachable(), unreachable)),
      );
      event.waitUntil(ignoreErrors(response.then(refreshIfDue)));
    } else if (isChanged && !pathname.startsWith("/auth/")) {
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
