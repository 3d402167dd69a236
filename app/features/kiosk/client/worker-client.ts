/**
 * The service worker of kiosks, /kiosk-worker.js: starts the stored page of a kiosk link while the server can't be reached. The page stores
 * itself (kiosk-client.ts); with a network it always comes from the server.
 */
import { pageCache } from "#app/features/kiosk/rules.ts";

/** How long a start waits for a network that doesn't answer. */
const patienceMs = 4_000;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this code runs in a worker, but is type-checked as a page's
const worker = globalThis as unknown as WorkerScope;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.mode === "navigate") event.respondWith(openPage(request));
});

async function openPage(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const stored = search === "" ? await caches.match(pathname, { cacheName: pageCache }) : undefined;
  if (!stored) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(stored), patienceMs));
  // A proxy in front of a server that is down answers for it.
  const current = fetch(request).then(
    (response) => (response.status >= 500 ? stored : response),
    () => stored,
  );
  return Promise.race([current, late]);
}

/** The parts of a service worker's global scope that this one uses; TypeScript provides either a page's scope or a worker's. */
type WorkerScope = {
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};
type Waiting = { waitUntil(done: Promise<unknown>): void };
type Fetching = { request: Request; respondWith(response: Promise<Response>): void };
