/**
 * The service worker of signed-in people, as the text of /sw.js. It keeps one page, /offline, which holds all that it needs, and
 * answers with it where a page of theirs can't be reached; whatever else is asked for goes its usual way. While there is a network
 * nothing comes from what is kept. See docs/decisions/0013-share-page-and-offline.md.
 */
export const serviceWorker = `(${work.toString()})();\n`;

// Sent as its own source text: it may use nothing from outside its braces.
function work() {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this text runs in a worker, and is checked as a page's
  const worker = globalThis as unknown as WorkerScope;
  const store = "meishi-offline";
  const page = "/offline";
  const tenMinutes = 600_000;
  /** As long as a session lives: whoever has not been here for longer is signed out. */
  const week = 604_800_000;
  let isChanged = false;
  /** One more with each refresh and each clearing: what was asked for before is not kept after it. */
  let turn = 0;

  const clear = () => {
    turn++;
    return caches.delete(store);
  };

  const askAgain = (error: unknown): never => {
    isChanged = true;
    throw error;
  };

  const refresh = async () => {
    isChanged = false;
    const mine = ++turn;
    const answer = await fetch(page, { redirect: "manual", cache: "no-store" }).catch(askAgain);
    if (mine !== turn) return;
    // Led on to the login page: nobody is signed in any more.
    if (answer.type === "opaqueredirect") await clear();
    else if (!answer.ok) askAgain(new Error(answer.statusText));
    else await keep(answer, mine);
  };

  const keep = async (answer: Response, mine: number) => {
    await (await caches.open(store)).put(page, answer);
    if (mine !== turn) await clear();
  };

  const ageOf = (kept: Response) => Date.now() - Date.parse(kept.headers.get("date") ?? "");

  const refreshIfDue = async () => {
    const kept = await caches.match(page, { cacheName: store });
    if (isChanged || !kept || !(ageOf(kept) < tenMinutes)) await refresh();
  };

  // Without network, or where storage is denied, what is kept stays as it is.
  const quietly = (done: Promise<unknown>) => done.then(Boolean, Boolean);

  /** The kept page for one of the owner's addresses; undefined for other people's, and where there is none. */
  const keptFor = async (path: string) => {
    const kept = await caches.match(page, { cacheName: store });
    if (!kept) return undefined;
    if (ageOf(kept) > week) {
      await clear();
      return undefined;
    }
    const html = await kept.text();
    if (/^\/(?:u|card)\//.test(path) && !html.includes(`"${path}"`)) return undefined;
    const when = new Date(Date.now() - ageOf(kept)).toLocaleString("en", { dateStyle: "long", timeStyle: "short" });
    const shown = html.replace("<html", "<html data-offline").replace(/(<time[^>]*>)[^<]*/, (_, tag) => tag + when);
    const headers = ["content-type", "content-security-policy"].map((name): [string, string] => [
      name,
      kept.headers.get(name) ?? "",
    ]);
    return new Response(shown, { headers });
  };

  worker.addEventListener("install", (event) => {
    // It holds no part of the site that could be too old for the rest: a new one takes over at once.
    event.waitUntil(worker.skipWaiting());
    event.waitUntil(quietly(refresh()));
  });

  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== location.origin) return;
    if (request.method === "POST") {
      // Saved, signed in or out: what is kept is asked for again with the next page.
      if (pathname !== "/count") isChanged = true;
      if (pathname.startsWith("/auth/sign-out")) event.waitUntil(quietly(clear()));
      return;
    }
    const isNavigation = request.mode === "navigate";
    if (request.method !== "GET" || (!isNavigation && !pathname.endsWith(".data"))) return;
    // The links in mails sign people in; a session that ended leads here.
    if (pathname.startsWith("/auth")) isChanged = true;
    const isOurs = /^\/(?:$|(?:profile|offline)$|(?:cards|share|u|card)\/[^.]+$)/.test(pathname);
    if (isNavigation && isOurs) {
      const answer = fetch(request);
      // Without what is kept, or where the browser denies the store, it is the browser's own page that says there is no network.
      const unreachable = () => Response.error();
      event.respondWith(answer.catch(() => keptFor(pathname).then((kept) => kept ?? unreachable(), unreachable)));
      event.waitUntil(quietly(answer.then(refreshIfDue)));
    } else if (isChanged && !pathname.startsWith("/auth/")) {
      event.waitUntil(quietly(refresh()));
    }
  });
}

/** As much of a service worker's world as this one uses; TypeScript has either a page's or a worker's. */
type WorkerScope = {
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Waiting & Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};
type Waiting = { waitUntil(done: Promise<unknown>): void };
type Fetching = { request: Request; respondWith(answer: Promise<Response>): void };
