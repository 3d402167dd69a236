import { pageCache } from "#app/features/kiosk/rules.ts";

/** Stores this page for starts without a network. */
export async function storePage(path: string, response: Response): Promise<void> {
  const cache = await caches.open(pageCache);
  await cache.put(path, response);
}

/** The page as the server has it now, which is also stored where that is possible; undefined without a network. */
export async function loadCurrentPage(path: string): Promise<Document | undefined> {
  try {
    const response = await fetch(path, { cache: "no-store", redirect: "error" });
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    const html = await response.clone().text();
    const page = new DOMParser().parseFromString(html, "text/html");
    // The page of a hotel's network isn't one of ours.
    if (!isPage || response.status >= 500 || !page.querySelector("[data-kiosk]")) return undefined;
    // Where nothing can be stored, the page still shows what has changed.
    await storePage(path, response).catch(() => undefined);
    return page;
  } catch {
    // No network, or an answer that was cut off.
    return undefined;
  }
}

/** Starts pages without a network, and asks the browser not to delete what waits. Both work in browsers and contexts that have them. */
export async function prepareForOffline(): Promise<void> {
  await Promise.allSettled([
    navigator.serviceWorker.register("/kiosk-worker.js", { scope: "/kiosk/" }),
    navigator.storage.persist(),
  ]);
}

/** Keeps the screen on while the page is visible. The browser ends that each time the page is hidden. */
export function keepScreenOn(): void {
  const request = () => {
    // Refused with an empty battery, for example: then the screen turns off as usual.
    if (document.visibilityState === "visible") void navigator.wakeLock?.request("screen").catch(() => undefined);
  };
  document.addEventListener("visibilitychange", request);
  request();
}

/** Shows the button while the page isn't full screen, where the browser has that (an iPhone doesn't). */
export function offerFullScreen(button: HTMLElement): void {
  const page = document.documentElement;
  if (!document.fullscreenEnabled) return;
  const update = () => button.toggleAttribute("hidden", document.fullscreenElement !== null);
  document.addEventListener("fullscreenchange", update);
  button.addEventListener("click", () => {
    keepScreenOn();
    // Refused, for example by a policy of the device: the button stays.
    void page.requestFullscreen({ navigationUI: "hide" }).catch(() => undefined);
  });
  update();
}
